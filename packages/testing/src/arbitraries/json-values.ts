import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import { isJsonObject, maxDepth, parseWellFormedJson } from '@clientele/domain/kernel'

const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

const bitsOf = (byte: number): string => byte.toString(2).padStart(8, '0')

/** RFC 4648 §5, without padding; by hand, because not every runtime has a Buffer. */
export const base64urlOf = (bytes: Uint8Array): string => {
  const sextets =
    Array.from(bytes, bitsOf)
      .join('')
      .match(/.{1,6}/g) ?? []
  return sextets.map((sextet) => digits.charAt(parseInt(sextet.padEnd(6, '0'), 2))).join('')
}

/** A body as a client sends it. */
export type SentMetadata = Readonly<Record<string, unknown>>

const isVisible = (made: string): boolean => /\S/.test(made) && !/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u.test(made)

/** Text for people in any script: visible, without control characters. */
export const humanReadableText = (): fc.Arbitrary<string> =>
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }).filter((made) => made.length <= 200 && isVisible(made))

/** A language tag of RFC 5646, with various scripts, variants and private uses. */
export const languageTag = (): fc.Arbitrary<string> =>
  fc.constantFrom('fr', 'de-AT', 'ja-Jpan-JP', 'zh-Hant', 'sl-rozaj-biske', 'x-private', 'i-klingon', 'en-a-bbb-x-a')

/** Any JSON object that is valid custom data. */
export const customData = (): fc.Arbitrary<SentMetadata> =>
  fc
    .dictionary(fc.string({ unit: 'grapheme', maxLength: 8 }), fc.jsonValue({ maxDepth: 3 }), {
      maxKeys: 4,
      noNullPrototype: true,
    })
    .filter((made) => isJsonObject(maxDepth)(made) && E.isRight(parseWellFormedJson(JSON.stringify(made))))

const bytes = (count: number): fc.Arbitrary<string> =>
  fc.uint8Array({ minLength: count, maxLength: count }).map(base64urlOf)

// RFC 7518 §6.3.1.1: the modulus has no leading zero byte, and the product of two primes is odd
const modulus = (): fc.Arbitrary<string> =>
  fc.constantFrom(256, 384, 512).chain((count) =>
    fc.uint8Array({ minLength: count, maxLength: count }).map((made) => {
      const [first = 0, ...rest] = made
      return base64urlOf(Uint8Array.of(first | 0x80, ...rest.slice(0, -1), (rest.at(-1) ?? 0) | 1))
    }),
  )

const publicKey = (): fc.Arbitrary<SentMetadata> =>
  fc.oneof(
    fc.record({ kty: fc.constant('RSA'), n: modulus(), e: fc.constant('AQAB'), use: fc.constantFrom('sig', 'enc') }),
    fc.record({ kty: fc.constant('EC'), crv: fc.constant('P-256'), x: bytes(32), y: bytes(32) }),
    fc.record({ kty: fc.constant('OKP'), crv: fc.constant('Ed25519'), x: bytes(32), alg: fc.constant('EdDSA') }),
    fc.constant({ kty: 'a-type-of-tomorrow', pub: 'AA' }),
  )

/** A JSON Web Key set of up to three valid public keys: RSA, EC, OKP, or of an unknown type. */
export const jsonWebKeySet = (minLength = 0): fc.Arbitrary<SentMetadata> =>
  fc.array(fc.tuple(publicKey(), fc.boolean()), { minLength, maxLength: 3 }).map((keys) => ({
    keys: keys.map(([key, named], index) => (named ? { ...key, kid: `key-${index}` } : { ...key })),
  }))

type Parts = Readonly<Record<string, fc.Arbitrary<unknown>>>

/** Some of the members, or none. */
export const someOf = (members: Parts): fc.Arbitrary<SentMetadata> =>
  fc.record(members, { requiredKeys: [], noNullPrototype: true })

export const allOf = (members: Parts): fc.Arbitrary<SentMetadata> => fc.record(members, { noNullPrototype: true })

export const together = (...parts: ReadonlyArray<fc.Arbitrary<SentMetadata>>): fc.Arbitrary<SentMetadata> =>
  fc.tuple(...parts).map((made) => {
    const all: Record<string, unknown> = {}
    for (const part of made) Object.assign(all, part)
    return all
  })

export const list = (
  entry: fc.Arbitrary<string>,
  minLength: number,
  maxLength = 3,
): fc.Arbitrary<ReadonlyArray<string>> => fc.uniqueArray(entry, { minLength, maxLength })
