import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import { type AuditFinding, type AuditTimes, linkOf, verifyCheckpoint, verifyUnlinked } from '../audit/checkpoints.js'
import type { StoredAuditRow, StoredCheckpoint } from '../audit/entries.js'
import type { ForOperator, HashText } from '../authorization/credential.js'
import { type InvalidRequest, invalidRequest } from '../kernel/refusals.js'
import type { Answer, CheckpointVerifier, Hashing } from '../ports/outside.js'
import type { AuditLog } from '../ports/store.js'

// Verifies the audit log in steps: first the checkpoints with their rows, then the rows that wait for one. Memory and the
// duration of a step are bounded, whatever the log has.

export type VerifyAuditPorts = AuditLog & CheckpointVerifier & Hashing & { readonly times: () => AuditTimes }

const Finding = t.intersection([t.type({ fault: t.string }), t.partial({ row: t.number, checkpoint: t.number })])

/** What a step of a verification found; the first findings only. */
export const AuditVerification = t.readonly(
  t.intersection([
    t.type({
      findings: t.readonlyArray(Finding),
      /** The numbers of checkpoints, of rows in them, and of rows that wait for one, that this step verified. */
      checkpoints: t.number,
      rows: t.number,
      waiting: t.number,
      /** The last checkpoint of the step and its digest, for comparison with a record of it elsewhere. */
      last: t.union([t.null, t.type({ number: t.number, at: t.number, digest: t.string })]),
      /** The number of the last checkpoint of the log, 0 without one. */
      latest: t.number,
      /** Whether this step found a checkpoint with the requested digest; null where none was requested. */
      contains: t.union([t.null, t.boolean]),
    }),
    /** The value of `after` for the next step; left out when the whole log is verified. */
    t.partial({ next: t.string }),
  ]),
  'AuditVerification',
)
export type AuditVerification = t.TypeOf<typeof AuditVerification>

/** The maximum number of findings of a step, beside that of the signature. */
export const maxFindings = 100

/** What a store reads at once, so that no statement takes long. */
const checkpointsAtOnce = 100
const rowsAtOnce = 500

/** What a step verifies before it ends: some tenths of a second. */
const maxRows = 10_000
const maxCheckpoints = 2_000

// Below every number of a checkpoint and ordinal of a row.
const lowest = Number.MIN_SAFE_INTEGER

/** Where a step begins: after a row, and after a checkpoint unless only rows that wait for one are left. */
type Start = { readonly row: number; readonly checkpoint?: number | undefined }

const startOf = (after: string | undefined): Start | undefined => {
  if (after === undefined) return { checkpoint: lowest, row: lowest }
  const [, , checkpoint, row] = /^(checkpoint-(-?\d{1,16})-)?row-(-?\d{1,16})$/.exec(after) ?? []
  if (row === undefined) return undefined
  return { checkpoint: checkpoint === undefined ? undefined : Number(checkpoint), row: Number(row) }
}

const textOf = ({ checkpoint, row }: Start): string =>
  `${checkpoint === undefined ? '' : `checkpoint-${checkpoint}-`}row-${row}`

/** What a step has verified so far. */
type Step = Pick<AuditVerification, 'checkpoints' | 'rows' | 'waiting'> & {
  readonly findings: ReadonlyArray<AuditFinding>
  readonly last: StoredCheckpoint | undefined
  readonly contains: boolean
  /** The highest row of the checkpoints so far. */
  readonly reached: number
  /** Rows above it that were read and are not verified yet. */
  readonly read: ReadonlyArray<StoredAuditRow>
  /** Where the next step begins, once this one is over. */
  readonly next: Start | undefined
}

const isOver = ({ checkpoints, rows, waiting }: Step): boolean =>
  checkpoints >= maxCheckpoints || rows + waiting >= maxRows

const withFindings = (step: Step, found: ReadonlyArray<AuditFinding>): Step =>
  found.length === 0 ? step : { ...step, findings: [...step.findings, ...found].slice(0, maxFindings) }

