import { PublicJwk } from '@clientele/domain/keys'
import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { readPrivateJwkSet } from '../src/jwk-sets.js'
import { type Jwk, keyFor, privateJwk, secretsOf, tellsNothing } from '../../adapters-http/test/support/keys.js'

const set = suite('private JWK set, of any values')

const keys = await Promise.all(['RS256', 'ES256', 'ES512', 'EdDSA'].map((alg) => keyFor(alg).then(privateJwk)))
const secrets = keys.flatMap(secretsOf)

const stored = ['kty', 'n', 'e', 'crv', 'x', 'y', 'd', 'p', 'q', 'dp', 'dq', 'qi']

/** Any value gets an answer: faults that reveal nothing of a private half, or keys with known members only. */
const isAnswered = async (json: unknown): Promise<'taken' | 'refused'> => {
  const outcome = await readPrivateJwkSet(json)()
  if (E.isLeft(outcome)) {
    assert.ok(outcome.left.length > 0)
    for (const fault of outcome.left) {
      assert.match(fault, /^(?:\/keys\/\d+ |must be a JSON Web Key set)[\x20-\x7E]+$/)
      tellsNothing(fault, secrets)
    }
    return 'refused'
  }
  for (const { kid, jwk, privateKey } of outcome.right.flatMap((imported) => imported.keys)) {
    assert.type(kid, 'string')
    assert.equal(E.toUnion(PublicJwk.decode(jwk)), jwk)
    tellsNothing(JSON.stringify(jwk), secrets)
    for (const name of Object.keys(privateJwk({ kid, jwk, privateKey }))) assert.ok(stored.includes(name), name)
  }
  return 'taken'
}

const members = ['kty', 'kid', 'use', 'alg', 'key_ops', 'ext', 'oth', 'k', ...stored.slice(1)]
const wrong: ReadonlyArray<unknown> = [[], {}, 1, true, null, '', ['sig']]

set('a member of a wrong type never throws, in a key of any type', async () => {
  for (const key of keys)
    for (const member of members) for (const value of wrong) await isAnswered({ keys: [{ ...key, [member]: value }] })
})

set('a member of the public half, or the name, of a wrong type is refused', async () => {
  for (const key of keys)
    for (const member of ['kty', 'crv', 'n', 'e', 'x', 'y', 'kid', 'use', 'alg'].filter(
      (name) => Object.hasOwn(key, name) || ['kid', 'use', 'alg'].includes(name),
    ))
      for (const value of wrong)
        assert.is(
          await isAnswered({ keys: [{ ...key, [member]: value }] }),
          'refused',
          `${String(key['kty'])} ${member} ${JSON.stringify(value)}`,
        )
})

set('two members of wrong types never throw either', () =>
  fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...keys),
      fc.dictionary(fc.constantFrom(...members), fc.constantFrom(...wrong), { minKeys: 2, maxKeys: 4 }),
      async (key, spoiled) => {
        await isAnswered({ keys: [{ ...key, ...spoiled }] })
      },
    ),
  ),
)

set('a type or a curve that cannot be made text does not throw', async () => {
  const odd = { toString: 1, valueOf: 1 }
  for (const key of [{ kty: 'EC', crv: odd }, { kty: odd }, { kty: 'RSA', crv: Object.create(null) }])
    await isAnswered({ keys: [key] })
})

set('a member of any value never throws', () =>
  fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...keys),
      fc.constantFrom(...members),
      fc.anything({ withDate: true, withNullPrototype: true, withObjectString: true }),
      async (key, member, value) => {
        await isAnswered({ keys: [{ ...key, [member]: value }] })
      },
    ),
  ),
)

set('a type and a curve of any text never throw, and are not taken but as they are', () =>
  fc.assert(
    fc.asyncProperty(fc.constantFrom(...keys), fc.string(), fc.string(), async (key, kty, crv) => {
      assert.is(await isAnswered({ keys: [{ ...key, kty }] }), kty === key['kty'] ? 'taken' : 'refused')
      if (key['kty'] !== 'RSA') assert.is(await isAnswered({ keys: [{ ...key, crv }] }), 'refused')
    }),
  ),
)

const anyKey = (): fc.Arbitrary<unknown> =>
  fc.oneof(
    fc.anything(),
    fc.constantFrom(...keys),
    fc
      .tuple(fc.constantFrom(...keys), fc.constantFrom(...keys), fc.subarray(members))
      .map(([one, other, names]): Jwk => {
        const taken = names.filter((name) => Object.hasOwn(other, name)).map((name) => [name, other[name]])
        return { ...one, ...Object.fromEntries(taken) }
      }),
  )

set('a set of any values, and of keys that are mixed of two, never throws', () =>
  fc.assert(
    fc.asyncProperty(fc.array(anyKey(), { maxLength: 4 }), async (values) => {
      await isAnswered({ keys: values })
    }),
  ),
)

set('any value never throws, and is no set', () =>
  fc.assert(
    fc.asyncProperty(fc.anything({ withNullPrototype: true }), async (value) => {
      assert.is(await isAnswered(value), 'refused')
      assert.is(await isAnswered({ keys: value }), 'refused')
    }),
  ),
)

set.run()
