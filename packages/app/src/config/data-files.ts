// The paths of files, derived from the settings.
import { createHash } from 'node:crypto'
import { platform } from 'node:os'
import { join, resolve } from 'node:path'
import type { Config } from './settings.js'
import type { SqliteUrl } from './values/database-url.js'

export type DataFiles = {
  readonly directory: string
  readonly database: string
  readonly masterToken: string
  /** Made by the operator while the master token is changed. */
  readonly previousMasterToken: string
  readonly encryptionKey: string
  /** The socket by which commands reach the running service. */
  readonly socket: string
}

/** The maximum length of a socket path in bytes: 107 on Linux, 103 on macOS and the BSDs (sun_path of sockaddr_un). */
export const maxSocketPath = 103

/** On Windows a named pipe, which is in no directory. */
export const socketPath = (directory: string, system: string): string =>
  system === 'win32'
    ? `\\\\.\\pipe\\clientele-${createHash('sha256').update(directory).digest('hex')}`
    : join(directory, 'run', 'clientele.sock')

/** None with PostgreSQL, unless it is set. */
export const accountsFile = (
  config: Pick<Config, 'accounts-file' | 'data-dir' | 'database-url'>,
): string | undefined => {
  if (config['accounts-file'] !== undefined) return resolve(config['accounts-file'])
  return config['database-url'].scheme === 'sqlite' ? resolve(config['data-dir'], 'accounts.json') : undefined
}

/** The files of a service with a SQLite database. */
export const sqliteFiles = (dataDir: string, { file }: SqliteUrl): DataFiles => {
  const directory = resolve(dataDir)
  return {
    directory,
    database: resolve(directory, file),
    masterToken: resolve(directory, 'master-token'),
    previousMasterToken: resolve(directory, 'previous-master-token'),
    encryptionKey: resolve(directory, 'encryption-key'),
    socket: socketPath(directory, platform()),
  }
}

/** None with PostgreSQL: an instance keeps nothing in files. */
export const dataFiles = (config: Pick<Config, 'data-dir' | 'database-url'>): DataFiles | undefined => {
  const url = config['database-url']
  return url.scheme === 'sqlite' ? sqliteFiles(config['data-dir'], url) : undefined
}