// Rows that the checkpoint does not list are findings, of which some are enough.
const kept = (
  rows: ReadonlyArray<StoredAuditRow>,
  more: ReadonlyArray<StoredAuditRow>,
  { lowest: from }: StoredCheckpoint,
): ReadonlyArray<StoredAuditRow> => [
  ...rows,
  ...more.filter(({ ordinal }, place) => rows.length + place < maxFindings || ordinal >= from),
]

type Taken = { readonly step: Step; readonly rows: ReadonlyArray<StoredAuditRow> }

/** Takes the next rows, up to the highest of the checkpoint. */
const takeRows = (ports: VerifyAuditPorts, checkpoint: StoredCheckpoint, { step, rows }: Taken): Answer<Taken> => {
  const above = step.read.findIndex(({ ordinal }) => ordinal > checkpoint.highest)
  const own = above === -1 ? step.read : step.read.slice(0, above)
  const read = step.read.slice(own.length)
  const reached = Math.max(step.reached, own.at(-1)?.ordinal ?? step.reached)
  const taken: Taken = { step: { ...step, read, reached }, rows: kept(rows, own, checkpoint) }
  if (read.length > 0 || reached >= checkpoint.highest) return TE.right(taken)
  return pipe(
    ports.listRows(reached, rowsAtOnce),
    TE.flatMap((found) =>
      found.length === 0
        ? TE.right(taken)
        : takeRows(ports, checkpoint, { step: { ...taken.step, read: found }, rows: taken.rows }),
    ),
  )
}

// Its rows were removed by age after they had been looked for: then it has become the earliest, or is gone.
const wasForgotten = (
  { checkpointsAfter }: VerifyAuditPorts,
  before: StoredCheckpoint | undefined,
  { number }: StoredCheckpoint,
): Answer<boolean> =>
  pipe(
    checkpointsAfter(lowest, 1),
    TE.map(([earliest]) => {
      if (earliest === undefined || earliest.number < number) return false
      return earliest.number > number || before !== undefined
    }),
  )

const findingsOf = (
  ports: VerifyAuditPorts,
  before: StoredCheckpoint | undefined,
  checkpoint: StoredCheckpoint,
  rows: ReadonlyArray<StoredAuditRow>,
): Answer<ReadonlyArray<AuditFinding>> => {
  const times = ports.times()
  const all = verifyCheckpoint(ports.hashToken, times)(before, checkpoint, rows)
  return checkpoint.at >= times.removedBefore || !all.some(({ fault }) => fault === 'missing')
    ? TE.right(all)
    : pipe(
        wasForgotten(ports, before, checkpoint),
        TE.map((forgotten) => (forgotten ? all.filter(({ fault }) => fault !== 'missing') : all)),
      )
}

const verifyNext =
  (ports: VerifyAuditPorts, digest: string | undefined) =>
  (checkpoint: StoredCheckpoint) =>
  (before: Step): Answer<Step> =>
    isOver(before)
      ? TE.right(before)
      : pipe(
          takeRows(ports, checkpoint, { step: before, rows: [] }),
          TE.flatMap(({ step, rows }) =>
            pipe(
              findingsOf(ports, step.last, checkpoint, rows),
              TE.map((found) => ({
                ...withFindings(step, found),
                checkpoints: step.checkpoints + 1,
                rows: step.rows + rows.length,
                last: checkpoint,
                reached: Math.max(step.reached, checkpoint.highest),
                contains: step.contains || (digest !== undefined && linkOf(ports.hashToken, checkpoint) === digest),
              })),
            ),
          ),
        )

// The signature of the last checkpoint covers all before it, which each names by its digest.
const verifySignature = ({ isSignedCheckpoint }: VerifyAuditPorts, step: Step): Answer<Step> => {
  const { last } = step
  return last === undefined
    ? TE.right(step)
    : pipe(
        TE.fromTask(isSignedCheckpoint(last.jws)),
        TE.map((isSigned) =>
          isSigned
            ? step
            : { ...step, findings: [...step.findings, { fault: 'signature_invalid', checkpoint: last.number }] },
        ),
      )
}

