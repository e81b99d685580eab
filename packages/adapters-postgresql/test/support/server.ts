// A PostgreSQL server in a new temporary folder, on loopback, as in production: its writes are durable (fsync),
// connections need a password, and the role of the tests is no superuser but may create databases.
import { type ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { atExit } from './at-exit.js'
import { findBinaries } from './binaries.js'
import { freePort } from './free-port.js'
import {
  type Place,
  type Settings,
  type StopMode,
  end,
  endAtOnce,
  hasEnded,
  launch,
  untilAnswering,
} from './postmaster.js'
import { query } from './query.js'
import { runAsServerUser } from './server-user.js'

export type Server = {
  /** The URL of a database, by default of one that is there from the start. */
  readonly url: (database?: string) => string
  /** With what the names of its new databases begin. */
  readonly prefix: string
  readonly close: () => Promise<void>
}

/** A server that tests may stop. */
export type OwnServer = Server & {
  readonly folder: string
  readonly port: number
  readonly urlOfSuperuser: string
  readonly stop: (mode: StopMode) => Promise<void>
  /** Starts it again, on the same port and data, with these settings in place of the defaults. */
  readonly start: (settings?: Settings) => Promise<void>
}

export const newPlace = (): Place => {
  const binaries = findBinaries()
  if (binaries === undefined) throw new Error('PostgreSQL is not installed: on Debian, apt-get install postgresql')
  const folder = runAsServerUser('mktemp', ['-d', join(tmpdir(), 'clientele-postgresql-XXXXXX')])
  return { binaries, folder }
}

const initialise = ({ binaries, folder }: Place, password: string): void => {
  const passwordFile = join(folder, 'password')
  writeFileSync(passwordFile, password)
  const access = ['--username=postgres', `--pwfile=${passwordFile}`, '--auth=scram-sha-256']
  const texts = ['--encoding=UTF8', '--locale=C']
  runAsServerUser(join(binaries, 'initdb'), ['--no-sync', ...access, ...texts, join(folder, 'data')], folder)
}

const urlOn =
  (port: number, password: string) =>
  (role: string, database: string): string =>
    `postgresql://${role}:${password}@127.0.0.1:${port}/${database}`

/** One process after the other on the same data, port and password, until it is closed or this process ends. */
export const serverIn = (place: Place, port: number, password: string): OwnServer => {
  const urlAs = urlOn(port, password)
  const urlOfSuperuser = urlAs('postgres', 'postgres')
  const defaults = { listen_addresses: '127.0.0.1', port: `${port}`, unix_socket_directories: '' }
  let child: ChildProcess | undefined
  const removeFolder = () => rmSync(place.folder, { recursive: true, force: true, maxRetries: 5 })
  const withdraw = atExit(() => {
    if (child !== undefined && !hasEnded(child)) endAtOnce(place)
    removeFolder()
  })
  const start = async (settings: Settings = {}): Promise<void> => {
    if (child !== undefined && !hasEnded(child)) throw new Error('the server is running')
    child = await launch(place, { ...defaults, ...settings })
    await untilAnswering(child, place, urlOfSuperuser)
  }
  const stop = async (mode: StopMode): Promise<void> => {
    if (child !== undefined) await end(child, mode)
  }
  const close = async (): Promise<void> => {
    await stop('immediate')
    removeFolder()
    withdraw()
  }
  const url = (database = 'postgres'): string => urlAs('clientele', database)
  return { folder: place.folder, port, urlOfSuperuser, prefix: 'test', url, start, stop, close }
}

export const startServer = async (): Promise<OwnServer> => {
  const place = newPlace()
  const password = randomBytes(12).toString('hex')
  const server = serverIn(place, await freePort(), password)
  initialise(place, password)
  await server.start()
  await query(server.urlOfSuperuser, `CREATE ROLE clientele LOGIN CREATEDB PASSWORD '${password}'`)
  return server
}
