import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type ForeignKey, type NewForeignKey, addForeignKeys, maxForeignKeys } from '../../src/keys/by-operator.js'
import { publishedKeys } from '../../src/keys/published.js'
import { knownKids } from '../../src/keys/ring.js'
import { ringFaults } from '../../src/keys/signing.js'
import { newRing } from '../../src/keys/roll-over.js'
import { exampleTime, keyPolicy, law, namedKey } from '@clientele/testing'

const Foreign = suite('keys of other signers')
const it = law(Foreign)

const foreign = (kid: string): NewForeignKey => ({ kid, alg: 'ES256', jwk: namedKey(kid).jwk })
const published = (kid: string): ForeignKey => ({ ...foreign(kid), publishedAt: exampleTime })
const kid = fc.constantFrom('a', 'b', 'c', 'd', 'e')
const kids = fc.array(kid, { maxLength: 4 })
const ring = fc.tuple(keyPolicy(), kid, fc.array(kid, { maxLength: 2 })).map(([policy, current, gone]) => ({
  ...newRing(policy, exampleTime)('EdDSA', 'sig', namedKey(current)),
  forgotten: gone,
}))

it(
  'keys are published from now on, all or none, and never under a kid that is or was in the set',
  [ring, kids, kids],
  (own, present, added) => {
    const unique = [...new Set(present)].map(published)
    const decided = addForeignKeys([own], unique, exampleTime)(added.map(foreign))
    const taken = new Set([...knownKids(own), ...unique.map((key) => key.kid)])
    const isRefused = added.some((each, index) => taken.has(each) || added.indexOf(each) < index)
    assert.is(E.isLeft(decided), isRefused)
    if (E.isRight(decided)) assert.equal(decided.right, added.map(published))
  },
)

it('whatever is added, no two published keys have one kid', [ring, kids], (own, added) => {
  const decided = addForeignKeys([own], [], exampleTime)(added.map(foreign))
  const now = E.isRight(decided) ? decided.right : []
  const all = publishedKeys([own], now).keys.map((key) => key.kid)
  assert.is(new Set(all).size, all.length)
  assert.not.ok(ringFaults([own], now).some((fault) => fault.startsWith('two')))
})

Foreign('so many keys are published at most', () => {
  const present = Array.from({ length: maxForeignKeys }, (_, index) => published(`present-${index}`))
  const one = [foreign('one more')]
  assert.ok(E.isRight(addForeignKeys([], present.slice(1), exampleTime)(one)))
  assert.equal(
    addForeignKeys([], present, exampleTime)(one),
    E.left({ error: 'too_many_foreign_keys', most: maxForeignKeys }),
  )
})

Foreign('they are published as keys that verify, with their algorithm, and nothing else', () => {
  assert.equal(publishedKeys([], [published('a')]), {
    keys: [{ ...namedKey('a').jwk, kid: 'a', use: 'sig', alg: 'ES256' }],
  })
})

Foreign.run()
