import fc from 'fast-check'
import * as O from 'fp-ts/lib/Option.js'
import { randomBytes } from 'node:crypto'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createSealing } from '../../src/node/seal.js'

const [oldKey, newKey] = [randomBytes(32), randomBytes(32)]
const old = createSealing(oldKey, [])

const text = fc.string({ unit: 'grapheme', maxLength: 200 })
const context = fc.string({ maxLength: 40 })

const seal = suite('seal')

seal('what was sealed opens in its context', () => {
  fc.assert(
    fc.property(text, context, (plain, where) => O.toUndefined(old.open(old.seal(plain, where), where)) === plain),
  )
})

// Sealed apart from our code, with WebCrypto: what a database holds must open for ever.
const sealedApart = [
  ['a secret', 'clients,1:a', 'v2.4cCjSTJkvL8H.CQkJCQkJCQkJCQkJnktEZaS_iTru7tnghKL92Ju_W_Vt-xSy'],
  ['Zoë "x"', 'key "quoted" \\ \n é \u{1F511}', 'v2.4cCjSTJkvL8H.CQkJCQkJCQkJCQkJpQT0q-fvlGzzGGu7Z7-70iRnsFPZ7TrI'],
] as const
const sealedEarlier = [
  ['a secret', 'client_secret of a', 'v1.fb9PWONPGurV.CQkJCQkJCQkJCQkJRqX38d2CpBVmzhXtiyOqq5shmGIBY1Yi'],
  ['Zoë "x"', 'key "quoted" \\ \n é \u{1F511}', 'v1.fb9PWONPGurV.CQkJCQkJCQkJCQkJfepHP57SuUOrTIIMUu7EMcntGxQoTfya'],
] as const

const then = createSealing(Buffer.alloc(32, 7), [])

seal('what was sealed long ago still opens', () => {
  for (const [plain, where, sealed] of sealedApart) assert.equal(then.open(sealed, where), O.some(plain))
})

seal('what was sealed before version 5 of the schema opens for its migration, and for nothing else', () => {
  for (const [plain, where, sealed] of sealedEarlier) {
    assert.equal(then.openEarlier(sealed, where), O.some(plain))
    assert.equal(then.open(sealed, where), O.none)
    assert.is(then.isCurrent(sealed), false)
  }
  for (const [, where, sealed] of sealedApart) assert.equal(then.openEarlier(sealed, where), O.none)
})

seal('what the first key sealed is current, and what others sealed is not', () => {
  const changed = createSealing(newKey, [oldKey])
  assert.equal([changed.isCurrent(changed.seal('a', 'c')), changed.isCurrent(old.seal('a', 'c'))], [true, false])
})

seal('it opens in no other context', () => {
  fc.assert(
    fc.property(text, context, context, (plain, one, other) => {
      fc.pre(one !== other)
      return O.isNone(old.open(old.seal(plain, one), other))
    }),
  )
})

seal('it opens with no other key', () => {
  const other = createSealing(newKey, [])
  fc.assert(fc.property(text, context, (plain, where) => O.isNone(other.open(old.seal(plain, where), where))))
})

seal('after a change of keys the new one seals, and what the old one sealed still opens', () => {
  const changed = createSealing(newKey, [oldKey])
  fc.assert(
    fc.property(text, context, (plain, where) => {
      const opened = O.toUndefined(changed.open(old.seal(plain, where), where))
      return opened === plain && O.isNone(old.open(changed.seal(plain, where), where))
    }),
  )
})

seal('it does not open when any one character is another', () => {
  fc.assert(
    fc.property(text, fc.nat(), fc.constantFrom(...Array.from('AZaz09_-.=!')), (plain, position, character) => {
      const sealed = old.seal(plain, 'c')
      const at = position % sealed.length
      fc.pre(sealed[at] !== character)
      return O.isNone(old.open(sealed.slice(0, at) + character + sealed.slice(at + 1), 'c'))
    }),
  )
})

seal('it does not open when it is cut short or extended', () => {
  fc.assert(
    fc.property(text, fc.nat(), (plain, length) => {
      const sealed = old.seal(plain, 'c')
      return O.isNone(old.open(sealed.slice(0, length % sealed.length), 'c')) && O.isNone(old.open(`${sealed}A`, 'c'))
    }),
  )
})

seal('anything else does not open and does not throw', () => {
  fc.assert(fc.property(fc.string(), context, (sealed, where) => O.isNone(old.open(sealed, where))))
})

seal('the same text never gives the same seal, and the seal does not show it', () => {
  const [one, other] = [old.seal('client secret', 'c'), old.seal('client secret', 'c')]
  assert.is.not(one, other)
  assert.not.ok(Buffer.from(one.split('.')[2] ?? '', 'base64url').includes('client secret'))
})

seal.run()
