// The built service with several workers, as its users run it.
import { freePort } from '../../../adapters-postgresql/test/support/free-port.js'
import { newDatabase } from '../../../adapters-postgresql/test/support/new-database.js'
import type { Server } from '../../../adapters-postgresql/test/support/server.js'
import { type Service, startService } from '../support/service.js'
import { type Flags, environmentOf, masterToken, settingsOn } from './postgresql-service.js'

export type Workers = Service & {
  readonly url: string
  readonly management: string
  /** The processes that reported to be ready, the first ones first. */
  readonly pids: () => ReadonlyArray<number>
}

type Entry = { readonly msg: string; readonly worker?: number; readonly route?: string }

export const entriesOf = ({ output }: Pick<Service, 'output'>): ReadonlyArray<Entry> =>
  output()
    .stderr.split('\n')
    .filter((line) => line.startsWith('{') && line.endsWith('}'))
    .map((line): Entry => JSON.parse(line))

/** The environment of a service with workers on this database, on a port that is free. */
export const environmentOn = async (url: string, more: Flags = {}): Promise<Flags> => {
  const port = String(await freePort())
  const own = { port, 'base-url': `http://127.0.0.1:${port}`, 'management-port': '0', workers: '3' }
  return environmentOf(settingsOn(url, { ...own, ...more }))
}

const startWorkers = async (url: string, more: Flags): Promise<Workers> => {
  const service = await startService(await environmentOn(url, more))
  const [, management = ''] = /^Health and metrics at (\S+)$/m.exec(service.output().stdout) ?? []
  const pids = () =>
    entriesOf(service).flatMap(({ msg, worker }) =>
      msg === 'a worker is ready' && worker !== undefined ? [worker] : [],
    )
  return { ...service, url, management, pids }
}

/** Runs the test with workers on a new database; none of them is left afterwards. */
export const withWorkers =
  (test: (service: Workers) => Promise<void>, more: Flags = {}) =>
  async (server: Server): Promise<void> => {
    const service = await startWorkers(await newDatabase(server), more)
    try {
      await test(service)
    } finally {
      service.child.kill('SIGKILL')
      await service.exited
    }
  }

/** A request on a connection of its own. */
export const send = (url: string, method = 'GET', body?: object): Promise<Response> =>
  fetch(url, {
    method,
    signal: AbortSignal.timeout(20_000),
    headers: { Authorization: `Bearer ${masterToken}`, 'Content-Type': 'application/json', Connection: 'close' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })

export const register = ({ base }: Pick<Service, 'base'>): Promise<Response> =>
  send(`${base}/clients`, 'POST', { redirect_uris: ['https://rp.example/cb'] })

/** The value of a metric, or the sum over its labels. */
export const metricAt = async ({ management }: Workers, beginning: string): Promise<number> => {
  const text = await (await send(`${management}/metrics`)).text()
  return text
    .split('\n')
    .filter((line) => line.startsWith(beginning))
    .reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' '))), 0)
}

export const soon = async (holds: () => boolean | Promise<boolean>, what: string, limit = 10_000): Promise<void> => {
  const deadline = Date.now() + limit
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error(`not in ${limit} ms: ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
