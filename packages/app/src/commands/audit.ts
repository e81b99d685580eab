// clientele audit …: who changed what, and whether the log of it is as it was written.
import {
  type AuditParameters,
  type VerifyAuditRequest,
  AuditList,
  AuditVerification,
  defaultListedAudit,
  maxFindings,
} from '@clientele/domain/operations'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { Config } from '../config/settings.js'
import type { Ask } from '../manage/ask-service.js'
import { manage } from '../manage/manage.js'
import { isoTime, counted, printable, printableDocument } from '../text.js'
import { readAnswer } from '../manage/read-answer.js'
import { auditActions, auditFaults } from '@clientele/domain/audit'
import { createProgress } from '../progress.js'
import { json, type Command } from './command.js'
import { refuse, show } from './show.js'
import { withSettings } from './with-settings.js'

const queryOf = (parameters: Readonly<Record<string, string | undefined>>): string => {
  const given = Object.entries(parameters).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as [string, string]],
  )
  return given.length === 0 ? '' : `?${new URLSearchParams(given).toString()}`
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

const askForRows = (ask: Ask, parameters: AuditParameters): TE.TaskEither<string, AuditList> =>
  pipe(ask(`/manage/v1/audit${queryOf(parameters)}`), TE.flatMap(readAnswer(AuditList)))

const askForStep = (ask: Ask, request: VerifyAuditRequest): TE.TaskEither<string, AuditVerification> =>
  pipe(ask(`/manage/v1/audit/verification${queryOf(request)}`), TE.flatMap(readAnswer(AuditVerification)))

/** As many rows as the limit, by as many requests as are needed; `onPage` is called where one was not enough. */
export const listAudit = (
  config: Config,
  parameters: AuditParameters,
  onPage: (before: string, found: number) => void,
): TE.TaskEither<string, AuditList> =>
  manage(config, (ask) => async () => {
    const rows: Array<AuditList['rows'][number]> = []
    let asked = parameters
    for (;;) {
      const page = await askForRows(ask, asked)()
      if (E.isLeft(page)) return page
      rows.push(...page.right.rows)
      const { next } = page.right
      const left = Number(parameters.limit ?? defaultListedAudit) - rows.length
      if (next === undefined || left <= 0) return E.right({ ...page.right, rows })
      onPage(next, rows.length)
      asked = { ...parameters, before: next, limit: String(left) }
    }
  })

/** All steps; `onStep` is called after each but the last with the number of checkpoints so far, and of all. */
const verifyAudit = (
  config: Config,
  digest: string | undefined,
  onStep: (done: number, all: number) => void,
): TE.TaskEither<string, AuditVerification> =>
  manage(
    config,
    (ask) => async () => {
      let whole: AuditVerification | undefined
      let after: string | undefined
      do {
        const step: E.Either<string, AuditVerification> = await askForStep(ask, { digest, after })()
        if (E.isLeft(step)) return step
        whole = withStep(whole, step.right)
        after = step.right.next
        const { checkpoints, last, latest } = whole
        if (after !== undefined) onStep(checkpoints, checkpoints + latest - (last?.number ?? 0))
      } while (after !== undefined)
      return E.right(whole)
    },
    'stored',
  )

type Row = AuditList['rows'][number]
type Entry = NonNullable<Row['entry']>

const actorTexts: Readonly<Record<Entry['actor']['kind'], string>> = {
  anonymous: 'an anonymous registrant',
  initial_access_token: 'the initial access token',
  registration_access_token: 'the registration access token',
  client: 'the client',
  master: 'the master token',
  operator_token: 'the operator token',
  end_user: 'an end-user',
  store: 'the operator of this machine',
  service: 'the service',
}

const actorText = ({ kind, fingerprint, name }: Entry['actor']): string =>
  [
    actorTexts[kind],
    ...(fingerprint === '' ? [] : [printable(fingerprint)]),
    ...(name === undefined ? [] : [`(${printable(name)})`]),
  ].join(' ')

const doorTexts: Readonly<Record<Entry['origin']['door'], string>> = {
  http: 'the public port',
  management: 'the management port',
  socket: 'the socket of the commands',
  command: 'a command without the service',
  service: 'no request',
}

const entryText = ({ at, action, actor, client_id, subject, kids = [], members, origin }: Entry): string =>
  [
    `${isoTime(at)}  ${auditActions[action]}`,
    [
      ...(client_id === undefined ? [] : [`client ${printable(client_id)}`]),
      ...(subject === undefined ? [] : [`id ${printable(subject)}`]),
      `by ${actorText(actor)}`,
      `through ${doorTexts[origin.door]}`,
      ...(origin.address === undefined ? [] : [`from ${printable(origin.address)}`]),
      `request ${printable(origin.request_id)}`,
    ].join(', '),
    ...(kids.length === 0 ? [] : [`keys: ${kids.map(printable).join(', ')}`]),
    ...(members.length === 0 ? [] : [`changed: ${members.map(printable).join(', ')}`]),
  ].join('\n  ')

