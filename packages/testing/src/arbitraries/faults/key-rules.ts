import type { SentMetadata } from '../json-values.js'
import { type Spoiling, spoiling } from './spoiling.js'

const modulus = `u${'A'.repeat(340)}Q`
const rsa = { kty: 'RSA', n: modulus, e: 'AQAB' }
const coordinate = 'A'.repeat(43)
const ec = { kty: 'EC', crv: 'P-256', x: coordinate, y: coordinate }
const okp = { kty: 'OKP', crv: 'Ed25519', x: coordinate }

const badKey = (rule: Spoiling['fault']['rule'], member: string, key: SentMetadata): Spoiling =>
  spoiling(rule, `/jwks/keys/1${member}`, { jwks: { keys: [rsa, key] } })

const wrong = [7, null, '', 'a b', '====', 'a']

export const keyRules: ReadonlyArray<Spoiling> = [
  ...[{}, 7, null, [], { kty: 1 }].map((key) => spoiling('jwk', '/jwks/keys/0', { jwks: { keys: [key] } })),
  ...['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k', 'priv'].flatMap((name) => [
    badKey('jwk-private', `/${name}`, { ...rsa, [name]: 'AA' }),
    badKey('jwk-private', `/${name}`, { kty: 'of-tomorrow', [name]: 1 }),
  ]),
  badKey('jwk-private', '/kty', { kty: 'oct' }),
  ...wrong.map((n) => badKey('jwk-member', '/n', { ...rsa, n })),
  ...wrong.map((e) => badKey('jwk-member', '/e', { ...rsa, e })),
  // An even modulus, which is no product of two odd primes
  badKey('jwk-rsa-size', '/n', { ...rsa, n: `u${'A'.repeat(341)}` }),
  badKey('jwk-member', '/crv', { ...ec, crv: 'Ed25519' }),
  badKey('jwk-member', '/crv', { ...okp, crv: 'P-256' }),
  // 1,024 bits; 2,047 bits; many leading zeros; and more than 16,384 bits
  ...[`u${'A'.repeat(169)}Q`, `P${'A'.repeat(340)}Q`, `${'A'.repeat(341)}Q`, `u${'A'.repeat(2730)}Q`].map((n) =>
    badKey('jwk-rsa-size', '/n', { ...rsa, n }),
  ),
  // 1, 3, 65,535, 65,536, and more than 256 bits
  ...['AQ', 'Aw', '__8', 'AQAA', `AQ${'A'.repeat(42)}`].map((e) => badKey('jwk-rsa-exponent', '/e', { ...rsa, e })),
  badKey('jwk-member', '/crv', { kty: 'EC', x: coordinate, y: coordinate }),
  ...[undefined, 7, '', 'A'.repeat(42), 'A'.repeat(44)].flatMap((value) =>
    [
      badKey('jwk-member', '/x', { ...ec, x: value }),
      badKey('jwk-member', '/y', { ...ec, y: value }),
      badKey('jwk-member', '/x', { ...okp, x: value }),
    ].filter(() => value !== undefined),
  ),
  badKey('jwk-member', '/y', { kty: 'EC', crv: 'P-256', x: coordinate }),
  badKey('jwk-member', '/x', { ...ec, crv: 'P-521', y: 'A'.repeat(88) }),
  ...['use', 'alg'].map((name) => badKey('jwk-member', `/${name}`, { ...rsa, [name]: 7 })),
  ...['', 7, null, [], ['AA='], ['not base64'], ['-_-_'], Array.from({ length: 11 }, () => 'AAAA')].map((x5c) =>
    badKey('jwk-member', '/x5c', { ...rsa, x5c }),
  ),
  ...['', 7, 'two words', '../../etc/passwd', 'é', 'x'.repeat(257)].map((kid) =>
    badKey('jwk-kid', '/kid', { ...rsa, kid }),
  ),
  spoiling('jwk-kid-repeated', '/jwks/keys/1/kid', {
    jwks: {
      keys: [
        { ...rsa, kid: 'a' },
        { ...ec, kid: 'a' },
      ],
    },
  }),
]
