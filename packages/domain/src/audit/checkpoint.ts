// A checkpoint lists rows by ordinal and keyed digest, and names the checkpoint before it: it is a JWS (RFC 7515) by a
// signing key of this service.
import * as O from 'fp-ts/lib/Option.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import { EpochSeconds } from '../codec/epoch-seconds.js'
import { isBase64url, octetsOf } from '../codec/base64url.js'
import { ownTokenTypes } from '../keys/unsigned-token.js'
import type { StoredAuditRow, StoredCheckpoint } from './stored-audit.js'
import type { HashText } from './audit-entry.js'

/** RFC 8725 §3.11: so that no verifier takes a checkpoint for a token. */
export const checkpointType = ownTokenTypes.auditCheckpoint

/** The maximum number of rows of a checkpoint. */
export const maxLinked = 500

const LinkedRow = t.readonly(t.tuple([t.number, t.string]))

export const CheckpointClaims = t.readonly(
  t.type({
    number: t.number,
    at: EpochSeconds,
    /** The keyed digest of the checkpoint before; empty in the first. */
    previous: t.string,
    rows: t.readonlyArray(LinkedRow),
  }),
  'CheckpointClaims',
)
export type CheckpointClaims = t.TypeOf<typeof CheckpointClaims>

/** The digest by which the next checkpoint names this one. */
export const linkOf = (hash: HashText, { jws }: Pick<StoredCheckpoint, 'jws'>): string =>
  hash(`audit checkpoint ${jws}`)

/** The claims of the checkpoint that follows, with the rows. */
export const nextCheckpoint = (
  hash: HashText,
  last: O.Option<StoredCheckpoint>,
  rows: ReadonlyArray<StoredAuditRow>,
  at: EpochSeconds,
): CheckpointClaims => ({
  number: O.isSome(last) ? last.value.number + 1 : 1,
  at,
  previous: O.isSome(last) ? linkOf(hash, last.value) : '',
  rows: rows.map(({ ordinal, mac }) => [ordinal, mac] as const),
})

/** The columns of a stored checkpoint. */
export const storedCheckpoint = ({ number, at, rows }: CheckpointClaims, jws: string): StoredCheckpoint => {
  const ordinals = rows.map(([ordinal]) => ordinal)
  return { number, at, lowest: ordinals.at(0) ?? 0, highest: ordinals.at(-1) ?? 0, jws }
}

const parsed = (text: string): O.Option<unknown> => O.tryCatch((): unknown => JSON.parse(text))

// The claims have ASCII characters only: digests, numbers and their names.
const decoded = (part: string | undefined): O.Option<unknown> =>
  part !== undefined && isBase64url(part)
    ? parsed(
        octetsOf(part)
          .map((octet) => String.fromCharCode(octet))
          .join(''),
      )
    : O.none

// Every other JWS of this service has exp, and what operators let it sign has iss, iat and exp: no checkpoint has them.
const claimNames: ReadonlyArray<string> = ['number', 'at', 'previous', 'rows'] satisfies ReadonlyArray<
  keyof CheckpointClaims
>

const hasNoOtherClaim = (claims: object): boolean => Object.keys(claims).every((name) => claimNames.includes(name))

/** The claims of a JWS, without a check of its signature; none if it is no checkpoint. */
export const readCheckpointClaims = (jws: string): O.Option<CheckpointClaims> => {
  const [header, payload, signature, ...more] = jws.split('.')
  if (signature === undefined || more.length > 0) return O.none
  const isCheckpoint = pipe(
    decoded(header),
    O.exists((value) => t.type({ typ: t.literal(checkpointType) }).is(value)),
  )
  return isCheckpoint
    ? pipe(
        decoded(payload),
        O.flatMap((value) => O.fromEither(CheckpointClaims.decode(value))),
        O.filter(hasNoOtherClaim),
      )
    : O.none
}
