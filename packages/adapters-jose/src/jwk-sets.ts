// The keys of other servers as JWK Sets (RFC 7517 §5): private keys, tested by the operations that they are for before they
// are imported, and public keys, checked as strictly.
import { publicKeyFaults } from '@clientele/domain/client'
import { type RuleId, isPlainObject, ruleTexts } from '@clientele/domain/kernel'
import {
  type ImportedKeys,
  type NewForeignKey,
  PublicJwk,
  encryptionRing,
  maxForeignKeys,
} from '@clientele/domain/keys'
import * as E from 'fp-ts/lib/Either.js'
import * as RA from 'fp-ts/lib/ReadonlyArray.js'
import * as T from 'fp-ts/lib/Task.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import {
  type JWK,
  CompactEncrypt,
  CompactSign,
  base64url,
  calculateJwkThumbprint,
  compactDecrypt,
  compactVerify,
  importJWK,
} from 'jose'
import { isStrictBase64url } from './compact-token.js'
import { toGeneratedKey } from './ring-keys.js'

type Faults = ReadonlyArray<string>
type Json = Readonly<Record<string, unknown>>
type Halves = { readonly alg: string; readonly publicJwk: JWK; readonly privateJwk: JWK }

const numberOf = (key: Json, name: string): bigint => {
  const bytes = base64url.decode(String(key[name]))
  return bytes.reduce((number, byte) => (number << 8n) | BigInt(byte), 0n)
}

/** RFC 8017 §3.2: whether the base64url members form one key with two primes. Libraries do not check all conditions. */
const isOneRsaKey = (key: Json): boolean => {
  const n = numberOf(key, 'n')
  const e = numberOf(key, 'e')
  const d = numberOf(key, 'd')
  const p = numberOf(key, 'p')
  const q = numberOf(key, 'q')
  const dp = numberOf(key, 'dp')
  const dq = numberOf(key, 'dq')
  const qi = numberOf(key, 'qi')
  return (
    p > 1n &&
    q > 1n &&
    p * q === n &&
    dp === d % (p - 1n) &&
    dq === d % (q - 1n) &&
    (e * dp) % (p - 1n) === 1n &&
    (e * dq) % (q - 1n) === 1n &&
    (qi * q) % p === 1n
  )
}

const notOneKey: Faults = ['must be one key: its private half cannot be read, or does not belong to its public half']

type KeyType = {
  /** RFC 7518 §6, RFC 8037 §2: the members of the public half, and those of the private half. */
  readonly publicMembers: ReadonlyArray<string>
  readonly privateMembers: ReadonlyArray<string>
}

const keyTypes: ReadonlyMap<unknown, KeyType> = new Map([
  ['RSA', { publicMembers: ['n', 'e'], privateMembers: ['d', 'p', 'q', 'dp', 'dq', 'qi'] }],
  ['EC', { publicMembers: ['crv', 'x', 'y'], privateMembers: ['d'] }],
  ['OKP', { publicMembers: ['crv', 'x'], privateMembers: ['d'] }],
])

// RFC 7518 §3.1, RFC 8037 §3.1: the possible algorithms of a key; the first one is the default
const rsaAlgorithms = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512']
const algorithmsOfCurve: ReadonlyMap<unknown, ReadonlyArray<string>> = new Map([
  ['P-256', ['ES256']],
  ['P-384', ['ES384']],
  ['P-521', ['ES512']],
  ['Ed25519', ['EdDSA']],
])

const fittingAlgorithms = ({ kty, crv, use }: Json): ReadonlyArray<string> => {
  const toSign = kty === 'RSA' ? rsaAlgorithms : (algorithmsOfCurve.get(crv) ?? [])
  const toEncrypt = kty === 'RSA' ? [encryptionRing.alg] : []
  if (use === 'enc') return toEncrypt
  return use === 'sig' ? toSign : [...toSign, ...toEncrypt]
}

const picked = (key: Json, names: ReadonlyArray<string>): Json =>
  Object.fromEntries(names.filter((name) => Object.hasOwn(key, name)).map((name) => [name, key[name]]))

const ruleText = (rule: RuleId): string => ruleTexts[rule].text

const publicFaults = (key: Json, { publicMembers }: KeyType): Faults =>
  publicKeyFaults(picked(key, ['kty', 'kid', 'use', 'alg', ...publicMembers])).map(({ rule, member }) =>
    [...(member === undefined ? [] : [member]), ruleText(rule)].join(' '),
  )

