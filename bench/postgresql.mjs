// The stage of several instances: this service on SQLite, and on one database of PostgreSQL, alone and as two workers.
import { newDatabases } from './databases.mjs'
import { freePort } from './machine.mjs'
import { onPostgresql, ours, twoWorkers } from './servers.mjs'
import { start } from './start.mjs'

/** Series whose server may run on both cores, beside its load and PostgreSQL. */
export const unbound = (name) => `${name}, both cores`

const settings = async (url, workers) => {
  const port = String(await freePort())
  return {
    CLIENTELE_DATABASE_URL: url,
    CLIENTELE_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64url'),
    CLIENTELE_MASTER_TOKEN: 'the-master-token-of-the-bench-which-is-long-enough',
    CLIENTELE_PORT: port,
    CLIENTELE_BASE_URL: `http://127.0.0.1:${port}`,
    CLIENTELE_WORKERS: String(workers),
  }
}

/** Filled by `filled`, which registers clients over HTTP. Without PostgreSQL, SQLite alone. */
export const openInstances = async (filled) => {
  const databases = await newDatabases(1).catch((error) => console.error(`  without PostgreSQL: ${error.message}`))
  const servers = { [ours]: await start(ours) }
  if (databases !== undefined) {
    const [url] = databases.urls
    const open = async (name, workers, isBound = true) =>
      (servers[isBound ? name : unbound(name)] = await start(onPostgresql, {
        env: await settings(url, workers),
        isBound,
      }))
    await open(onPostgresql, 1)
    await open(twoWorkers, 2)
    await open(onPostgresql, 1, false)
    await open(twoWorkers, 2, false)
  }
  const clients = { [ours]: await filled(servers[ours]) }
  const shared = databases && (await filled(servers[onPostgresql]))
  for (const name of Object.keys(servers)) servers[name] = { ...servers[name], clients: clients[name] ?? shared }
  return { servers, close: databases?.close }
}