/** Verifies the rows without a checkpoint that follow the start, to the end of the step. */
const verifyWaiting =
  (ports: VerifyAuditPorts, after: number) =>
  (step: Step): Answer<Step> =>
    isOver(step)
      ? TE.right({ ...step, next: { row: after } })
      : pipe(
          ports.listUnlinked(after, rowsAtOnce),
          TE.flatMap((rows) => {
            const waiting = step.waiting + rows.length
            const verified = { ...withFindings(step, verifyUnlinked(ports.hashToken, ports.times(), rows)), waiting }
            const last = rows.at(-1)
            return last === undefined ? TE.right(verified) : verifyWaiting(ports, last.ordinal)(verified)
          }),
        )

/** Verifies the checkpoints after a number, and then what waits for one, to the end of the step. */
const verifyLinked =
  (ports: VerifyAuditPorts, digest: string | undefined, after: number) =>
  (step: Step): Answer<Step> => {
    const number = step.last?.number ?? after
    if (isOver(step)) return TE.right({ ...step, next: { checkpoint: number, row: step.reached } })
    return pipe(
      ports.checkpointsAfter(number, checkpointsAtOnce),
      TE.flatMap((page) =>
        page.length > 0
          ? pipe(
              page
                .map(verifyNext(ports, digest))
                .reduce<Answer<Step>>((so, next) => TE.flatMap(next)(so), TE.right(step)),
              TE.flatMap(verifyLinked(ports, digest, after)),
            )
          : pipe(verifySignature(ports, step), TE.flatMap(verifyWaiting(ports, step.reached))),
      ),
    )
  }

const beginning: Step = {
  findings: [],
  checkpoints: 0,
  rows: 0,
  waiting: 0,
  last: undefined,
  contains: false,
  reached: lowest,
  read: [],
  next: undefined,
}

const verifyFrom = (ports: VerifyAuditPorts, digest: string | undefined, { checkpoint, row }: Start): Answer<Step> =>
  checkpoint === undefined
    ? verifyWaiting(ports, row)(beginning)
    : pipe(
        ports.checkpointsAfter(checkpoint - 1, 1),
        TE.map((found) => found.find(({ number }) => number === checkpoint)),
        TE.map((last): Step => ({ ...beginning, last, reached: row })),
        TE.flatMap(verifyLinked(ports, digest, checkpoint)),
      )

const verificationOf = (
  hash: HashText,
  digest: string | undefined,
  { findings, checkpoints, rows, waiting, last, contains, next }: Step,
  latest: number,
): AuditVerification => ({
  findings,
  checkpoints,
  rows,
  waiting,
  last: last === undefined ? null : { number: last.number, at: last.at, digest: linkOf(hash, last) },
  latest,
  contains: digest === undefined ? null : contains,
  ...(next === undefined ? {} : { next: textOf(next) }),
})

export type VerifyAuditRequest = {
  /** The digest of a checkpoint that the log must contain, from a record of it elsewhere. */
  readonly digest?: string | undefined
  /** `next` of the step before; left out for the first step. */
  readonly after?: string | undefined
}

/** One step; the log is verified when a step has no next one. */
export const verifyAudit =
  (
    ports: VerifyAuditPorts,
  ): ForOperator<'audit', (request: VerifyAuditRequest) => Answer<AuditVerification, InvalidRequest>> =>
  () =>
  ({ digest, after }) => {
    const start = startOf(after)
    return start === undefined
      ? TE.left(invalidRequest('after must be the next of an earlier step'))
      : pipe(
          verifyFrom(ports, digest, start),
          TE.flatMap((step) =>
            pipe(
              ports.lastCheckpoint,
              TE.map(
                O.match(
                  () => 0,
                  ({ number }) => number,
                ),
              ),
              TE.map((latest) => verificationOf(ports.hashToken, digest, step, latest)),
            ),
          ),
        )
  }