// Strict, because the thumbprint is computed from the text.
const isBase64url = (value: unknown): boolean => typeof value === 'string' && value !== '' && isStrictBase64url(value)

const textFaults = (key: Json, { publicMembers, privateMembers }: KeyType): Faults =>
  [...publicMembers.filter((name) => name !== 'crv'), ...privateMembers]
    .filter((name) => !isBase64url(key[name]))
    .map((name) => `${name} must be base64url without padding (RFC 7515 section 2)`)

const typeFaults = (key: Json, type: KeyType): Faults => {
  if (!Object.hasOwn(key, 'd')) return ['must be a private key, with d: this one is public']
  if (Object.hasOwn(key, 'oth')) return ['must be an RSA key of two primes, without oth']
  const faults = [...publicFaults(key, type), ...textFaults(key, type)]
  return faults.length > 0 || key['kty'] !== 'RSA' || isOneRsaKey(key) ? faults : notOneKey
}

const useFaults = (key: Json): Faults => {
  const fitting = fittingAlgorithms(key)
  const { use, alg } = key
  if (use !== undefined && use !== 'sig' && use !== 'enc') return ['use must be sig or enc']
  if (fitting.length === 0)
    return ['crv must be P-256, P-384, P-521 or Ed25519, for use sig: only RSA keys encrypt here']
  return alg === undefined || fitting.some((each) => each === alg)
    ? []
    : [`alg must fit the key and its use: ${fitting.join(', ')}`]
}

const isSame = (one: Uint8Array, other: Uint8Array): boolean =>
  one.length === other.length && one.every((byte, place) => byte === other[place])

const opensWhatIsSealed = async ({ alg, publicJwk, privateJwk }: Halves, probe: Uint8Array): Promise<boolean> => {
  const encryption = new CompactEncrypt(probe).setProtectedHeader({ alg, enc: 'A256GCM' })
  const token = await encryption.encrypt(await importJWK(publicJwk, alg))
  return isSame((await compactDecrypt(token, await importJWK(privateJwk, alg))).plaintext, probe)
}

const verifiesWhatIsSigned = async ({ alg, publicJwk, privateJwk }: Halves, probe: Uint8Array): Promise<boolean> => {
  const token = await new CompactSign(probe).setProtectedHeader({ alg }).sign(await importJWK(privateJwk, alg))
  return isSame((await compactVerify(token, await importJWK(publicJwk, alg))).payload, probe)
}

const belongTogether = (halves: Halves): TE.TaskEither<Faults, void> => {
  const works = halves.alg === encryptionRing.alg ? opensWhatIsSealed : verifiesWhatIsSigned
  return pipe(
    TE.tryCatch(
      () => works(halves, crypto.getRandomValues(new Uint8Array(32))),
      () => notOneKey,
    ),
    TE.flatMap((isOne) => (isOne ? TE.right(undefined) : TE.left(notOneKey))),
  )
}

/** The alg of a valid key, or else the first algorithm that fits it. */
const algorithmOf = (key: Json): string => {
  const fitting = fittingAlgorithms(key)
  return fitting.find((each) => each === key['alg']) ?? fitting[0] ?? ''
}

/** The name of a key, by default its thumbprint (RFC 7638). */
const kidOf = async ({ kid }: Json, publicJwk: JWK): Promise<string> =>
  typeof kid === 'string' ? kid : calculateJwkThumbprint(publicJwk)

const halvesOf = (key: Json, { publicMembers, privateMembers }: KeyType): Halves => {
  const kty = String(key['kty'])
  return {
    alg: algorithmOf(key),
    publicJwk: { kty, ...picked(key, publicMembers) },
    privateJwk: { kty, ...picked(key, [...publicMembers, ...privateMembers]) },
  }
}

/** The key with its algorithm and its name, or all faults of the key. */
const readPrivateKey = (value: unknown): TE.TaskEither<Faults, ImportedKeys> => {
  if (!isPlainObject(value)) return TE.left(['must be an object'])
  const type = keyTypes.get(value['kty'])
  if (type === undefined) return TE.left(['kty must be RSA, EC or OKP: only these have a public half'])
  const faults = [...typeFaults(value, type), ...useFaults(value)]
  if (faults.length > 0) return TE.left(faults)
  const { alg, publicJwk, privateJwk } = halvesOf(value, type)
  const failed = (): Faults => notOneKey
  return pipe(
    belongTogether({ alg, publicJwk, privateJwk }),
    TE.flatMap(() => TE.tryCatch(() => kidOf(value, publicJwk), failed)),
    TE.flatMapEither((kid) => pipe(toGeneratedKey({ kid, publicJwk, privateJwk }), E.mapLeft(failed))),
    TE.map((key) => ({ alg, keys: [key] })),
  )
}

