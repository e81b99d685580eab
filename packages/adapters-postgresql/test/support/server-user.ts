// Runs programs of PostgreSQL as the user of the server: they refuse to run as root.
import { type SpawnOptions, spawn, spawnSync } from 'node:child_process'

const user = process.getuid?.() === 0 ? ['--reuid=postgres', '--regid=postgres', '--clear-groups'] : []

// Linux ends what is started here even if this process is killed, by a signal on which a server still cleans up.
const isLinux = process.platform === 'linux'
const before = isLinux ? ['setpriv', '--pdeathsig=QUIT', ...user] : []

// Without the variables of this process, of which PostgreSQL reads some (PGDATA, PGPORT, …). With TZ, initdb does not
// search for the time zone.
const env = { PATH: process.env['PATH'], LC_ALL: 'C', TZ: 'UTC' }

/** Runs a program to its end, for at most half a minute: what it printed. */
export const runAsServerUser = (program: string, args: ReadonlyArray<string>, cwd = '/'): string => {
  const options = { cwd, env, encoding: 'utf8', timeout: 30_000, killSignal: 'SIGKILL' } as const
  const { status, stdout, stderr, error } = spawnSync('env', [...before, program, ...args], options)
  if (status !== 0) throw new Error(`${program} failed: ${error?.message ?? stderr}`)
  return stdout.trim()
}

/** Not in the process group of this process: a signal to the group, which may be SIGKILL, does not reach the server. */
export const spawnAsServerUser = (program: string, args: ReadonlyArray<string>, options: SpawnOptions) =>
  spawn('env', [...before, program, ...args], { ...options, env, detached: isLinux })
