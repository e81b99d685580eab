import * as E from 'fp-ts/lib/Either.js'
import type { Handler } from '../http/handler.js'
import { jsonResponse, okResponse } from '../http/response.js'
import { refusalStatuses } from '../http/statuses.js'
import type { HealthPorts } from '../ports.js'

type Checked = { readonly name: string; readonly status: 'ok' | 'failed' }

const run = async ({ name, check }: HealthPorts['checks'][number]): Promise<Checked> => ({
  name,
  status: E.isRight(await check()) ? 'ok' : 'failed',
})

/** Whether requests can be answered now, and which checks fail. */
export const getReady =
  (ports: HealthPorts): Handler =>
  async () => {
    const checks = await Promise.all(ports.checks.map(run))
    const all = ports.isDraining() ? [...checks, { name: 'draining', status: 'failed' as const }] : checks
    const ok = all.every(({ status }) => status === 'ok')
    return ok
      ? okResponse({ status: 'ok', checks: all })
      : jsonResponse(refusalStatuses.unavailable, { status: 'unavailable', checks: all })
  }
