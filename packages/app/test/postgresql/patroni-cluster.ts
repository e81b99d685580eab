// Patroni on three servers, etcd and HAProxy, by the files and commands of docs/operate/several-instances.md, on addresses of
// loopback. etcd has one member, and a pipe stands for the watchdog device.
import { atExit } from '../../../adapters-postgresql/test/support/at-exit.js'
import { findBinaries } from '../../../adapters-postgresql/test/support/binaries.js'
import { givenUrl } from '../../../adapters-postgresql/test/support/given.js'
import { hasEnded } from '../../../adapters-postgresql/test/support/postmaster.js'
import { runAsServerUser, spawnAsServerUser } from '../../../adapters-postgresql/test/support/server-user.js'
import type { ChildProcess } from 'node:child_process'
import { randomBytes, randomInt } from 'node:crypto'
import { once } from 'node:events'
import { closeSync, constants, existsSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { root } from '../support/documented-commands.js'

const binaries = findBinaries()
const folders = ['/usr/sbin', ...(process.env['PATH'] ?? '').split(delimiter)]
const pathOf = (name: string): string | undefined => folders.map((folder) => join(folder, name)).find(existsSync)
const needed = ['patroni', 'patronictl', 'etcd', 'haproxy', 'openssl']

export const isPatroniInstalled =
  givenUrl === undefined && binaries !== undefined && needed.every((name) => pathOf(name) !== undefined)

/** The block of code in the document that matches, without the indentation of its list. */
export const documented = (pattern: RegExp): string => {
  const text = readFileSync(join(root, 'docs/operate/several-instances.md'), 'utf8')
  const blocks = [...text.matchAll(/^( *)```\w*\n([\s\S]*?)^ *```$/gm)].map(([, indent = '', block = '']) =>
    block.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
  )
  const found = blocks.find((block) => pattern.test(block))
  if (found === undefined) throw new Error(`docs/operate/several-instances.md has no block like ${String(pattern)}`)
  return found
}

type Names = ReadonlyArray<readonly [string, string]>

const named = (text: string, names: Names): string =>
  names.reduce((changed, [name, own]) => changed.replaceAll(name, own), text)

type Member = { readonly name: string; readonly role: string; readonly state: string }

const isMember = (value: unknown): value is Member =>
  typeof value === 'object' && value !== null && 'name' in value && 'role' in value && 'state' in value

const membersAt = async (address: string): Promise<ReadonlyArray<Member>> => {
  const response = await fetch(`http://${address}:8008/cluster`, { signal: AbortSignal.timeout(2_000) })
  const { members } = Object.assign({ members: [] as unknown }, await response.json())
  return Array.isArray(members) ? members.filter(isMember) : []
}

const end = (child: ChildProcess, signal: NodeJS.Signals): Promise<unknown> => {
  if (hasEnded(child)) return Promise.resolve()
  child.ref()
  const ended = once(child, 'exit', { signal: AbortSignal.timeout(30_000) })
  child.kill(signal)
  return ended
}

/** A program of the folder, with its output in a file there. */
const launch = (folder: string, name: string, args: ReadonlyArray<string>): ChildProcess => {
  const log = openSync(join(folder, 'log'), 'a')
  // Linux ends it with this process, by a signal on which Patroni ends its server.
  const started = spawnAsServerUser('setpriv', ['--pdeathsig=TERM', 'env', ...args], {
    cwd: folder,
    stdio: ['ignore', log, log],
  })
  closeSync(log)
  started.unref()
  started.once('error', (error) => {
    throw new Error(`${name} does not start: ${String(error)}`)
  })
  return started
}

/** Patroni opens it while it is primary, writes at each turn of its loop, and `V` when it ends by itself. */
const startWatchdog = (device: string, bite: () => void) => {
  runAsServerUser('mkfifo', [device])
  const pipe = new Socket({ fd: openSync(device, constants.O_RDWR | constants.O_NONBLOCK) }).unref()
  let timeout = 15_000
  let timer: NodeJS.Timeout | undefined
  pipe.on('data', (chunk) => {
    const [, seconds] = /timeout=(\d+)/.exec(chunk.toString()) ?? []
    timeout = seconds === undefined ? timeout : Number(seconds) * 1_000
    clearTimeout(timer)
    timer = chunk.toString().endsWith('V') ? undefined : setTimeout(bite, timeout).unref()
  })
  return { disarm: () => clearTimeout(timer), close: () => void pipe.destroy() }
}

export type Node = {
  readonly name: string
  readonly start: () => void
  /** The end of its host: Patroni and PostgreSQL by SIGKILL. */
  readonly kill: () => Promise<void>
  /** Patroni stands still, until the watchdog or a kill ends it. */
  readonly freeze: () => void
  /** Whether the watchdog ended it, or a kill. */
  readonly hasEnded: () => boolean
  /** The end of its log. */
  readonly lastWords: () => string
  readonly close: () => Promise<void>
}

const startNode = (place: string, number: number, names: Names, address: string): Node => {
  const name = `node${number}`
  const folder = join(place, name)
  runAsServerUser('mkdir', [folder])
  const subject = ['-subj', `/CN=${address}`, '-addext', `subjectAltName=IP:${address}`, '-days', '2']
  const files = ['-keyout', join(folder, `${name}.key`), '-out', join(folder, `${name}.crt`)]
  runAsServerUser('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', ...subject, ...files])
  const own: Names = [
    ['10.0.0.1:', `${address}:`],
    ['node1', name],
    ['/etc/patroni/', `${folder}/`],
    ['/var/lib/postgresql/15/clientele', join(folder, 'data')],
    ['/run/postgresql', folder],
    ['device: /dev/watchdog', `device: ${join(folder, 'watchdog')}\n  driver: testing`],
    ...names,
  ]
  writeFileSync(join(folder, 'config.yml'), named(documented(/^scope: clientele/), own))
  const run = (): ChildProcess => launch(folder, name, [pathOf('patroni') ?? '', join(folder, 'config.yml')])
  let patroni = run()
  /** The server outlives its Patroni. */
  const killServer = (): void => {
    try {
      const pid = Number(readFileSync(join(folder, 'data/postmaster.pid'), 'utf8').split('\n')[0])
      if (readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(folder)) process.kill(pid, 'SIGKILL')
    } catch {
      // It has ended.
    }
  }
  const killAtOnce = (): void => {
    patroni.kill('SIGKILL')
    killServer()
  }
  const watchdog = startWatchdog(join(folder, 'watchdog'), killAtOnce)
  const kill = async (): Promise<void> => {
    const ended = end(patroni, 'SIGKILL')
    killServer()
    await ended
    watchdog.disarm()
  }
  atExit(killAtOnce)
  return {
    name,
    start: () => {
      patroni = run()
    },
    kill,
    freeze: () => void patroni.kill('SIGSTOP'),
    hasEnded: () => hasEnded(patroni),
    lastWords: () => `${name}:\n${readFileSync(join(folder, 'log'), 'utf8').slice(-4_000)}`,
    close: async () => {
      await kill()
      watchdog.close()
    },
  }
}

