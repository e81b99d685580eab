import { done } from '@clientele/testing'
import fc from 'fast-check'
import * as O from 'fp-ts/lib/Option.js'
import { randomBytes } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createEncryption, createNonces } from '../../src/node/encryption.js'

const oldKey = randomBytes(32)
const newKey = randomBytes(32)
const encryptionBy = (...[first = oldKey, ...others]: ReadonlyArray<Buffer>) => {
  const { seal, open, isCurrent } = createEncryption(first, others)
  return {
    seal: (plain: string, context: string) => done(seal(plain, context)),
    open: (sealed: string, context: string) => done(open(sealed, context)),
    isCurrent: (sealed: string) => done(isCurrent(sealed)),
  }
}
const old = encryptionBy(oldKey)

const text = fc.string({ unit: 'grapheme', maxLength: 200 })
const context = fc.string({ maxLength: 40 })

const encryption = suite('encryption')

encryption('what was sealed opens in its context', () =>
  fc.assert(
    fc.asyncProperty(
      text,
      context,
      async (plain, where) => O.toUndefined(await old.open(await old.seal(plain, where), where)) === plain,
    ),
  ),
)

// docs/decisions/sealed-values.md
const sealedText = fc.tuple(text, context)
const nonceIn = (sealed: string) => Buffer.from(sealed.split('.')[2] ?? '', 'base64url').toString('hex', 0, 12)

encryption('two copies of a memory image have one nonce only where they seal one text in one context', () =>
  fc.assert(
    fc.property(
      fc.uint8Array({ minLength: 32, maxLength: 32 }),
      fc.array(fc.tuple(sealedText, fc.oneof(sealedText, fc.constant(undefined))), { maxLength: 8 }),
      (secret, steps) => {
        const one = createNonces(Buffer.from(secret))
        const other = createNonces(Buffer.from(secret))
        return steps.every(
          ([here, there = here]) => one(...here).equals(other(...there)) === isDeepStrictEqual(here, there),
        )
      },
    ),
  ),
)

encryption('the end of a context and the beginning of a text are kept apart', () => {
  const one = createNonces(oldKey)
  const other = createNonces(oldKey)
  assert.not.equal(one('bc', 'a'), other('c', 'ab'))
  assert.not.equal(one('1.a', ''), other('', '1.a'))
})

encryption('no nonce comes again, for the same text either', async () => {
  const sealed = await Promise.all(Array.from({ length: 1000 }, () => old.seal('a secret', 'where')))
  assert.is(new Set(sealed.map(nonceIn)).size, 1000)
})

// Sealed by independent code, with WebCrypto: later versions must decrypt the values of existing databases.
const sealedApart = [
  ['a secret', 'clients,1:a', 'v2.4cCjSTJkvL8H.CQkJCQkJCQkJCQkJnktEZaS_iTru7tnghKL92Ju_W_Vt-xSy'],
  ['Zoë "x"', 'key "quoted" \\ \n é \u{1F511}', 'v2.4cCjSTJkvL8H.CQkJCQkJCQkJCQkJpQT0q-fvlGzzGGu7Z7-70iRnsFPZ7TrI'],
] as const

const then = encryptionBy(Buffer.alloc(32, 7))

encryption('what was sealed long ago still opens', async () => {
  for (const [plain, where, sealed] of sealedApart) assert.equal(await then.open(sealed, where), O.some(plain))
})

encryption('what the first key sealed is current, and what others sealed is not', async () => {
  const changed = encryptionBy(newKey, oldKey)
  assert.is(await changed.isCurrent(await changed.seal('a', 'c')), true)
  assert.is(await changed.isCurrent(await old.seal('a', 'c')), false)
})

encryption('it opens in no other context', () =>
  fc.assert(
    fc.asyncProperty(text, context, context, async (plain, one, other) => {
      fc.pre(one !== other)
      return O.isNone(await old.open(await old.seal(plain, one), other))
    }),
  ),
)

encryption('it opens with no other key', () => {
  const other = encryptionBy(newKey)
  return fc.assert(
    fc.asyncProperty(text, context, async (plain, where) =>
      O.isNone(await other.open(await old.seal(plain, where), where)),
    ),
  )
})

encryption('after a change of keys the new one seals, and what the old one sealed still opens', () => {
  const changed = encryptionBy(newKey, oldKey)
  return fc.assert(
    fc.asyncProperty(text, context, async (plain, where) => {
      const opened = O.toUndefined(await changed.open(await old.seal(plain, where), where))
      return opened === plain && O.isNone(await old.open(await changed.seal(plain, where), where))
    }),
  )
})

encryption('it does not open when any one character is another', () =>
  fc.assert(
    fc.asyncProperty(
      text,
      fc.nat(),
      fc.constantFrom(...Array.from('AZaz09_-.=!')),
      async (plain, position, character) => {
        const sealed = await old.seal(plain, 'c')
        const at = position % sealed.length
        fc.pre(sealed[at] !== character)
        return O.isNone(await old.open(sealed.slice(0, at) + character + sealed.slice(at + 1), 'c'))
      },
    ),
  ),
)

encryption('it does not open when it is cut short or extended', () =>
  fc.assert(
    fc.asyncProperty(text, fc.nat(), async (plain, length) => {
      const sealed = await old.seal(plain, 'c')
      const shortened = await old.open(sealed.slice(0, length % sealed.length), 'c')
      return O.isNone(shortened) && O.isNone(await old.open(`${sealed}A`, 'c'))
    }),
  ),
)

encryption('anything else does not open and does not throw', () =>
  fc.assert(fc.asyncProperty(fc.string(), context, async (sealed, where) => O.isNone(await old.open(sealed, where)))),
)

encryption('the same text never gives the same seal, and the seal does not show it', async () => {
  const one = await old.seal('client secret', 'c')
  const other = await old.seal('client secret', 'c')
  assert.is.not(one, other)
  assert.not.ok(Buffer.from(one.split('.')[2] ?? '', 'base64url').includes('client secret'))
})

encryption.run()
