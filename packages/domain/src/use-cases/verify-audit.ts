// Verifies the audit log in steps: first the checkpoints with their rows, then the rows that wait for one. Memory and the
// duration of a step are bounded, whatever the log has.
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import type { HashText } from '../audit/audit-entry.js'
import { linkOf } from '../audit/checkpoint.js'
import {
  type AuditFinding,
  type AuditTimes,
  strayFindings,
  verifyCheckpoint,
  verifyUnlinked,
} from '../audit/verify-audit.js'
import type { ForOperator } from '../authorization/operator.js'
import { type InvalidRequest, type Unavailable, invalidRequest } from '../errors.js'
import type { CheckpointVerifier } from '../ports/audit-checkpoints.js'
import type { LinkedAuditRow, StoredCheckpoint } from '../audit/stored-audit.js'
import type { AuditLog, LinkedPlace } from '../ports/audit-log.js'

export type VerifyAuditPorts = Pick<AuditLog, 'checkpointsAfter' | 'lastCheckpoint' | 'listLinked' | 'listUnlinked'> &
  CheckpointVerifier & { readonly hashToken: HashText; readonly times: () => AuditTimes }

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

type Answer<Value> = TE.TaskEither<Unavailable, Value>

// Below and above every number of a checkpoint and ordinal of a row.
const lowest = Number.MIN_SAFE_INTEGER
const highest = Number.MAX_SAFE_INTEGER

/** Where a step begins: after a checkpoint, or after a row that waits for one. */
type Start = { readonly phase: 'checkpoint' | 'row'; readonly after: number }

const startOf = (after: string | undefined): Start | undefined => {
  if (after === undefined) return { phase: 'checkpoint', after: lowest }
  const [, phase, number] = /^(checkpoint|row)-(-?\d{1,16})$/.exec(after) ?? []
  if (number === undefined) return undefined
  return { phase: phase === 'row' ? 'row' : 'checkpoint', after: Number(number) }
}

/** What a step has verified so far. */
type Step = Pick<AuditVerification, 'checkpoints' | 'rows' | 'waiting'> & {
  readonly findings: ReadonlyArray<AuditFinding>
  readonly last: StoredCheckpoint | undefined
  readonly contains: boolean
  /** Rows of checkpoints that were read and are not verified yet, and the place before them. */
  readonly read: ReadonlyArray<LinkedAuditRow>
  readonly place: LinkedPlace
  /** Where the next step begins, once this one is over. */
  readonly next: Start | undefined
}

const isOver = ({ checkpoints, rows, waiting }: Step): boolean =>
  checkpoints >= maxCheckpoints || rows + waiting >= maxRows

const withFindings = (step: Step, found: ReadonlyArray<AuditFinding>): Step =>
  found.length === 0 ? step : { ...step, findings: [...step.findings, ...found].slice(0, maxFindings) }

// Rows outside of the range of their checkpoint are findings, of which some are enough.
const kept = (
  rows: ReadonlyArray<LinkedAuditRow>,
  more: ReadonlyArray<LinkedAuditRow>,
  { lowest: from, highest: to }: StoredCheckpoint,
): ReadonlyArray<LinkedAuditRow> => [
  ...rows,
  ...more.filter(({ ordinal }, place) => rows.length + place < maxFindings || (ordinal >= from && ordinal <= to)),
]

type Taken = { readonly step: Step; readonly rows: ReadonlyArray<LinkedAuditRow> }

