// Starts a subject, and waits until it is ready.
import { newFolder, startServer, startUnbound } from './machine.mjs'
import { benchKey } from './requests.mjs'
import { subjects } from './servers.mjs'

const patience = 60_000
const drained = 15_000

const ended = (child, milliseconds) =>
  new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve()
    const timer = setTimeout(() => child.kill('SIGKILL'), milliseconds)
    child.once('exit', () => {
      clearTimeout(timer)
      resolve()
    })
  })

const readyLine = (name, child) =>
  new Promise((resolve, reject) => {
    let seen = ''
    const timer = setTimeout(
      () => reject(new Error(`${name} is not ready after ${patience / 1000} s: ${seen}`)),
      patience,
    )
    child.once('exit', (code) => reject(new Error(`${name} ended with ${code}: ${seen}`)))
    child.stdout.on('data', (chunk) => {
      seen += chunk
      const [, base, endpoint = '/clients'] = /^(?:clientele )?ready (\S+)(?: (\S+))?$/m.exec(seen) ?? []
      if (base === undefined) return
      clearTimeout(timer)
      resolve({ base, endpoint, management: /^Health and metrics at (\S+)$/m.exec(seen)?.[1] })
    })
  })

/** `readyAfter` is the start time in milliseconds. */
export const start = async (name, { folder = newFolder(), env = {}, isBound = true } = {}) => {
  const { prepare, env: envOf, ...subject } = subjects[name]
  const { command, ready = readyLine } = await prepare(folder)
  const began = performance.now()
  const all = { BENCH_KEY: JSON.stringify(benchKey), ...envOf?.(folder), ...env }
  const child = isBound ? startServer(command, all) : startUnbound(command, all)
  const stop = () => {
    child.kill('SIGTERM')
    return ended(child, drained)
  }
  const addresses = await ready(name, child).catch(async (error) => {
    await stop()
    throw error
  })
  return { ...subject, ...addresses, name, folder, pid: child.pid, stop, readyAfter: performance.now() - began }
}
