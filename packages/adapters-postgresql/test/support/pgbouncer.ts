// PgBouncer in transaction mode in front of a server, in a new temporary folder, with the settings that
// docs/operate/several-instances.md names.
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { atExit } from './at-exit.js'
import { freePort } from './free-port.js'
import { query } from './query.js'
import { runAsServerUser, spawnAsServerUser } from './server-user.js'

// Debian installs it where the PATH of an ordinary user does not lead.
const folders = ['/usr/sbin', ...(process.env['PATH'] ?? '').split(delimiter)]

const program = folders.map((folder) => join(folder, 'pgbouncer')).find(existsSync)

export const isPgbouncerInstalled = program !== undefined

export type Pgbouncer = {
  /** The same database, through PgBouncer. */
  readonly pooled: (url: string) => string
  readonly close: () => Promise<void>
}

const configuration = (target: URL, port: number, folder: string): string => `[databases]
* = host=${target.hostname} port=${target.port}

[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = ${join(folder, 'users')}
pool_mode = transaction
default_pool_size = 10
max_client_conn = 500
server_idle_timeout = 1
`

const untilAnswering = async (url: string, tries = 250): Promise<void> => {
  const isAnswering = await query(url, 'SELECT 1').then(
    () => true,
    () => false,
  )
  if (isAnswering) return
  if (tries === 0) throw new Error('PgBouncer does not answer')
  await setTimeout(20)
  await untilAnswering(url, tries - 1)
}

/** `url` is that of a database of the server, with the role and password for all. */
export const startPgbouncer = async (url: string): Promise<Pgbouncer> => {
  if (program === undefined) throw new Error('PgBouncer is not installed: on Debian, apt-get install pgbouncer')
  const folder = runAsServerUser('mktemp', ['-d', join(tmpdir(), 'clientele-pgbouncer-XXXXXX')])
  const target = new URL(url)
  const port = await freePort()
  writeFileSync(join(folder, 'users'), `"${target.username}" "${target.password}"\n`)
  writeFileSync(join(folder, 'configuration'), configuration(target, port, folder))
  const child = spawnAsServerUser(program, ['--quiet', join(folder, 'configuration')], { stdio: 'ignore' })
  child.unref()
  const end = (): void => {
    child.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  }
  const withdraw = atExit(end)
  const pooled = (direct: string): string => Object.assign(new URL(direct), { port: `${port}` }).href
  await untilAnswering(pooled(url))
  return {
    pooled,
    close: async () => {
      // Nothing else may keep this process running until the other one has ended.
      child.ref()
      const ended = once(child, 'exit')
      end()
      await ended
      withdraw()
    },
  }
}
