// The checkpoints of the audit log, and its verification.
import type { HashText } from '../authorization/credential.js'
import * as O from 'fp-ts/lib/Option.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import { EpochSeconds } from '../kernel/time.js'
import { decodedAscii, isBase64url } from '../kernel/values.js'
import { ownTokenTypes } from '../keys/signing.js'
import {
  type StoredAuditRow,
  type StoredCheckpoint,
  type UnlinkedAuditRow,
  columnsOf,
  macOf,
  readAuditEntry,
} from './entries.js'

// A checkpoint lists rows by ordinal and keyed digest, and names the checkpoint before it: it is a JWS (RFC 7515) by a
// signing key of this service.

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

// The claims have ASCII characters only: digests, numbers and their names.
const decoded = (part: string | undefined): O.Option<unknown> =>
  part !== undefined && isBase64url(part) ? O.tryCatch((): unknown => JSON.parse(decodedAscii(part))) : O.none

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

// Whether the rows of the audit log are those that were written. Every function is total: a row or a checkpoint with any
// content is a finding at most.

export const auditFaults = {
  edited: 'was changed after it was written',
  missing: 'is missing',
  inserted: 'was not written by this service, or was copied or moved',
  checkpoint_unreadable: 'cannot be read',
  checkpoint_edited: 'does not match its signed contents',
  checkpoint_unlinked: 'does not follow the checkpoint before it: that one was changed or removed',
  removed_early: 'is the earliest one, but is not old enough for the ones before it to have been removed by age',
  signature_invalid: 'has no valid signature by a key of this service',
  unlinked: 'waits for its checkpoint for more than a minute',
} as const

type AuditFault = keyof typeof auditFaults

/** A fault of a row, by its ordinal, or of a checkpoint, by its number. */
export type AuditFinding = {
  readonly fault: AuditFault
  readonly row?: number
  readonly checkpoint?: number
}

const hasOwnContents = (hash: HashText, row: StoredAuditRow): boolean => {
  const entry = readAuditEntry(row.entry)
  if (O.isNone(entry) || macOf(hash, row.entry) !== row.mac) return false
  const { at, client_id, actor, actor_name } = columnsOf(entry.value)
  return row.at === at && row.client_id === client_id && row.actor === actor && row.actor_name === actor_name
}

/** The times that a verification goes by. */
export type AuditTimes = {
  /** Rows that were linked before it may have been removed. */
  readonly removedBefore: EpochSeconds
  /** Rows of before it have a checkpoint. */
  readonly linkedBefore: EpochSeconds
}

/** Rows that wait for their checkpoint: each was written by this service, a short time ago. */
export const verifyUnlinked = (
  hash: HashText,
  { linkedBefore }: AuditTimes,
  rows: ReadonlyArray<UnlinkedAuditRow>,
): ReadonlyArray<AuditFinding> =>
  rows.flatMap((row): ReadonlyArray<AuditFinding> => {
    if (row.copied || !hasOwnContents(hash, row)) return [{ fault: 'inserted', row: row.ordinal }]
    return row.at < linkedBefore ? [{ fault: 'unlinked', row: row.ordinal }] : []
  })

const rowFindings = (
  hash: HashText,
  { rows: listed, number }: CheckpointClaims,
  rows: ReadonlyArray<StoredAuditRow>,
): ReadonlyArray<AuditFinding> => {
  const found = new Map(rows.map((row) => [row.ordinal, row]))
  const known = new Set(listed.map(([ordinal]) => ordinal))
  const ofListed = listed.flatMap(([ordinal, mac]): ReadonlyArray<AuditFinding> => {
    const row = found.get(ordinal)
    if (row === undefined) return [{ fault: 'missing', row: ordinal, checkpoint: number }]
    return row.mac === mac && hasOwnContents(hash, row) ? [] : [{ fault: 'edited', row: ordinal, checkpoint: number }]
  })
  const others = rows.filter(({ ordinal }) => !known.has(ordinal))
  return [
    ...ofListed,
    ...others.map(({ ordinal }): AuditFinding => ({ fault: 'inserted', row: ordinal, checkpoint: number })),
  ]
}

const isAsStored = (claims: CheckpointClaims, stored: StoredCheckpoint): boolean => {
  const { number, at, lowest, highest } = storedCheckpoint(claims, stored.jws)
  return number === stored.number && at === stored.at && lowest === stored.lowest && highest === stored.highest
}

const linkFindings = (
  hash: HashText,
  before: StoredCheckpoint | undefined,
  { number, at, previous }: CheckpointClaims,
  { removedBefore }: AuditTimes,
): ReadonlyArray<AuditFinding> => {
  if (before === undefined)
    return number === 1 || at < removedBefore ? [] : [{ fault: 'removed_early', checkpoint: number }]
  return number === before.number + 1 && previous === linkOf(hash, before)
    ? []
    : [{ fault: 'checkpoint_unlinked', checkpoint: number }]
}

/** The rows of the earliest checkpoint may have been removed by age, all of them. */
const mayLackRows = (
  before: StoredCheckpoint | undefined,
  { at }: CheckpointClaims,
  { removedBefore }: AuditTimes,
  rows: ReadonlyArray<StoredAuditRow>,
): boolean => before === undefined && at < removedBefore && rows.length === 0

/** One step of the verification: a checkpoint, with its rows, after the one before. */
export const verifyCheckpoint =
  (hash: HashText, times: AuditTimes) =>
  (
    before: StoredCheckpoint | undefined,
    checkpoint: StoredCheckpoint,
    rows: ReadonlyArray<StoredAuditRow>,
  ): ReadonlyArray<AuditFinding> => {
    const claims = readCheckpointClaims(checkpoint.jws)
    if (O.isNone(claims)) return [{ fault: 'checkpoint_unreadable', checkpoint: checkpoint.number }]
    if (!isAsStored(claims.value, checkpoint)) return [{ fault: 'checkpoint_edited', checkpoint: checkpoint.number }]
    return [
      ...linkFindings(hash, before, claims.value, times),
      ...(mayLackRows(before, claims.value, times, rows) ? [] : rowFindings(hash, claims.value, rows)),
    ]
  }

/** The verification of a whole log in memory, in the order of numbers and ordinals; a store verifies it checkpoint by checkpoint. */
export const verifyChain =
  (hash: HashText, times: AuditTimes) =>
  (checkpoints: ReadonlyArray<StoredCheckpoint>, rows: ReadonlyArray<StoredAuditRow>): ReadonlyArray<AuditFinding> => {
    const verify = verifyCheckpoint(hash, times)
    const reaches = checkpoints.map((_, place) =>
      checkpoints.slice(0, place).reduce((most, { highest }) => Math.max(most, highest), -Infinity),
    )
    const last = checkpoints.reduce((most, { highest }) => Math.max(most, highest), -Infinity)
    const findings = checkpoints.flatMap((checkpoint, place) => {
      const own = rows.filter(({ ordinal }) => ordinal > (reaches[place] ?? 0) && ordinal <= checkpoint.highest)
      return verify(checkpoints[place - 1], checkpoint, own)
    })
    return [
      ...findings,
      ...verifyUnlinked(
        hash,
        times,
        rows
          .filter(({ ordinal }) => ordinal > last)
          .map((row) => ({
            ...row,
            copied: rows.some(({ mac, ordinal }) => mac === row.mac && ordinal < row.ordinal),
          })),
      ),
    ]
  }
