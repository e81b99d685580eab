// The files of the data directory, by their names alone.
import { createHash } from 'node:crypto'
import { platform } from 'node:os'
import { join, resolve } from 'node:path'

export type DataFiles = {
  readonly directory: string
  readonly database: string
  readonly masterToken: string
  readonly encryptionKey: string
  /** By which commands reach the running service. */
  readonly socket: string
}

/** Bytes of the longest path of a socket: 107 on Linux, 103 on macOS and the BSDs (sun_path of sockaddr_un). */
export const maxSocketPath = 103

/** On Windows a named pipe, which lies in no directory. */
export const socketPath = (directory: string, system: string): string =>
  system === 'win32'
    ? `\\\\.\\pipe\\clientele-${createHash('sha256').update(directory).digest('hex')}`
    : join(directory, 'run', 'clientele.sock')

export const dataFiles = (directory: string): DataFiles => ({
  directory: resolve(directory),
  database: resolve(directory, 'clientele.db'),
  masterToken: resolve(directory, 'master-token'),
  encryptionKey: resolve(directory, 'encryption-key'),
  socket: socketPath(resolve(directory), platform()),
})