const notReadable: Faults = ['must be a public key that can be read']

// A private member is refused, because its presence shows that the file contains private keys by mistake.
const privateFaults = (key: Json): Faults =>
  ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k', 'priv']
    .filter((name) => Object.hasOwn(key, name))
    .map((name) => `${name} must be left out: only the other signer has the private key`)

const readPublicKey = (value: unknown): TE.TaskEither<Faults, NewForeignKey> => {
  if (!isPlainObject(value)) return TE.left(['must be an object'])
  const type = keyTypes.get(value['kty'])
  if (type === undefined) return TE.left(['kty must be RSA, EC or OKP'])
  const ofUse = { ...value, use: value['use'] ?? 'sig' }
  const faults = [
    ...privateFaults(value),
    ...publicFaults(value, type),
    ...(ofUse.use === 'enc'
      ? ['use must be sig: only keys that sign are published for another signer']
      : useFaults(ofUse)),
  ]
  if (faults.length > 0) return TE.left(faults)
  const failed = (): Faults => notReadable
  return pipe(
    TE.fromEither(PublicJwk.decode({ kty: value['kty'], ...picked(value, type.publicMembers) })),
    TE.mapLeft(failed),
    TE.flatMap((jwk) =>
      pipe(
        TE.tryCatch(() => kidOf(value, { ...jwk }), failed),
        TE.map((kid) => ({ kid, alg: algorithmOf(ofUse), jwk })),
      ),
    ),
  )
}

type Placed<Key> = { readonly index: number; readonly key: Key }

/** The keys of a set in their order; or all faults of the set, `faultsAcross` the keys that are valid each by itself included. */
const readSet = <Key>(
  json: unknown,
  limits: { readonly maximum: number; readonly kind: 'private' | 'public' },
  readKey: (value: unknown) => TE.TaskEither<Faults, Key>,
  faultsAcross: (keys: ReadonlyArray<Placed<Key>>) => Faults,
): TE.TaskEither<Faults, ReadonlyArray<Key>> => {
  const { maximum, kind } = limits
  const keys = isPlainObject(json) ? json['keys'] : undefined
  if (!Array.isArray(keys) || keys.length === 0 || keys.length > maximum)
    return TE.left([`must be a JSON Web Key set: an object with the array keys, of 1 to ${maximum} ${kind} keys`])
  const values: ReadonlyArray<unknown> = keys
  return pipe(
    values,
    T.traverseSeqArrayWithIndex((index, value) =>
      pipe(
        readKey(value),
        TE.mapBoth(
          RA.map((fault) => `/keys/${index} ${fault}`),
          (key): Placed<Key> => ({ index, key }),
        ),
      ),
    ),
    T.map((each) => {
      const { left, right } = RA.separate(each)
      const faults = [...left.flat(), ...faultsAcross(right)]
      return faults.length > 0 ? E.left(faults) : E.right(right.map(({ key }) => key))
    }),
  )
}

// Compared by their final names: a key that occurs twice without a kid has one thumbprint.
const repeatedKids = (placed: ReadonlyArray<Placed<ImportedKeys>>): Faults => {
  const kids = placed.map(({ key }) => key.keys[0]?.kid ?? '')
  return placed
    .filter((_, place) => kids.indexOf(kids[place] ?? '') < place)
    .map(({ index }) => `/keys/${index} kid ${ruleText('jwk-kid-repeated')}`)
}

const maxPrivateKeys = 32

/** The private keys of the set in their order, with their algorithms; or all faults of the set. */
export const readPrivateJwkSet = (json: unknown): TE.TaskEither<Faults, ReadonlyArray<ImportedKeys>> =>
  readSet(json, { maximum: maxPrivateKeys, kind: 'private' }, readPrivateKey, repeatedKids)

/** The public keys of the set, each with the one algorithm that it verifies; or all faults of the set. */
export const readPublicJwkSet = (json: unknown): TE.TaskEither<Faults, ReadonlyArray<NewForeignKey>> =>
  readSet(json, { maximum: maxForeignKeys, kind: 'public' }, readPublicKey, () => [])
