import type { JwkSetSource } from '@clientele/domain/ports'
import * as E from 'fp-ts/lib/Either.js'
import type { Handler } from '../http/handler.js'
import { jsonResponse, okResponse } from '../http/response.js'
import { refusalStatuses } from '../http/statuses.js'
import type { HealthPorts, HealthReport } from '../ports.js'

type Checked = Pick<HealthReport, 'name' | 'status'> & Partial<HealthReport>

const run = async ({ name, check }: HealthPorts['checks'][number]): Promise<Checked> => {
  const outcome = await check()
  if (E.isRight(outcome)) return { name, status: 'ok' }
  const { reason } = outcome.left
  return { name, status: 'failed', ...(reason === undefined ? {} : { detail: reason }) }
}

const failed = (name: string, holds: boolean): ReadonlyArray<Checked> => (holds ? [{ name, status: 'failed' }] : [])

/** Whether requests can be answered now, and which checks fail. */
export const getReady =
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
