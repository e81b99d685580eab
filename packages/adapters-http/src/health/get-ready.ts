import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { Handler } from '../http/handler.js'
import { jsonResponse, noStore } from '../http/response.js'
import type { HttpPorts } from '../settings.js'

type Checked = { readonly name: string; readonly status: 'ok' | 'failed' }

const run = ({ name, check }: HttpPorts['checks'][number]): Promise<Checked> =>
  pipe(
    check,
    TE.match(
      (): Checked => ({ name, status: 'failed' }),
      (): Checked => ({ name, status: 'ok' }),
    ),
  )()

/** Whether requests can be answered now, and which check says not. */
export const getReady =
  (ports: Pick<HttpPorts, 'checks' | 'isDraining'>): Handler =>
  () =>
  async () => {
    const checks = await Promise.all(ports.checks.map(run))
    const all = ports.isDraining() ? [...checks, { name: 'draining', status: 'failed' as const }] : checks
    const ok = all.every(({ status }) => status === 'ok')
    return jsonResponse(ok ? 200 : 503, { status: ok ? 'ok' : 'unavailable', checks: all }, noStore)
  }
