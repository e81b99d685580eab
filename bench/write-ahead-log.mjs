// node bench/write-ahead-log.mjs [SECONDS]: the octets that PostgreSQL writes to its log for a registration, with its row of the
// audit log, the checkpoint that lists it and its texts; and how many versions of rows each registration leaves behind.
import { createRequire } from 'node:module'
import { setTimeout } from 'node:timers/promises'
import { newDatabases } from './databases.mjs'
import { load } from './load.mjs'
import { freePort } from './machine.mjs'
import { checkout, onPostgresql } from './servers.mjs'
import { start } from './start.mjs'
import { registration } from './works/register.mjs'

const { Client } = createRequire(new URL('../packages/adapters-postgresql/package.json', import.meta.url))('pg')
const [seconds = '5', root] = process.argv.slice(2)
if (root !== undefined) checkout.root = root
const databases = await newDatabases(1)
const port = String(await freePort())
const server = await start(onPostgresql, {
  env: {
    CLIENTELE_DATABASE_URL: databases.urls[0],
    CLIENTELE_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64url'),
    CLIENTELE_MASTER_TOKEN: 'the-master-token-of-the-bench-which-is-long-enough',
    CLIENTELE_PORT: port,
    CLIENTELE_BASE_URL: `http://127.0.0.1:${port}`,
    CLIENTELE_WORKERS: '1',
  },
  isBound: true,
})
const client = new Client({ connectionString: databases.urls[0] })
await client.connect()
const one = async (text) => Number(Object.values((await client.query(text)).rows[0])[0])
const written = () => one("SELECT pg_current_wal_insert_lsn() - '0/0'")
const clients = () => one('SELECT count(*) FROM clients')

// Pages are written whole once after each checkpoint of PostgreSQL: those of the first registrations count for nothing.
await load({ ...registration(server), connections: 64, seconds: 2 })
await setTimeout(12_000)
const before = { written: await written(), clients: await clients() }
await load({ ...registration(server), connections: 64, seconds: Number(seconds) })
const made = (await clients()) - before.clients
const atOnce = (await written()) - before.written
// Until the checkpoints of the audit log and the texts are written.
for (let quiet = 0, last = 0; quiet < 4;) {
  await setTimeout(3_000)
  const now = await written()
  quiet = now - last < 20_000 ? quiet + 1 : 0
  last = now
}
const inAll = (await written()) - before.written
const dead = await one(
  "SELECT coalesce(sum(n_tup_upd + n_tup_del), 0) FROM pg_stat_user_tables WHERE relname IN ('clients', 'audit_rows')",
)
console.log(
  `${made} registrations: ${Math.round(atOnce / made)} octets each at once, ${Math.round(inAll / made)} in all`,
)
console.log(
  `${(dead / (await clients())).toFixed(2)} versions of rows of clients and audit_rows are left behind by each`,
)
await client.end()
await (server.stop ?? server.close)?.()
await databases.close()
process.exit(0)
