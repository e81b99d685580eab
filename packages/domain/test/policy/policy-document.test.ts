import * as E from 'fp-ts/lib/Either.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { decodeRegistrationPolicy } from '../../src/policy/decode.js'
import { committed } from '../documents/committed.js'
import { completePolicy } from './policies.js'

const Document = suite('docs/operate/security.md#registration-policy')

const [, text = ''] = /\n## Registration policy\n([\s\S]*?)\n## /.exec(committed('operate/security.md')) ?? []
const example: unknown = JSON.parse(/```json\n([^`]*)```/.exec(text)?.[1] ?? 'null')

Document('the example is a policy', () => {
  const decoded = decodeRegistrationPolicy(example)
  assert.ok(E.isRight(decoded), JSON.stringify(decoded))
})

Document('the example and the table name every part', () => {
  const parts = Object.keys(completePolicy)
  assert.equal(Object.keys(Object(example)), parts)
  assert.equal(
    [...text.matchAll(/^\| `(\w+)` \|/gm)].map(([, part]) => part),
    parts,
  )
})

Document.run()
