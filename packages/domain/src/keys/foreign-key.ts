// Keys of another signer, for example of the provider beside this service. The set publishes them, so that verifiers
// find them and ID token hints of that signer are accepted. The other signer rotates them: they never sign here, and
// only the operator removes them.
import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { EpochSeconds } from '../codec/epoch-seconds.js'
import { type KeyRing, knownKids } from './key-ring.js'
import { PublicJwk } from './public-jwk.js'
import type { KidKnown } from './roll-over.js'

/** RFC 7517 §4: a public key and the one algorithm that it verifies. */
export const ForeignKey = t.readonly(
  t.exact(t.type({ kid: t.string, alg: t.string, jwk: PublicJwk, publishedAt: EpochSeconds })),
  'ForeignKey',
)
export interface ForeignKey extends t.TypeOf<typeof ForeignKey> {}

/** A key of another signer that the set does not contain yet. */
export type NewForeignKey = Omit<ForeignKey, 'publishedAt'>

/** A key of another signer as operators see it. */
export const ForeignKeyDescription = t.readonly(
  t.exact(t.type({ kid: t.string, alg: t.string, published_at: EpochSeconds })),
  'ForeignKeyDescription',
)
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

/** The keys as published from now on. No kid occurs twice in the set, because verifiers look up keys by kid alone. */
export const addForeignKeys =
  (rings: ReadonlyArray<KeyRing>, present: ReadonlyArray<ForeignKey>, at: EpochSeconds) =>
  (added: ReadonlyArray<NewForeignKey>): E.Either<KidKnown | TooManyForeignKeys, ReadonlyArray<ForeignKey>> => {
    const known = new Set([...rings.flatMap(knownKids), ...present.map(({ kid }) => kid)])
    const kids = added.map(({ kid }) => kid)
    const repeated = kids.find((kid, index) => known.has(kid) || kids.indexOf(kid) < index)
    if (repeated !== undefined) return E.left({ error: 'kid_known', kid: repeated })
    return present.length + added.length > maxForeignKeys
      ? E.left({ error: 'too_many_foreign_keys', most: maxForeignKeys })
      : E.right(added.map((key) => ({ ...key, publishedAt: at })))
  }
