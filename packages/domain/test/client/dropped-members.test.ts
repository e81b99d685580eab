import { law } from '@clientele/testing'
import * as fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import {
  droppedMembers,
  droppedWarnings,
  misspeltMembers,
  presetMembers,
  unknownMembers,
} from '../../src/client/schema.js'
import { members } from '../../src/client/members.js'

const Dropped = suite('warnings of dropped members')
const it = law(Dropped)

it(
  'any body whatever is told of what is dropped, 50 members at most',
  [fc.anything(), fc.array(fc.string())],
  (body, others) => {
    const names = droppedMembers(body, others)
    const warnings = droppedWarnings(names)
    assert.is(warnings.length, Math.min(names.length, 50))
    for (const { pointer } of warnings) assert.ok(pointer.startsWith('/'))
  },
)

// Of a name, a warning tells the pointer alone.
it(
  'a description says nothing that the client chose',
  [fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue(), { maxKeys: 60 })],
  (body) => {
    const fixed =
      /^The member was left out, because it is (?:empty|unknown(?:: did you mean (\w+)(?: with the language tag)?\?)?)$/
    for (const { description } of droppedWarnings(droppedMembers(body, presetMembers))) {
      const [, meant] = fixed.exec(description) ?? assert.unreachable(description) ?? []
      assert.ok(meant === undefined || Object.hasOwn(members, meant))
    }
  },
)

for (const [name, value, rule, text] of [
  ['scpoe', 'openid', 'unknown-member', 'is unknown: did you mean scope?'],
  ['client_nme#de', 'Laden', 'unknown-member', 'is unknown: did you mean client_name with the language tag?'],
  ['scope#de', 'openid', 'unknown-member', 'is unknown: did you mean scope?'],
  ['entirely_something_else', 1, 'unknown-member', 'is unknown'],
  ['scope', '', 'empty-member', 'is empty'],
] as const)
  Dropped(`${name} ${text}`, () => {
    const [warning] = droppedWarnings(droppedMembers({ [name]: value }, presetMembers))
    assert.equal(warning, { pointer: `/${name}`, rule, description: `The member was left out, because it ${text}` })
  })

Dropped('what is registered under a known name is no warning', () => {
  const body = { client_name: 'Shop', 'client_name#de': 'Laden', preferred_client_id: 'shop' }
  assert.equal(droppedWarnings(droppedMembers(body, presetMembers)), [])
})

Dropped('only the first eight unknown members are compared with the known ones, and all are told', () => {
  const body = Object.fromEntries(Array.from({ length: 10 }, (_, at) => [`scop${at}`, 'openid']))
  assert.equal(
    misspeltMembers(body).map(({ pointer }) => pointer),
    Array.from({ length: 8 }, (_, at) => `/scop${at}`),
  )
  const descriptions = unknownMembers(body).map(({ description }) => description)
  assert.is(descriptions.length, 10)
  assert.is(descriptions[7], 'A member is unknown: did you mean scope?')
  assert.equal(descriptions.slice(8), ['A member is unknown', 'A member is unknown'])
})

Dropped('a known member that says nothing is not unknown', () => {
  assert.equal(unknownMembers({ scope: '', client_uri: '' }), [])
})

Dropped.run()
