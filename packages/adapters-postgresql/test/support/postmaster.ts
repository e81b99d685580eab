// The process of a PostgreSQL server.
import { type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { query } from './query.js'
import { runAsServerUser, spawnAsServerUser } from './server-user.js'

/** The folder holds `data`, which initdb made, and the `log`. */
export type Place = { readonly binaries: string; readonly folder: string }

export type Settings = Readonly<Record<string, string>>

const limit = 30_000

export const hasEnded = (child: ChildProcess): boolean => child.exitCode !== null || child.signalCode !== null

export const launch = async ({ binaries, folder }: Place, settings: Settings): Promise<ChildProcess> => {
  const log = openSync(join(folder, 'log'), 'a')
  const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const child = spawnAsServerUser(join(binaries, 'postgres'), ['-D', join(folder, 'data'), ...options], {
    cwd: folder,
    stdio: ['ignore', log, log],
  })
  closeSync(log)
  await once(child, 'spawn')
  // A test that forgets to close the server does not hold up the end of the process.
  child.unref()
  return child
}

export const untilAnswering = async (child: ChildProcess, { folder }: Place, url: string): Promise<void> => {
  const deadline = Date.now() + limit
  const isAnswering = () =>
    query(url, 'SELECT 1').then(
      () => true,
      () => false,
    )
  while (!(await isAnswering())) {
    if (hasEnded(child) || Date.now() > deadline)
      throw new Error(`the server does not start: ${readFileSync(join(folder, 'log'), 'utf8').slice(-2_000)}`)
    await setTimeout(20)
  }
}

const signals = { fast: 'SIGINT', immediate: 'SIGQUIT', killed: 'SIGKILL' } as const

/** `fast` ends connections and shuts down; `immediate` is a crash, and `killed` one that only the postmaster suffers at once. */
export type StopMode = keyof typeof signals

export const end = async (child: ChildProcess, mode: StopMode): Promise<void> => {
  if (hasEnded(child)) return
  child.ref()
  const ended = once(child, 'exit', { signal: AbortSignal.timeout(limit) })
  child.kill(signals[mode])
  await ended
}

/** As `end`, for the end of this process, when there is no time for events. */
export const endAtOnce = ({ binaries, folder }: Place): void => {
  runAsServerUser(join(binaries, 'pg_ctl'), ['stop', '--mode=immediate', '-D', join(folder, 'data')], folder)
}
