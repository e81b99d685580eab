// Keys of another signer, such as the provider beside this service: published in the set, so that verifiers find them there and
// ID token hints count. The other signer rolls them over, so that they neither sign here nor leave the set by a schedule.
import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { EpochSeconds } from '../codec/epoch-seconds.js'
import { type KeyRing, knownKids } from './key-ring.js'
import { PublicJwk } from './public-jwk.js'
import type { KidKnown } from './roll-over.js'

/** RFC 7517 §4: a public key with the one algorithm that it verifies. */
export const ForeignKey = t.readonly(
  t.exact(t.type({ kid: t.string, alg: t.string, jwk: PublicJwk, publishedAt: EpochSeconds })),
  'ForeignKey',
)
export interface ForeignKey extends t.TypeOf<typeof ForeignKey> {}

/** A key of another signer that the set does not hold yet. */
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

/** So many keys of other signers the set holds at most. */
export const maxForeignKeys = 32

/** The set holds as many keys of other signers as it can. */
export type TooManyForeignKeys = { readonly error: 'too_many_foreign_keys'; readonly most: number }

/** The keys as they are published from now on: no kid comes twice in the set, as verifiers look a key up by its kid alone. */
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
