// A private key of another server, tested by the operations that it is for before it is imported.
import { publicKeyFaults } from '@clientele/domain/client'
import { type RuleId, isPlainObject, ruleTexts } from '@clientele/domain/kernel'
import { type GeneratedKey, type KeyUse, encryptionRing } from '@clientele/domain/keys'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import {
  type JWK,
  CompactEncrypt,
  CompactSign,
  calculateJwkThumbprint,
  compactDecrypt,
  compactVerify,
  importJWK,
} from 'jose'
import { toGeneratedKey } from './key-maker.js'
import { isOneRsaKey } from './rsa-key.js'
import { isStrictBase64url } from './strict-base64url.js'

export type PrivateJwk = { readonly alg: string; readonly use: KeyUse; readonly key: GeneratedKey }

type Faults = ReadonlyArray<string>
type Json = Readonly<Record<string, unknown>>
type Halves = { readonly alg: string; readonly publicJwk: JWK; readonly privateJwk: JWK }

const notOneKey: Faults = ['must be one key: its private half cannot be read, or does not belong to its public half']

type KeyType = {
  /** RFC 7518 §6, RFC 8037 §2: the members of the public half, and those of the private half. */
  readonly publicMembers: ReadonlyArray<string>
  readonly privateMembers: ReadonlyArray<string>
}

export const keyTypes: ReadonlyMap<unknown, KeyType> = new Map([
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

export const fittingAlgorithms = ({ kty, crv, use }: Json): ReadonlyArray<string> => {
  const toSign = kty === 'RSA' ? rsaAlgorithms : (algorithmsOfCurve.get(crv) ?? [])
  const toEncrypt = kty === 'RSA' ? [encryptionRing.alg] : []
  if (use === 'enc') return toEncrypt
  return use === 'sig' ? toSign : [...toSign, ...toEncrypt]
}

export const picked = (key: Json, names: ReadonlyArray<string>): Json =>
  Object.fromEntries(names.filter((name) => Object.hasOwn(key, name)).map((name) => [name, key[name]]))

export const ruleText = (rule: RuleId): string => ruleTexts[rule].text

export const publicFaults = (key: Json, { publicMembers }: KeyType): Faults =>
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

export const useFaults = (key: Json): Faults => {
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

const named = (kid: unknown, { alg, publicJwk, privateJwk }: Halves): TE.TaskEither<Faults, PrivateJwk> =>
  pipe(
    TE.tryCatch(
      async () => (typeof kid === 'string' ? kid : calculateJwkThumbprint(publicJwk)),
      () => notOneKey,
    ),
    TE.flatMapEither((name) =>
      pipe(
        toGeneratedKey({ kid: name, publicJwk, privateJwk }),
        E.mapLeft(() => notOneKey),
      ),
    ),
    TE.map((key) => ({ alg, use: alg === encryptionRing.alg ? 'enc' : 'sig', key })),
  )

// For a valid key: its alg, or else the first algorithm that fits it.
const halvesOf = (key: Json, { publicMembers, privateMembers }: KeyType): Halves => {
  const fitting = fittingAlgorithms(key)
  const kty = String(key['kty'])
  return {
    alg: fitting.find((each) => each === key['alg']) ?? fitting[0] ?? '',
    publicJwk: { kty, ...picked(key, publicMembers) },
    privateJwk: { kty, ...picked(key, [...publicMembers, ...privateMembers]) },
  }
}

/** The key with its algorithm and its name, by default its thumbprint (RFC 7638); or all faults of the key. */
export const readPrivateJwk = (value: unknown): TE.TaskEither<Faults, PrivateJwk> => {
  if (!isPlainObject(value)) return TE.left(['must be an object'])
  const type = keyTypes.get(value['kty'])
  if (type === undefined) return TE.left(['kty must be RSA, EC or OKP: only these have a public half'])
  const faults = [...typeFaults(value, type), ...useFaults(value)]
  if (faults.length > 0) return TE.left(faults)
  const halves = halvesOf(value, type)
  return pipe(
    belongTogether(halves),
    TE.flatMap(() => named(value['kid'], halves)),
  )
}
