// Keys that the operator imports or revokes, and keys of others in the published set.
import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { EpochSeconds, later } from '../kernel/time.js'
import { record } from '../kernel/values.js'
import {
  type KeyPhase,
  type KeyPolicy,
  type KeyRing,
  PublicJwk,
  cachedUntilOf,
  keysOf,
  knownKids,
  neededUntil,
} from './ring.js'
import { type GeneratedKey, type KidKnown, becomesCurrent, promote } from './roll-over.js'

// Keys of another server, imported with their names: the first of an algorithm signs, the others verify.

/** Keys of one algorithm; the first one signs. */
export type ImportedKeys = { readonly alg: string; readonly keys: ReadonlyArray<GeneratedKey> }

/** The names of the keys. */
export const kidsOf = (keys: ReadonlyArray<{ readonly kid: string }>): ReadonlyArray<string> =>
  keys.map(({ kid }) => kid)

/**
 * RFC 7517 §4.5: the first of the kids that the set has or had, or that stands there twice, because verifiers look up keys
 * by kid alone.
 */
export const repeatedKid = (
  rings: ReadonlyArray<KeyRing>,
  foreign: ReadonlyArray<ForeignKey>,
  kids: ReadonlyArray<string>,
): KidKnown | undefined => {
  const known = [...rings.flatMap(knownKids), ...kidsOf(foreign)]
  const kid = kids.find((each, index) => known.includes(each) || kids.indexOf(each) < index)
  return kid === undefined ? undefined : { error: 'kid_known', kid }
}

/**
 * Verifiers know these keys from the previous server, so that the first one signs at once. The other imported keys and
 * the keys of the ring are retired.
 */
export const importKeys =
  (policy: KeyPolicy, at: EpochSeconds) =>
  (ring: KeyRing, keys: ReadonlyArray<GeneratedKey>): E.Either<KidKnown, KeyRing> => {
    const repeated = repeatedKid([ring], [], kidsOf(keys))
    if (repeated !== undefined) return E.left(repeated)
    const [first, ...others] = keys.map((key) => ({ ...key, publishedAt: at }))
    if (first === undefined) return E.right(ring)
    const announced = ring.announced === undefined ? [] : [ring.announced.key]
    const promoted = promote(policy, at)(ring, first)
    return E.right({
      ...promoted,
      retired: [
        ...promoted.retired,
        ...[...announced, ...others].map((key) => ({
          key,
          since: at,
          forgottenAt: neededUntil(ring, policy, at),
        })),
      ],
    })
  }

/** The ring has no such key; `known` names those that it has. */
export type UnknownKid = { readonly error: 'unknown_kid'; readonly known: ReadonlyArray<string> }

/** The ring without the key, and the phase that the key was in. */
export type RevokedKey = { readonly ring: KeyRing; readonly phase: KeyPhase }

const without = (ring: KeyRing, kid: string): KeyRing => ({
  ...ring,
  announced: ring.announced?.key.kid === kid ? undefined : ring.announced,
  retired: ring.retired.filter(({ key }) => key.kid !== kid),
  forgotten: [...ring.forgotten, kid],
})

// A ring that is not open yet has signed nothing: it opens when all sets without the successor have expired from
// caches.
const opening = (ring: KeyRing, at: EpochSeconds): EpochSeconds | undefined =>
  ring.opensAt === undefined ? undefined : later(ring.opensAt, cachedUntilOf(ring, at))

/**
 * Revokes a compromised key, whose private half others may have. RFC 7517 has no revocation list, so that the key
 * leaves the set now. If it is the signing key, the announced key, or else a new one, signs now: verifiers with a
 * cached set fail until they fetch the set again.
 */
export const revoke =
  (at: EpochSeconds) =>
  (ring: KeyRing, kid: string, generated: GeneratedKey): E.Either<UnknownKid, RevokedKey> => {
    const known = keysOf(ring)
    const found = known.find(({ key }) => key.kid === kid)
    if (found === undefined) return E.left({ error: 'unknown_kid', known: known.map(({ key }) => key.kid) })
    if (found.key !== ring.current.key) return E.right({ ring: without(ring, kid), phase: found.phase })
    const successor = ring.announced?.key ?? { ...generated, publishedAt: at }
    return E.right({
      phase: ring.opensAt === undefined ? found.phase : 'announced',
      ring: {
        ...without(ring, kid),
        announced: undefined,
        current: becomesCurrent(ring.use, successor, at),
        opensAt: opening(ring, at),
      },
    })
  }

// Keys of another signer, for example of the provider beside this service. The set publishes them, so that verifiers
// find them and ID token hints of that signer are accepted. The other signer rotates them: they never sign here, and
// only the operator removes them.

/** RFC 7517 §4: a public key and the one algorithm that it verifies. */
export const ForeignKey = record('ForeignKey', {
  kid: t.string,
  alg: t.string,
  jwk: PublicJwk,
  publishedAt: EpochSeconds,
})
export interface ForeignKey extends t.TypeOf<typeof ForeignKey> {}

/** A key of another signer that the set does not contain yet. */
export type NewForeignKey = Omit<ForeignKey, 'publishedAt'>

/** A key of another signer as operators see it. */
export const ForeignKeyDescription = record('ForeignKeyDescription', {
  kid: t.string,
  alg: t.string,
  published_at: EpochSeconds,
})
export interface ForeignKeyDescription extends t.TypeOf<typeof ForeignKeyDescription> {}

export const describeForeignKey = ({ kid, alg, publishedAt }: ForeignKey): ForeignKeyDescription => ({
  kid,
  alg,
  published_at: publishedAt,
})

/** The maximum number of keys of other signers in the set. */
export const maxForeignKeys = 32

/** The set contains the maximum number of keys of other signers. */
export type TooManyForeignKeys = { readonly error: 'too_many_foreign_keys'; readonly most: number }

/** The keys as published from now on. No kid occurs twice in the set. */
export const addForeignKeys =
  (rings: ReadonlyArray<KeyRing>, present: ReadonlyArray<ForeignKey>, at: EpochSeconds) =>
  (added: ReadonlyArray<NewForeignKey>): E.Either<KidKnown | TooManyForeignKeys, ReadonlyArray<ForeignKey>> => {
    const repeated = repeatedKid(rings, present, kidsOf(added))
    if (repeated !== undefined) return E.left(repeated)
    return present.length + added.length > maxForeignKeys
      ? E.left({ error: 'too_many_foreign_keys', most: maxForeignKeys })
      : E.right(added.map((key) => ({ ...key, publishedAt: at })))
  }