/** Takes the next rows that are marked with the checkpoint, or with an earlier one. */
const takeRows = (ports: VerifyAuditPorts, checkpoint: StoredCheckpoint, { step, rows }: Taken): Answer<Taken> => {
  const later = step.read.findIndex((row) => row.checkpoint > checkpoint.number)
  const own = later === -1 ? step.read : step.read.slice(0, later)
  const read = step.read.slice(own.length)
  const { checkpoint: number, ordinal } = own.at(-1) ?? step.place
  const taken: Taken = {
    step: { ...step, read, place: { checkpoint: number, ordinal } },
    rows: kept(rows, own, checkpoint),
  }
  return read.length > 0
    ? TE.right(taken)
    : pipe(
        ports.listLinked(taken.step.place, rowsAtOnce),
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
  rows: ReadonlyArray<LinkedAuditRow>,
): Answer<ReadonlyArray<AuditFinding>> => {
  const times = ports.times()
  const own = rows.filter((row) => row.checkpoint === checkpoint.number)
  const stray = rows.filter((row) => row.checkpoint !== checkpoint.number)
  const findings = verifyCheckpoint(ports.hashToken, times)(before, checkpoint, own)
  const all = [...strayFindings(stray), ...findings]
  return checkpoint.at >= times.removedBefore || !findings.some(({ fault }) => fault === 'missing')
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
                contains: step.contains || (digest !== undefined && linkOf(ports.hashToken, checkpoint) === digest),
              })),
            ),
          ),
        )

const numberOf = ({ last }: Step, { after }: Start): number => last?.number ?? after

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
      ? TE.right({ ...step, next: { phase: 'row', after } })
      : pipe(
          ports.listUnlinked(after, rowsAtOnce),
          TE.flatMap((rows) => {
            const waiting = step.waiting + rows.length
            const verified = { ...withFindings(step, verifyUnlinked(ports.hashToken, ports.times(), rows)), waiting }
            const last = rows.at(-1)
            return last === undefined ? TE.right(verified) : verifyWaiting(ports, last.ordinal)(verified)
          }),
        )

/** Verifies the checkpoints that follow the start, and what waits for one, to the end of the step. */
const verifyLinked =
  (ports: VerifyAuditPorts, digest: string | undefined, start: Start) =>
  (step: Step): Answer<Step> => {
    const goOn = verifyLinked(ports, digest, start)
    // Rows of a checkpoint that was made meanwhile are no strays.
    const endWith = (stray: ReadonlyArray<LinkedAuditRow>) => (added: ReadonlyArray<unknown>) =>
      stray.length > 0 && added.length > 0
        ? goOn(step)
        : pipe(
            verifySignature(ports, withFindings(step, strayFindings(stray))),
            TE.flatMap(verifyWaiting(ports, lowest)),
          )
    return isOver(step)
      ? TE.right({ ...step, next: { phase: 'checkpoint', after: numberOf(step, start) } })
      : pipe(
          ports.checkpointsAfter(numberOf(step, start), checkpointsAtOnce),
          TE.flatMap((page) =>
            page.length > 0
              ? pipe(
                  page
                    .map(verifyNext(ports, digest))
                    .reduce<Answer<Step>>((so, next) => TE.flatMap(next)(so), TE.right(step)),
                  TE.flatMap(goOn),
                )
              : pipe(
                  ports.listLinked({ checkpoint: numberOf(step, start), ordinal: highest }, maxFindings),
                  TE.flatMap((stray) =>
                    pipe(ports.checkpointsAfter(numberOf(step, start), 1), TE.flatMap(endWith(stray))),
                  ),
                ),
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
  read: [],
  place: { checkpoint: lowest, ordinal: lowest },
  next: undefined,
}

const verifyFrom = (ports: VerifyAuditPorts, digest: string | undefined, start: Start): Answer<Step> =>
  start.phase === 'row'
    ? verifyWaiting(ports, start.after)(beginning)
    : pipe(
        ports.checkpointsAfter(start.after - 1, 1),
        TE.map((found) => found.find(({ number }) => number === start.after)),
        TE.map((last): Step => ({ ...beginning, last, place: { checkpoint: start.after, ordinal: highest } })),
        TE.flatMap(verifyLinked(ports, digest, start)),
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
  ...(next === undefined ? {} : { next: `${next.phase}-${next.after}` }),
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
  ): ForOperator<
    'audit',
    (request: VerifyAuditRequest) => TE.TaskEither<InvalidRequest | Unavailable, AuditVerification>
  > =>
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
