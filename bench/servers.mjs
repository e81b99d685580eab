// The subjects: how each of them is started, and what it calls the same things.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { newFolder, startServer } from './machine.mjs'
import { ask, benchKey, json } from './requests.mjs'

const path = (name) => fileURLToPath(new URL(name, import.meta.url))
const [patience, drained] = [60_000, 15_000]

export const ours = 'clientele'
export const [limit, peer, peerInMemory] = ['limit', 'oidc-provider on SQLite', 'oidc-provider in memory']

const oidcProvider = (argument) => ({
  command: (folder) => [path('subjects/oidc-provider.mjs'), argument ?? join(folder, 'oidc.db')],
  keySet: '/jwks',
  signedIn: async ({ base }) => {
    const { cookie } = await (await ask(`${base}/bench/session`)).json()
    return { cookie, kid: 'bench', path: '/session/end' }
  },
})

const settings = (folder) => ({
  CLIENTELE_PORT: '0',
  CLIENTELE_DATA_DIR: folder,
  CLIENTELE_ALLOW_OPEN_REGISTRATION: 'true',
  CLIENTELE_LOG_LEVEL: 'error',
})

export const masterToken = ({ folder }) => ({
  authorization: `Bearer ${readFileSync(join(folder, 'master-token'), 'utf8').trim()}`,
})

const asMaster = async (server, path, body) => {
  const headers = { ...json, ...masterToken(server) }
  return (await ask(server.base + path, { method: 'POST', headers, body: JSON.stringify(body) })).json()
}

const subjects = {
  [ours]: {
    command: () => [path('../packages/app/bin/clientele.js')],
    env: settings,
    keySet: '/jwks.json',
    signedIn: async (server, { client_id }) => {
      const { keys } = await asMaster(server, '/keys/import', { keys: [benchKey] })
      const { sid, cookie } = await asMaster(server, '/sessions', { sub: 'alice' })
      await asMaster(server, `/sessions/${sid}/clients`, { client_id })
      const { kid } = keys.find(({ phase, use }) => phase === 'signing' && use === 'sig')
      return { cookie: `${cookie.name}=${cookie.value}`, kid, path: '/logout' }
    },
  },
  [limit]: {
    command: (folder) => [path('subjects/limit.mjs'), join(folder, 'limit.db')],
    keySet: '/jwks.json',
    signedIn: async () => ({ cookie: 'session=alice', kid: 'bench', path: '/logout' }),
  },
  [peer]: oidcProvider(),
  [peerInMemory]: oidcProvider('in-memory'),
  'bare iterate()': { command: (folder) => [path('subjects/iterate.mjs'), join(folder, 'clientele.db')] },
}

const ended = (child, milliseconds) =>
  new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve()
    const timer = setTimeout(() => child.kill('SIGKILL'), milliseconds)
    child.once('exit', () => {
      clearTimeout(timer)
      resolve()
    })
  })

const ready = (name, child) =>
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

/** Starts a subject; `readyAfter` is the milliseconds that it took. */
export const start = async (name, { folder = newFolder(), env = {} } = {}) => {
  const subject = subjects[name]
  const began = performance.now()
  const child = startServer([process.execPath, ...subject.command(folder)], {
    BENCH_KEY: JSON.stringify(benchKey),
    ...subject.env?.(folder),
    ...env,
  })
  const addresses = await ready(name, child)
  const stop = () => {
    child.kill('SIGTERM')
    return ended(child, drained)
  }
  return { ...subject, ...addresses, name, folder, pid: child.pid, stop, readyAfter: performance.now() - began }
}