const startEtcd = (place: string, names: Names): ChildProcess => {
  const settings = named(documented(/^ETCD_NAME/), [['/var/lib/etcd/clientele', join(place, 'etcd')], ...names])
  const alone = settings.replace(/,etcd2=.*$/m, '').trim()
  return launch(place, 'etcd', [...alone.split('\n'), pathOf('etcd') ?? ''])
}

const startHaproxy = (place: string, names: Names): ChildProcess => {
  const file = join(place, 'haproxy.cfg')
  writeFileSync(file, named(documented(/^listen clientele/), names))
  return launch(place, 'haproxy', [pathOf('haproxy') ?? '', '-db', '-f', file])
}

export type Cluster = {
  /** By its hosts, and by HAProxy. */
  readonly url: string
  readonly proxied: string
  readonly leader: () => Promise<Node>
  /** Waits until three members run, one of them as primary and one as synchronous standby. */
  readonly untilWhole: () => Promise<void>
  readonly switchOver: () => void
  readonly stopEtcd: () => Promise<void>
  readonly startEtcd: () => void
  readonly close: () => Promise<void>
}

export const startCluster = async (): Promise<Cluster> => {
  const place = runAsServerUser('mktemp', ['-d', join(tmpdir(), 'clientele-patroni-XXXXXX')])
  const network = `127.${randomInt(1, 255)}.${randomInt(0, 256)}.`
  const password = randomBytes(12).toString('hex')
  const names: Names = [
    ['10.0.0.0/24', '127.0.0.0/8'],
    ['10.0.0.', network],
    ['127.0.0.1:5000', `${network}20:5000`],
    ['/usr/lib/postgresql/15/bin', binaries ?? ''],
    [':PASSWORD@', `:${password}@`],
    ...['PASSWORD_OF_POSTGRES', 'PASSWORD_OF_REPLICATOR', '…'].map((each) => [each, password] as const),
  ]
  let etcd = startEtcd(place, names)
  const nodes = [1, 2, 3].map((number) => startNode(place, number, names, `${network}${number}`))
  const haproxy = startHaproxy(place, names)
  const withdraw = atExit(() => {
    for (const each of [etcd, haproxy]) each.kill('SIGKILL')
    rmSync(place, { recursive: true, force: true, maxRetries: 5 })
  })

  const members = async (): Promise<ReadonlyArray<Member>> => {
    for (const number of [1, 2, 3]) {
      const found = await membersAt(`${network}${number}`).catch(() => [])
      if (found.length > 0) return found
    }
    return []
  }
  const untilWhole = async (): Promise<void> => {
    const deadline = Date.now() + 90_000
    for (;;) {
      const found = await members()
      const roles = found.filter(({ state }) => /running|streaming/.test(state)).map(({ role }) => role)
      if (roles.length === 3 && roles.includes('leader') && roles.includes('sync_standby')) return
      if (Date.now() > deadline)
        throw new Error(
          [`the members are ${JSON.stringify(found)}`, ...nodes.map(({ lastWords }) => lastWords())].join('\n'),
        )
      await pause(100)
    }
  }
  /** Runs a command of the document. */
  const run = (pattern: RegExp): string => {
    const command = named(documented(pattern).trim(), [['/etc/patroni/', join(place, 'node1/')], ...names])
    const env = [`PATH=${binaries ?? ''}:${process.env['PATH'] ?? ''}`, `PGPASSWORD=${password}`]
    return runAsServerUser('env', [...env, 'sh', '-ec', command], place)
  }
  await untilWhole()
  writeFileSync(join(place, 'clientele.sql'), named(documented(/^CREATE ROLE/), names))
  run(/^psql/)
  const url = named(/'(.*)'/.exec(documented(/^export CLIENTELE_DATABASE_URL/))?.[1] ?? '', names)
  return {
    url,
    proxied: url.replace(/@[^/]*/, `@${network}20:5000`),
    leader: async () => {
      const name = (await members()).find(({ role }) => role === 'leader')?.name
      const found = nodes.find((each) => each.name === name)
      if (found === undefined) throw new Error('there is no primary')
      return found
    },
    untilWhole,
    switchOver: () => void run(/switchover/),
    stopEtcd: async () => void (await end(etcd, 'SIGTERM')),
    startEtcd: () => {
      etcd = startEtcd(place, names)
    },
    close: async () => {
      for (const each of nodes) await each.close()
      for (const each of [etcd, haproxy]) await end(each, 'SIGKILL')
      rmSync(place, { recursive: true, force: true, maxRetries: 5 })
      withdraw()
    },
  }
}
