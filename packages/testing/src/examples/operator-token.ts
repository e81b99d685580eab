import { type OperatorToken, secondsAfter } from '@clientele/domain'
import { exampleHash, exampleTime } from './examples.js'

export const exampleOperatorToken = (text: string, lifetime = 3600): OperatorToken => ({
  hash: exampleHash(text),
  privileges: ['clients:read', 'keys'],
  issued_at: exampleTime,
  expires_at: secondsAfter(exampleTime, lifetime),
  issued_by: { kind: 'store', fingerprint: '' },
})
