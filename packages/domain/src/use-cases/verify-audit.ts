// Verifies the audit log, checkpoint by checkpoint, in constant memory.
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import type { HashText } from '../audit/audit-entry.js'
import { linkOf } from '../audit/checkpoint.js'
import {
  type AuditFinding,
  type AuditRetention,
  type LinkedRows,
  strayFindings,
  verifyCheckpoint,
  verifyUnlinked,
} from '../audit/verify-audit.js'
import type { ForOperator } from '../authorization/operator.js'
import type { Unavailable } from '../errors.js'
import type { CheckpointVerifier } from '../ports/audit-checkpoints.js'
import type { StoredCheckpoint } from '../audit/stored-audit.js'
import type { AuditLog } from '../ports/audit-log.js'

export type VerifyAuditPorts = Pick<AuditLog, 'checkpointsAfter' | 'rowsOfCheckpoint' | 'listUnlinked' | 'strayRows'> &
  CheckpointVerifier & { readonly hashToken: HashText; readonly retention: () => AuditRetention }

const Finding = t.intersection([t.type({ fault: t.string }), t.partial({ row: t.number, checkpoint: t.number })])

/** What a verification found; the first findings only. */
export const AuditVerification = t.readonly(
  t.type({
    findings: t.readonlyArray(Finding),
    checkpoints: t.number,
    /** Rows in checkpoints, and rows that wait for one: at most 10,000 of these are looked at. */
    rows: t.number,
    waiting: t.number,
    /** The number and the digest of the last checkpoint, for comparison with a record of it elsewhere. */
    last: t.union([t.null, t.type({ number: t.number, at: t.number, digest: t.string })]),
    /** Whether a checkpoint with the requested digest was found; null where none was requested. */
    contains: t.union([t.null, t.boolean]),
  }),
  'AuditVerification',
)
export type AuditVerification = t.TypeOf<typeof AuditVerification>

/** The maximum number of findings, beside that of the signature. */
export const maxFindings = 100
const page = 20
const maxWaiting = 10_000

type State = Pick<AuditVerification, 'checkpoints' | 'rows'> & {
  readonly findings: ReadonlyArray<AuditFinding>
  readonly last: StoredCheckpoint | undefined
  readonly contains: boolean
}

const nothing: State = { findings: [], checkpoints: 0, rows: 0, last: undefined, contains: false }

type Verified<Result> = TE.TaskEither<Unavailable, Result>

const verifying =
  (ports: VerifyAuditPorts, digest: string | undefined) =>
  (state: State, { checkpoint, rows }: LinkedRows): State => ({
    findings: [
      ...state.findings,
      ...verifyCheckpoint(ports.hashToken, ports.retention())(state.last, checkpoint, rows),
    ].slice(0, maxFindings),
    checkpoints: state.checkpoints + 1,
    rows: state.rows + rows.length,
    last: checkpoint,
    contains: state.contains || (digest !== undefined && linkOf(ports.hashToken, checkpoint) === digest),
  })

const verifyCheckpoints = (ports: VerifyAuditPorts, digest: string | undefined): Verified<State> => {
  const step = verifying(ports, digest)
  const withRows = (checkpoint: StoredCheckpoint): Verified<LinkedRows> =>
    pipe(
      ports.rowsOfCheckpoint(checkpoint),
      TE.map((rows) => ({ checkpoint, rows })),
    )
  const verifyAfter = (state: State): Verified<State> =>
    pipe(
      ports.checkpointsAfter(state.last?.number ?? Number.MIN_SAFE_INTEGER, page),
      TE.flatMap(TE.traverseSeqArray(withRows)),
      TE.flatMap((linked) => (linked.length === 0 ? TE.right(state) : verifyAfter(linked.reduce(step, state)))),
    )
  return verifyAfter(nothing)
}

// The signature of the last checkpoint covers all before it, which each names by its digest.
const signatureFindings = (
  { isSignedCheckpoint }: CheckpointVerifier,
  last: StoredCheckpoint | undefined,
): Verified<ReadonlyArray<AuditFinding>> =>
  last === undefined
    ? TE.right([])
    : pipe(
        TE.fromTask(isSignedCheckpoint(last.jws)),
        TE.map((isSigned) => (isSigned ? [] : [{ fault: 'signature_invalid', checkpoint: last.number }])),
      )

export type VerifyAuditRequest = {
  /** The digest of a checkpoint that the log must contain, from a record of it elsewhere. */
  readonly digest?: string | undefined
}

export const verifyAudit =
  (
    ports: VerifyAuditPorts,
  ): ForOperator<'audit', (request: VerifyAuditRequest) => TE.TaskEither<Unavailable, AuditVerification>> =>
  () =>
  ({ digest }) =>
    pipe(
      verifyCheckpoints(ports, digest),
      TE.bindTo('state'),
      TE.bind('stray', () => ports.strayRows(maxFindings)),
      TE.bind('waiting', () => ports.listUnlinked(maxWaiting)),
      TE.bind('ofSignature', ({ state }) => signatureFindings(ports, state.last)),
      TE.map(({ state: { findings, checkpoints, rows, last, contains }, stray, waiting, ofSignature }) => ({
        findings: [
          ...[...findings, ...strayFindings(stray), ...verifyUnlinked(ports.hashToken, waiting)].slice(0, maxFindings),
          ...ofSignature,
        ],
        checkpoints,
        rows,
        waiting: waiting.length,
        last: last === undefined ? null : { number: last.number, at: last.at, digest: linkOf(ports.hashToken, last) },
        contains: digest === undefined ? null : contains,
      })),
    )
