import { unaudited } from '@clientele/domain/operations'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import {
  issued,
  oneSample,
  registrationSettings,
  shouldNotBeCalled,
  exampleOrigin,
  only,
  registerByCredential,
} from '@clientele/testing'
import { unlimited } from '../../src/ports/outside.js'
import { noOperatorTokens } from '../support/no-operator-tokens.js'
import { requestedOnce } from '../support/requested-once.js'

const RegisterClient = suite('registerByCredential with a software statement')

RegisterClient('no signature is verified for a registrant without authorization (401)', async () => {
  const set = { ...oneSample(registrationSettings()), mode: { kind: 'managed' as const } }
  const ports = {
    ...noOperatorTokens,
    ...requestedOnce,
    findInitialAccessToken: () => TE.right(O.none),
    issue: () => oneSample(issued()),
    readSoftwareStatement: shouldNotBeCalled,
    fetchSectorIdentifier: shouldNotBeCalled,
    addClient: shouldNotBeCalled,
  }
  const body = E.right({ software_statement: 'e30.e30.e30' })
  const requested = [
    [{ kind: 'none' as const }, 'missing_token'],
    [{ kind: 'unusable' as const }, 'invalid_token'],
  ] as const
  for (const [credential, error] of requested) {
    const refused = await registerByCredential(
      set,
      only({ ...unaudited, ...unlimited, ...ports }),
    )({ origin: exampleOrigin, credential, body })()
    assert.is(E.isLeft(refused) && refused.left.error, error)
  }
})

RegisterClient.run()