const rowText = ({ ordinal, entry }: Row): string =>
  entry === undefined ? `row ${ordinal} cannot be read: clientele audit verify` : entryText(entry)

const listText = ({ rows, next }: AuditList): string =>
  rows.length === 0
    ? 'The audit log has no such row'
    : [
        ...rows.map(rowText),
        ...(next === undefined ? [] : [`There are more: --before ${next} shows the earlier ones`]),
      ].join('\n')

const dayOf = (before: string): string => isoTime(Number(before.split('-')[0])).slice(0, 10)

const list = withSettings(async ({ config }, terminal, { flags, switches }) => {
  const { client: client_id, actor, action, since, until, before, limit } = flags
  const given = Object.entries({ client_id, actor, action, since, until, before, limit })
  const parameters: AuditParameters = Object.fromEntries(given.filter(([, value]) => value !== undefined))
  const progress = createProgress(terminal.errors)
  const listed = await listAudit(config, parameters, (place, found) =>
    progress.show(`Rows up to ${dayOf(place)}`, found, Number(limit ?? defaultListedAudit)),
  )()
  progress.end()
  return show(terminal, TE.fromEither(listed), switches.includes('json') ? printableDocument : listText)
})

const isFault = (fault: string): fault is keyof typeof auditFaults => Object.hasOwn(auditFaults, fault)

const findingText = ({ fault, row, checkpoint }: AuditVerification['findings'][number]): string => {
  const text = isFault(fault) ? auditFaults[fault] : fault
  const named = row === undefined ? `Checkpoint ${checkpoint ?? 0}` : `Row ${row}`
  return `${named} ${text}`
}

const linkText =
  'A row without a checkpoint can be removed without a trace. The running service makes checkpoints within seconds: start it; if it runs, see "no checkpoint of the audit log could be made" in its log, and clientele doctor'

const endText = ({ last }: AuditVerification): string =>
  last === null
    ? 'There is no checkpoint yet'
    : `Last checkpoint: ${last.number} of ${isoTime(last.at)}, digest ${printable(last.digest)}`

const verificationText = (verified: AuditVerification): string => {
  const { findings, checkpoints, rows, waiting, contains } = verified
  return [
    ...findings.map(findingText),
    ...(findings.some(({ fault }) => fault === 'unlinked') ? [linkText] : []),
    ...(contains === false ? ['No checkpoint has the digest: rows after it are missing, or another log is here'] : []),
    `${counted(rows, 'row', 'rows')} in ${counted(checkpoints, 'checkpoint', 'checkpoints')}, ${counted(waiting, 'row waits', 'rows wait')} for one`,
    endText(verified),
  ].join('\n')
}

const verify = withSettings(async ({ config }, terminal, { flags, switches }) => {
  const progress = createProgress(terminal.errors)
  const verified = await verifyAudit(config, flags['contains'], (done, all) =>
    progress.show('Verifying checkpoints', done, all),
  )()
  progress.end()
  if (E.isLeft(verified)) return refuse(terminal, verified.left, 1)
  const text = switches.includes('json') ? printableDocument : verificationText
  terminal.output.write(`${text(verified.right)}\n`)
  return verified.right.findings.length === 0 && verified.right.contains !== false ? 0 : 1
})

export const auditCommands: ReadonlyArray<Command> = [
  {
    name: 'audit list',
    summary: 'show who changed what, from where and when, the latest first',
    options: [
      { name: 'client', value: 'CLIENT_ID', description: 'changes of this client only' },
      {
        name: 'actor',
        value: 'FINGERPRINT|NAME',
        description:
          'changes by this credential only, or by the operator token of this name; or by master, store or service',
      },
      { name: 'action', value: 'ACTION', description: 'only these changes, for example client_deleted' },
      { name: 'since', value: 'TIME', description: 'a date such as 2026-01-31, or a time of RFC 3339' },
      { name: 'until', value: 'TIME', description: 'rows of before this time' },
      { name: 'before', value: 'PLACE', description: 'the earlier rows, after a first page' },
      { name: 'limit', value: 'NUMBER', description: 'at most so many rows, 1000 at most; else 100' },
      json,
    ],
    example: 'clientele audit list --client s6BhdRkqt3s6BhdRkqt3 --since 2026-01-31',
    run: list,
  },
  {
    name: 'audit verify',
    summary: 'tell whether rows of the audit log were changed, removed or inserted by hand',
    details: 'Exit status 1 where it finds any.',
    options: [
      {
        name: 'contains',
        value: 'DIGEST',
        description: 'require the checkpoint of this digest, which the log of the service names',
      },
      json,
    ],
    example: 'clientele audit verify',
    run: verify,
  },
]
