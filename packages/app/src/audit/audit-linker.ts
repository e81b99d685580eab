// Lists new rows of the audit log in signed checkpoints, and removes old ones, in the background: docs/audit.md.
import { linkOf } from '@clientele/domain/audit'
import type { EpochSeconds } from '@clientele/domain/kernel'
import { forgetAudit, linkAudit } from '@clientele/domain/operations'
import type { AuditLog, CheckpointSigner, Clock, Hashing } from '@clientele/domain/ports'
import * as E from 'fp-ts/lib/Either.js'
import type { Log } from '../observing/log.js'
import { type RepeatedPasses, createRepeatedPasses } from '../repeated-passes.js'

export type AuditLinkerOptions = {
  readonly ports: AuditLog & CheckpointSigner & Clock & Hashing
  /** The time before which rows are removed. */
  readonly removedBefore: () => EpochSeconds
  readonly log: Log
}

// Milliseconds.
const interval = 3_000
const pauseBetweenCheckpoints = 20
/** The number of failures in a row of which one is logged: each minute, as long as they last. */
const failuresOfLog = 20

type State = {
  /** The number of the last checkpoint whose rows this process removed. */
  forgotten: number
  /** The number of passes that failed since one succeeded. */
  failures: number
}

const forget = async ({ ports, removedBefore }: AuditLinkerOptions, state: State): Promise<E.Either<unknown, void>> => {
  const forgotten = await forgetAudit(ports, removedBefore(), state.forgotten)()
  if (E.isLeft(forgotten)) return forgotten
  if (forgotten.right !== undefined) state.forgotten = forgotten.right
  return E.right(undefined)
}

/** Makes a pass, and returns the milliseconds until the next one. */
const pass = async (options: AuditLinkerOptions, state: State, isStopping: () => boolean): Promise<number> => {
  const { ports, log } = options
  const failed = (detail: unknown): number => {
    if (!isStopping() && state.failures % failuresOfLog === 0)
      log.error({ detail }, 'no checkpoint of the audit log could be made; it is tried again every few seconds')
    state.failures += 1
    return interval
  }
  const linked = await linkAudit(ports)().catch((detail: unknown) => E.left({ detail }))
  if (E.isLeft(linked)) return failed(linked.left.detail)
  const { checkpoint, more } = linked.right
  if (checkpoint !== undefined)
    log.info(
      { checkpoint: checkpoint.number, digest: linkOf(ports.hashToken, checkpoint) },
      'a checkpoint of the audit log',
    )
  const removed = await forget(options, state).catch((detail: unknown) => E.left(detail))
  if (E.isLeft(removed)) return failed(removed.left)
  if (state.failures > 0) log.info({ failures: state.failures }, 'checkpoints of the audit log are made again')
  state.failures = 0
  return more ? pauseBetweenCheckpoints : interval
}

/** Its end links what is there. */
export const createAuditLinker = (options: AuditLinkerOptions): RepeatedPasses => {
  const state: State = { forgotten: 0, failures: 0 }
  // The first one at once: rows may wait since the last process ended.
  const { start, stop } = createRepeatedPasses(0, (isStopping) => pass(options, state, isStopping))
  return {
    start,
    stop: async () => {
      await stop()
      await pass(options, state, () => true)
    },
  }
}
