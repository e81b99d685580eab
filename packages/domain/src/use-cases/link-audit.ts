// Lists the latest rows of the audit log in a signed checkpoint, and removes rows by age.
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import type { HashText } from '../audit/audit-entry.js'
import { maxLinked, nextCheckpoint, storedCheckpoint } from '../audit/checkpoint.js'
import type { EpochSeconds } from '../codec/epoch-seconds.js'
import type { Unavailable } from '../errors.js'
import type { CheckpointSigner } from '../ports/audit-checkpoints.js'
import type { StoredAuditRow, StoredCheckpoint } from '../audit/stored-audit.js'
import type { AuditLog } from '../ports/audit-log.js'
import type { CredentialGenerator } from '../ports/credential-generator.js'

export type LinkAuditPorts = Pick<AuditLog, 'listUnlinked' | 'lastCheckpoint' | 'addCheckpoint'> &
  CheckpointSigner &
  Pick<CredentialGenerator, 'now'> & { readonly hashToken: HashText }

export type LinkedAudit = {
  readonly checkpoint: StoredCheckpoint | undefined
  /** Whether rows may wait for another one. */
  readonly more: boolean
}

const nothing: LinkedAudit = { checkpoint: undefined, more: false }

// Without new rows, a checkpoint is due where the key of the last one does not sign any more, so that a verifier has it.
const isDue = (
  { isByPresentKey }: CheckpointSigner,
  last: O.Option<StoredCheckpoint>,
  rows: ReadonlyArray<unknown>,
): boolean => rows.length > 0 || (O.isSome(last) && !isByPresentKey(last.value.jws))

type NextRows = { readonly rows: ReadonlyArray<StoredAuditRow>; readonly more: boolean }

/** The rows of the next checkpoint. A copy is in none: it is among the rows of one that does not list it. */
const nextRows = async (
  ports: LinkAuditPorts,
  after = Number.MIN_SAFE_INTEGER,
): Promise<E.Either<Unavailable, NextRows>> => {
  const listed = await ports.listUnlinked(after, maxLinked)()
  if (E.isLeft(listed)) return listed
  const rows = listed.right.filter(({ copied }) => !copied)
  const more = listed.right.length === maxLinked
  const last = listed.right.at(-1)
  return rows.length > 0 || !more || last === undefined ? E.right({ rows, more }) : nextRows(ports, last.ordinal)
}

/**
 * One checkpoint. Instances may make checkpoints at the same time: the store takes one with each number.
 */
export const linkAudit =
  (ports: LinkAuditPorts): TE.TaskEither<Unavailable, LinkedAudit> =>
  async () => {
    const last = await ports.lastCheckpoint()
    if (E.isLeft(last)) return last
    const listed = await nextRows(ports)
    if (E.isLeft(listed)) return listed
    const { rows, more } = listed.right
    if (!isDue(ports, last.right, rows)) return E.right(nothing)
    const claims = nextCheckpoint(ports.hashToken, last.right, rows, ports.now())
    const jws = await ports.signCheckpoint(claims)()
    if (E.isLeft(jws)) return jws
    const checkpoint = storedCheckpoint(claims, jws.right)
    const added = await ports.addCheckpoint(checkpoint)()
    if (E.isLeft(added)) return added
    return E.right({ checkpoint: added.right ? checkpoint : undefined, more })
  }

export type ForgetAuditPorts = Pick<AuditLog, 'checkpointsAfter' | 'forgetAudit'>

/**
 * Removes the rows of the earliest checkpoint of before the time, whether it did. A later checkpoint stays in any case,
 * and so does the one whose rows were removed, so that the chain begins with it.
 */
export const forgetAudit =
  (ports: ForgetAuditPorts, before: EpochSeconds, from: number): TE.TaskEither<Unavailable, number | undefined> =>
  async () => {
    const found = await ports.checkpointsAfter(from, 2)()
    if (E.isLeft(found)) return found
    const [earliest, next] = found.right
    if (earliest === undefined || next === undefined || earliest.at >= before) return E.right(undefined)
    const forgotten = await ports.forgetAudit(earliest)()
    return E.isLeft(forgotten) ? forgotten : E.right(earliest.number)
  }
