import { law } from '@clientele/testing'
import * as fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { nearestName } from '../../src/codec/nearest-name.js'
import { members } from '../../src/client/members.js'

const Nearest = suite('nearestName')
const it = law(Nearest)

const text = fc.string({ unit: 'binary', maxLength: 40 })
const names = Object.keys(members)

it('any word whatever is like one of the names, or like none', [text, fc.array(text)], (word, known) => {
  const nearest = nearestName(word, known)
  assert.ok(nearest === undefined || known.includes(nearest))
})

it(
  'a known name is nearest to itself, whatever stands beside it',
  [fc.array(text, { minLength: 1 }), fc.nat()],
  (known, at) => {
    const name = known[at % known.length] ?? ''
    assert.is(nearestName(name, known), name)
  },
)

const edit = fc
  .tuple(fc.constantFrom(...names), fc.nat(), fc.nat(1), fc.constantFrom('', 'x', '_'))
  .map(([name, at, length, by]) => {
    const index = at % (name.length + 1)
    return { name, word: name.slice(0, index) + by + name.slice(index + length) }
  })

it('of a member with one slip, a name is found that is as near', [edit], ({ name, word }) => {
  const nearest = nearestName(word, names)
  // A slip can make another name: with _enc for _alg it does not.
  assert.ok(nearest === name || (nearest !== undefined && Math.abs(nearest.length - word.length) <= 1))
})

for (const [word, name] of [
  ['scpoe', 'scope'],
  ['clientname', 'client_name'],
  ['clientName', 'client_name'],
  ['redirectURIs', 'redirect_uris'],
  ['response_type', 'response_types'],
  ['is_admin', undefined],
  ['', undefined],
] as const)
  Nearest(`${word} may mean ${name ?? 'no member'}`, () => {
    assert.is(nearestName(word, names), name)
  })

Nearest.run()
