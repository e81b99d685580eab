// Two instances on PostgreSQL by the settings of deploy/compose/postgresql.yaml, behind each proxy: one of them ends.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import { freePort } from '../../../adapters-postgresql/test/support/free-port.js'
import { newDatabase } from '../../../adapters-postgresql/test/support/new-database.js'
import { postgresqlSuite } from '../../../adapters-postgresql/test/support/postgresql-suite.js'
import type { Server } from '../../../adapters-postgresql/test/support/server.js'
import { register } from '../support/requests.js'
import { type Service, startService } from '../support/service.js'
import { composed, image, settingsAmong } from './support/deployed.js'
import { type Proxy, freePorts, programs, startProxy } from './support/proxies.js'

const masterToken = 'the-master-token-of-both-instances-of-a-composition'

const startInstances = async (url: string, base: string, ports: ReadonlyArray<number>, secrets: string) => {
  const files = {
    'database-url': url,
    'encryption-key': Buffer.alloc(32, 'of both').toString('base64url'),
    'master-token': masterToken,
  }
  for (const [name, text] of Object.entries(files)) writeFileSync(join(secrets, name), `${text}\n`)
  const { instances } = composed('compose/postgresql.yaml', 'op.example')
  assert.is(instances.length, ports.length)
  return Promise.all(
    instances.map(async ({ environment = {} }, index): Promise<Service> => {
      const given = Object.entries(settingsAmong({ ...image().environment, ...environment }))
      const settings = given.map(([name, text]) => [name, text.replace('/run/secrets', secrets)])
      const own = { ...here(base, ports[index] ?? 0, await freePort()), CLIENTELE_DATA_DIR: secrets }
      return startService({ ...Object.fromEntries(settings), ...own }, secrets)
    }),
  )
}

// What a container has of its own.
const here = (base: string, port: number, managementPort: number) => ({
  CLIENTELE_BASE_URL: base,
  CLIENTELE_HOST: '127.0.0.1',
  CLIENTELE_PORT: String(port),
  CLIENTELE_MANAGEMENT_PORT: String(managementPort),
  CLIENTELE_TRUSTED_PROXIES: '127.0.0.1',
})

const registrations = async (proxy: Proxy, count: number): Promise<ReadonlyArray<number>> => {
  const statuses: Array<number> = []
  for (let index = 0; index < count; index += 1)
    statuses.push((await register({ base: proxy.base, master: masterToken })).status)
  return statuses
}

for (const name of ['nginx', 'Caddy'] as const) {
  const instances = postgresqlSuite(`two instances behind ${name}`, programs[name].isInstalled)

  instances('both answer, and when one ends no registration is lost', async (server: Server) => {
    const secrets = mkdtempSync(join(tmpdir(), 'clientele-secrets-'))
    const ports = [await freePort(), await freePort()]
    const own = await freePorts()
    const base = `https://localhost:${own.https}`
    const services = await startInstances(await newDatabase(server), base, ports, secrets)
    const upstreams = ports.map((port) => `127.0.0.1:${port}`)
    const proxy = await startProxy(name, upstreams, own)
    try {
      assert.equal(await registrations(proxy, 20), Array(20).fill(200))
      for (const each of services) assert.match(each.output().stderr, '"route":"/clients"')
      const [one, other] = services
      const ending = one?.stop()
      const read = async (): Promise<number> => (await proxy.ask('/jwks.json')).status
      for (let index = 0; index < 20; index += 1) assert.is(await read(), 200, proxy.errors())
      // Caddy 2.6 cannot send a body a second time: it learns within 2 seconds that one is gone.
      if (name === 'Caddy') await setTimeout(5_000)
      assert.equal(await registrations(proxy, 20), Array(20).fill(200), proxy.errors())
      assert.is(await ending, 0)
      assert.is(other?.child.exitCode, null)
    } finally {
      for (const each of services) each.child.kill('SIGKILL')
      await Promise.all(services.map(({ exited }) => exited))
      await proxy.stop()
      rmSync(secrets, { recursive: true })
    }
  })

  instances.run()
}
