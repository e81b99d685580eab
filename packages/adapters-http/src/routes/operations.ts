// What the operator asks of the running service: its health, metrics, settings, audit log and logout notifications.
import { type InvalidRequest, invalidRequest } from '@clientele/domain/kernel'
import { unknownParameter } from '@clientele/domain/managing'
import { auditParameters } from '@clientele/domain/operations'
import type { JwkSetSource } from '@clientele/domain/ports'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { type Query, textMember } from '../http/request.js'
import { jsonResponse, okResponse } from '../http/response.js'
import type { HealthPorts, HealthReport, HttpPorts } from '../ports.js'
import { refusalStatuses } from '../statuses.js'
import { type Family, type Handler, type Route, answer, answerFor, route } from './route.js'

type Checked = Pick<HealthReport, 'name' | 'status'> & Partial<HealthReport>

const run = async ({ name, check }: HealthPorts['checks'][number]): Promise<Checked> => {
  const outcome = await check()
  if (E.isRight(outcome)) return { name, status: 'ok' }
  const { reason } = outcome.left
  return { name, status: 'failed', ...(reason === undefined ? {} : { detail: reason }) }
}

const failed = (name: string, holds: boolean): ReadonlyArray<Checked> => (holds ? [{ name, status: 'failed' }] : [])

/** Whether requests can be answered now, and which checks fail. */
const getReady =
  (ports: HealthPorts, { publishedJwkSet }: JwkSetSource): Handler =>
  async () => {
    const published = publishedJwkSet()
    const all = [
      ...(await Promise.all(ports.checks.map(run))),
      ...failed('keys', E.isLeft(published)),
      ...failed('draining', ports.isDraining()),
      ...(ports.reports?.() ?? []),
    ]
    if (all.every(({ status }) => status === 'ok')) return okResponse({ status: 'ok', checks: all })
    const response = jsonResponse(refusalStatuses.unavailable, { status: 'unavailable', checks: all })
    return E.isLeft(published) ? { ...response, detail: published.left.detail } : response
  }

export const healthRoutes = ({ health, jwkSet }: Pick<HttpPorts, 'health' | 'jwkSet'>): ReadonlyArray<Route> => [
  // The process answers requests.
  route('GET', '/health/live', () => okResponse({ status: 'ok' })),
  route('GET', '/health/ready', getReady(health, jwkSet)),
]

export const metricsRoutes: Family<'metrics'> = (_settings, metrics, operated) => [
  operated('GET', '/metrics', ['metrics'], async (_request, operator) => {
    const { contentType, text } = await metrics(operator)()
    return { status: 200, headers: { 'Content-Type': contentType }, body: { kind: 'text', text } }
  }),
]

/** Reads the settings again: all that can change while the service runs, or nothing. */
export const reloadRoutes: Family<'reload'> = (_settings, reload, operated) => [
  operated('POST', '/reload', ['operators'], (request, operator) => answer(reload(operator, request), okResponse)),
]

/** The value of each parameter. A misspelled one would select everything, or begin anew. */
const parametersIn = (
  query: Query,
  known: ReadonlyArray<string>,
): E.Either<InvalidRequest, Readonly<Record<string, string>>> => {
  const unknown = unknownParameter(query, known)
  if (unknown !== undefined) return E.left(unknown)
  const values = Object.entries(query)
  const repeated = values.find(([, { length }]) => length > 1)
  return repeated === undefined
    ? E.right(Object.fromEntries(values.map(([name, [value = '']]) => [name, value])))
    : E.left(invalidRequest(`The query parameter ${repeated[0]} must be there once at most`))
}

export const auditRoutes: Family<'auditLog'> = (_settings, { listAudit, verifyAudit }, operated) => [
  // A page of the log, the latest rows first.
  operated('GET', '/manage/v1/audit', ['audit'], ({ query }, operator) =>
    answerFor(parametersIn(query, auditParameters), listAudit(operator), okResponse),
  ),
  // A step of the verification.
  operated('GET', '/manage/v1/audit/verification', ['audit'], ({ query }, operator) =>
    answerFor(
      parametersIn(query, ['digest', 'after']),
      ({ digest, after }) => verifyAudit(operator)({ digest, after }),
      okResponse,
    ),
  ),
]

const idIn = textMember('id', 'The body must be a JSON object with the string id, or empty')

/** The pending logout notifications. */
export const notificationRoutes: Family<'notifications'> = (_settings, notifications, operated) => [
  operated('GET', '/logouts', ['deliveries'], (request, operator) =>
    answer(notifications(operator, request).listNotifications, okResponse),
  ),
  // Makes one failed notification, or all of them, due now.
  operated('POST', '/logouts/retry', ['deliveries'], (request, operator) =>
    answerFor(idIn(request.body), (id) => notifications(operator, request).retry(O.fromNullable(id)), okResponse),
  ),
]
