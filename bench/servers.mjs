// The subjects: how each of them is started, and its names for routes.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ask, benchKey, json } from './requests.mjs'
import { prepareGlewlwyd } from './subjects/glewlwyd.mjs'

/** The checkout whose service is measured: this one, or an earlier one for comparison. */
export const checkout = { root: fileURLToPath(new URL('..', import.meta.url)) }

const path = (name) => fileURLToPath(new URL(name, import.meta.url))
const node = (...parts) => ({ command: [process.execPath, ...parts] })

export const ours = 'clientele'
/** Series of this service with the authorization server; the others are without. */
export const oursWithEngine = 'clientele with engine oidc-provider'
export const limit = 'limit'
export const peer = 'oidc-provider on SQLite'
export const peerInMemory = 'oidc-provider in memory'
export const glewlwyd = 'Glewlwyd'
export const iterate = 'bare iterate()'
export const onPostgresql = 'on PostgreSQL'
export const twoWorkers = 'on PostgreSQL, two workers'

const oidcProvider = (argument) => ({
  prepare: (folder) => node(path('subjects/oidc-provider.mjs'), argument ?? join(folder, 'oidc.db')),
  keySet: '/jwks',
  signedIn: async ({ base }) => {
    const { cookie } = await (await ask(`${base}/bench/session`)).json()
    return { cookie, kid: 'bench', path: '/session/end' }
  },
})

// An earlier checkout without an engine refuses the setting.
const withoutEngine = () => (hasEngine() ? { CLIENTELE_ENGINE: 'none' } : {})

export const withEngine = { CLIENTELE_ENGINE: 'oidc-provider' }

/** Whether the checkout has the authorization server. */
export const hasEngine = () => existsSync(join(checkout.root, 'packages/adapters-oidc-provider'))

// One address does all the work, more than budgets permit or with the largest one. An earlier checkout without budgets refuses the settings.
const withoutBudgets = () =>
  ['abuse-settings', 'limits'].some((name) => existsSync(join(checkout.root, `packages/app/src/config/${name}.ts`)))
    ? {
        CLIENTELE_MAXIMUM_FAILED_CREDENTIALS: 'off',
        CLIENTELE_MAXIMUM_OPEN_REGISTRATIONS: '86400000/86400000',
        CLIENTELE_MAXIMUM_LOGOUT_PAGES: 'off',
        CLIENTELE_MAXIMUM_AUTHORIZATION_REQUESTS: '60000/60000',
      }
    : {}

const settings = (folder) => ({
  ...withoutEngine(),
  ...withoutBudgets(),
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

/**
 * `prepare` returns the command that runs a subject on a folder, and a check for its readiness if it prints no ready
 * line.
 */
export const subjects = {
  [ours]: {
    prepare: () => node(join(checkout.root, 'packages/app/bin/clientele.js')),
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
  [onPostgresql]: { prepare: () => node(join(checkout.root, 'packages/app/bin/clientele.js')), env: settings },
  [limit]: {
    prepare: (folder) => node(path('subjects/limit.mjs'), join(folder, 'limit.db')),
    keySet: '/jwks.json',
    signedIn: async () => ({ cookie: 'session=alice', kid: 'bench', path: '/logout' }),
  },
  [peer]: oidcProvider(),
  [peerInMemory]: oidcProvider('in-memory'),
  [iterate]: { prepare: (folder) => node(path('subjects/iterate.mjs'), join(folder, 'clientele.db')) },
  [glewlwyd]: { prepare: prepareGlewlwyd, keySet: '/jwks' },
}
