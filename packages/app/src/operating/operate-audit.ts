// Commands on the audit log, through the running service or on the store when none runs.
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
import { type Ask, manage } from './manage.js'
import { readAnswer } from './read-answer.js'

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

const list = (ask: Ask, parameters: AuditParameters): TE.TaskEither<string, AuditList> =>
  pipe(ask(`/manage/v1/audit${queryOf(parameters)}`), TE.flatMap(readAnswer(AuditList)))

const verify = (ask: Ask, request: VerifyAuditRequest): TE.TaskEither<string, AuditVerification> =>
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
      const page = await list(ask, asked)()
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
export const verifyAudit = (
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
        const step: E.Either<string, AuditVerification> = await verify(ask, { digest, after })()
        if (E.isLeft(step)) return step
        whole = withStep(whole, step.right)
        after = step.right.next
        const { checkpoints, last, latest } = whole
        if (after !== undefined) onStep(checkpoints, checkpoints + latest - (last?.number ?? 0))
      } while (after !== undefined)
      return E.right(whole)
    },
    'read',
  )
