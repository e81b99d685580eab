// clientele audit …: who changed what, and whether the log of it is as it was written.
import { auditActions, auditActors, auditDoors, auditFaults } from '@clientele/domain/audit'
import { AuditList, AuditVerification, defaultListedAudit, maxFindings } from '@clientele/domain/operations'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import type { Config } from '../config/settings.js'
import { askFor, inSteps, manage } from './manage.js'
import { counted, isoDay, isoTime, printable } from '../text.js'
import { type Command, type Query, answering, json, lines, listed, present, queryOf, withProgress } from './command.js'

/** As many rows as the limit, by as many requests as are needed; `onPage` is called where one was not enough. */
export const listAudit = (
  config: Config,
  parameters: Query,
  onPage: (before: string, found: number) => void,
): TE.TaskEither<string, AuditList> => {
  const limit = Number(parameters['limit'] ?? defaultListedAudit)
  return manage(config, (ask) =>
    inSteps<AuditList, AuditList>(
      (before, { rows } = { rows: [] }) => {
        if (before !== undefined) onPage(before, rows.length)
        const page = before === undefined ? parameters : { ...parameters, before, limit: String(limit - rows.length) }
        return askFor(ask, { path: `/manage/v1/audit${queryOf(page)}`, codec: AuditList })
      },
      (sum, page) => (sum === undefined ? page : { ...page, rows: [...sum.rows, ...page.rows] }),
      ({ rows }) => rows.length >= limit,
    ),
  )
}

/** The sum of two steps; of many findings, the first ones. */
const withStep = (before: AuditVerification | undefined, step: AuditVerification): AuditVerification =>
  before === undefined
    ? step
    : {
        ...step,
        findings: [...before.findings, ...step.findings].slice(0, maxFindings),
        checkpoints: before.checkpoints + step.checkpoints,
        rows: before.rows + step.rows,
        waiting: before.waiting + step.waiting,
        last: step.last ?? before.last,
        contains: step.contains === null ? null : step.contains || before.contains === true,
      }

/** All steps; `onStep` is called before each but the first with the number of checkpoints so far, and of all. */
const verifyAudit = (config: Config, digest: string | undefined, onStep: (done: number, all: number) => void) =>
  manage(
    config,
    (ask) =>
      inSteps<AuditVerification, AuditVerification>((after, sum) => {
        if (sum !== undefined) onStep(sum.checkpoints, sum.checkpoints + sum.latest - (sum.last?.number ?? 0))
        const path = `/manage/v1/audit/verification${queryOf({ digest, after })}`
        return askFor(ask, { path, codec: AuditVerification })
      }, withStep),
    'stored',
  )

type Row = AuditList['rows'][number]
type Entry = NonNullable<Row['entry']>

const actorText = ({ kind, fingerprint, name }: Entry['actor']): string =>
  present(
    auditActors[kind],
    fingerprint !== '' && printable(fingerprint),
    name !== undefined && `(${printable(name)})`,
  ).join(' ')

const entryText = ({ at, action, actor, client_id, subject, kids = [], members, origin }: Entry): string =>
  present(
    `${isoTime(at)}  ${auditActions[action]}`,
    present(
      client_id !== undefined && `client ${printable(client_id)}`,
      subject !== undefined && `id ${printable(subject)}`,
      `by ${actorText(actor)}`,
      `through ${auditDoors[origin.door]}`,
      origin.address !== undefined && `from ${printable(origin.address)}`,
      `request ${printable(origin.request_id)}`,
    ).join(', '),
    kids.length > 0 && `keys: ${kids.map(printable).join(', ')}`,
    members.length > 0 && `changed: ${members.map(printable).join(', ')}`,
  ).join('\n  ')

const rowText = ({ ordinal, entry }: Row): string =>
  entry === undefined ? `row ${ordinal} cannot be read: clientele audit verify` : entryText(entry)

