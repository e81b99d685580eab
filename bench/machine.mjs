// The measured machine: its cores, the processes of the run and its folder. Nothing of them outlives the run.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'

export const serverCore = 0
export const loadCore = 1
export const isInstalled = (command) => spawnSync(command, ['--version']).error === undefined
export const canPin = availableParallelism() > 1 && isInstalled('taskset')
export const hasWrk = process.env.BENCH_LOAD !== 'autocannon' && isInstalled('wrk')

// A sync on tmpfs costs nothing, but durable writes are measured.
const tmpfs = 0x01021994
if (statfsSync(tmpdir()).type === tmpfs) throw new Error(`${tmpdir()} lies in memory: set TMPDIR to a folder on a disk`)

const root = mkdtempSync(join(tmpdir(), 'clientele-bench-'))
export const newFolder = () => mkdtempSync(join(root, 'of-'))
export const newFile = (text) => {
  const file = join(newFolder(), 'file')
  writeFileSync(file, text)
  return file
}

/** A port of loopback that nothing uses now. */
export const freePort = async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address()
  server.close()
  await once(server, 'close')
  return port
}

const children = new Set()
process.on('exit', () => {
  for (const child of children) child.kill('SIGKILL')
  rmSync(root, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 })
})
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => process.exit(130))

const start = (core, [command, ...args], options) => {
  const child = canPin
    ? spawn('taskset', ['-c', String(core), command, ...args], options)
    : spawn(command, args, options)
  children.add(child)
  child.once('close', () => children.delete(child))
  return child
}

const asServer = (env) => ({ env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'inherit'] })
export const startServer = (command, env) => start(serverCore, command, asServer(env))
export const startUnbound = (command, env) => start(`${serverCore},${loadCore}`, command, asServer(env))

/** Runs a command on the other core, and returns its output. */
export const runLoad = (command) =>
  new Promise((resolve, reject) => {
    const child = start(loadCore, command, { stdio: ['ignore', 'pipe', 'inherit'] })
    let output = ''
    child.stdout.on('data', (chunk) => (output += chunk))
    child.once('error', reject)
    child.once('close', (code) =>
      code === 0 ? resolve(output) : reject(new Error(`${command[0]} ended with ${code}: ${output}`)),
    )
  })

export const pinSelf = () => canPin && spawnSync('taskset', ['-acp', String(loadCore), String(process.pid)])

export const hasProc = existsSync('/proc/self/status')
const mebibytes = (pid, member) => {
  if (!hasProc) return undefined
  const [, kibibytes] = new RegExp(`^${member}:\\s+(\\d+) kB`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))
  return Number(kibibytes) / 1024
}
export const memory = ({ pid }) => mebibytes(pid, 'VmRSS')
export const peakMemory = ({ pid }) => mebibytes(pid, 'VmHWM')
export const forgetPeak = ({ pid }) => hasProc && writeFileSync(`/proc/${pid}/clear_refs`, '5')

export const described = () =>
  [canPin ? 'server on one core, load on the other' : 'not bound to cores', hasWrk ? 'wrk' : 'autocannon'].join(', ')
