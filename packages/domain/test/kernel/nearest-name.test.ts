import { law } from '@clientele/testing'
import * as fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { nearestName } from '../../src/kernel/values.js'
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

// Levenshtein's definition, without what saves work.
const distance = (one: string, other: string): number => {
  const rows = Array.from({ length: one.length + 1 }, (_, at) => [at, ...Array<number>(other.length).fill(0)])
  const row = (at: number): Array<number> => rows[at] ?? []
  for (let column = 0; column <= other.length; column += 1) row(0)[column] = column
  for (let at = 1; at <= one.length; at += 1)
    for (let column = 1; column <= other.length; column += 1) {
      const change = (row(at - 1)[column - 1] ?? 0) + (one[at - 1] === other[column - 1] ? 0 : 1)
      row(at)[column] = Math.min(change, (row(at - 1)[column] ?? 0) + 1, (row(at)[column - 1] ?? 0) + 1)
    }
  return row(one.length)[other.length] ?? 0
}

const near = fc.string({ unit: fc.constantFrom('a', 'b', 'c', '_', '😀', '\ud83d'), maxLength: 20 })

it(
  'the nearest name is the one of the least distance, within a third of it and four',
  [near, fc.array(near)],
  (word, known) => {
    const within = known
      .map((name) => ({ name, away: distance(word, name) }))
      .filter(({ name, away }) => away <= Math.min(4, Math.max(2, name.length / 3)))
      .sort((one, other) => one.away - other.away)
    assert.is(nearestName(word, known), within[0]?.name)
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

Nearest('half of a character counts as one change (a failed case of the law above)', () => {
  assert.is(nearestName('😀', ['\ud83daa']), '\ud83daa')
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