const listText = ({ rows, next }: AuditList): string =>
  listed(
    rows,
    rowText,
    'The audit log has no such row',
    next !== undefined && `There are more: --before ${next} shows the earlier ones`,
  )

const dayOf = (before: string): string => isoDay(Number(before.split('-')[0]))

const isFault = (fault: string): fault is keyof typeof auditFaults => Object.hasOwn(auditFaults, fault)

const findingText = ({ fault, row, checkpoint }: AuditVerification['findings'][number]): string => {
  const text = isFault(fault) ? auditFaults[fault] : fault
  const named = row === undefined ? `Checkpoint ${checkpoint ?? 0}` : `Row ${row}`
  return `${named} ${text}`
}

const linkText =
  'A row without a checkpoint can be removed without a trace. The running service makes checkpoints within seconds: start it; if it runs, see "no checkpoint of the audit log could be made" in its log, and clientele doctor'

const verificationText = ({ findings, checkpoints, rows, waiting, contains, last }: AuditVerification): string =>
  lines(
    findings.map(findingText),
    findings.some(({ fault }) => fault === 'unlinked') && linkText,
    contains === false && 'No checkpoint has the digest: rows after it are missing, or another log is here',
    `${counted(rows, 'row', 'rows')} in ${counted(checkpoints, 'checkpoint', 'checkpoints')}, ${counted(waiting, 'row waits', 'rows wait')} for one`,
    last === null
      ? 'There is no checkpoint yet'
      : `Last checkpoint: ${last.number} of ${isoTime(last.at)}, digest ${printable(last.digest)}`,
  )

export const auditCommands: ReadonlyArray<Command> = [
  {
    name: 'audit list',
    summary: 'show who changed what, from where and when, the latest change first',
    options: [
      { name: 'client', value: 'CLIENT_ID', description: 'only changes of this client' },
      {
        name: 'actor',
        value: 'FINGERPRINT|NAME|KIND',
        description:
          'only changes by this credential (its id or the first 12 characters of it), by the operator token of this name, or by this kind: master, operator_token, store, service and others',
      },
      { name: 'action', value: 'ACTION', description: 'only these changes, for example client_deleted' },
      {
        name: 'since',
        value: 'TIME',
        description: 'only rows from this time on: a date such as 2026-01-31, or a time of RFC 3339',
      },
      { name: 'until', value: 'TIME', description: 'only rows from before this time' },
      {
        name: 'before',
        value: 'PLACE',
        description: 'only rows that are earlier than this place, which an earlier page names',
      },
      { name: 'limit', value: 'NUMBER', description: 'show at most so many rows, from 1 to 1000; 100 by default' },
      json,
    ],
    example: 'clientele audit list --client s6BhdRkqt3s6BhdRkqt3 --since 2026-01-31',
    run: answering((config, { flags }, terminal) => {
      const { client: client_id, actor, action, since, until, before, limit } = flags
      const all = Number(limit ?? defaultListedAudit)
      return withProgress(terminal, (show) =>
        listAudit(config, { client_id, actor, action, since, until, before, limit }, (place, found) =>
          show(`Rows up to ${dayOf(place)}`, found, all),
        ),
      )
    }, listText),
  },
  {
    name: 'audit verify',
    summary: 'say whether anybody changed, removed or inserted rows of the audit log in the database',
    details: 'If it finds such a row, the exit status is 1.',
    options: [
      {
        name: 'contains',
        value: 'DIGEST',
        description:
          'check that the audit log still has the checkpoint with this digest, which the log of the service names',
      },
      json,
    ],
    example: 'clientele audit verify',
    run: answering(
      (config, { flags }, terminal) =>
        withProgress(terminal, (show) =>
          verifyAudit(config, flags['contains'], (done, all) => show('Verifying checkpoints', done, all)),
        ),
      verificationText,
      ({ findings, contains }) => (findings.length === 0 && contains !== false ? 0 : 1),
    ),
  },
]
