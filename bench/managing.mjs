// node bench/managing.mjs [--postgresql] [COUNT] [DIRECTORY or URL]: fills a database with clients (1,000,000 by default),
// indexes their texts, and prints how long the operator's requests take at the store. The database is of SQLite, or of a
// PostgreSQL server that ends with the bench. With a DIRECTORY or a URL the database stays, and is not filled again.
import { mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadConfig, readFile } from '../packages/app/dist/index.js'
import { openData } from '../packages/app/dist/data/open-data.js'
import { registrationSettings } from '../packages/app/dist/config/registration.js'
import { defaultLifeCycle } from '../packages/domain/dist/life-cycle/index.js'
import { decideRegistration } from '../packages/domain/dist/registration/index.js'
import { newDatabases } from './databases.mjs'
import { metadata } from './requests.mjs'

const isOnPostgresql = process.argv.includes('--postgresql')
const [count = '1000000', given] = process.argv.slice(2).filter((each) => each !== '--postgresql')
const total = Number(count)
const server = isOnPostgresql && given === undefined ? await newDatabases(1) : undefined
const url = isOnPostgresql ? (given ?? server.urls[0]) : undefined
const directory = isOnPostgresql || given === undefined ? mkdtempSync(join(tmpdir(), 'clientele-managing-')) : given
const day = 86_400

const orThrow = (result) => {
  if (result._tag === 'Left') throw new Error(JSON.stringify(result.left))
  return result.right
}

const environment = isOnPostgresql
  ? {
      CLIENTELE_BASE_URL: 'http://127.0.0.1:8080',
      CLIENTELE_DATABASE_URL: url,
      CLIENTELE_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64url'),
      CLIENTELE_MASTER_TOKEN: 'the-master-token-of-the-bench-which-is-long-enough',
    }
  : {}
const { config } = orThrow(loadConfig({ flags: { 'data-dir': directory }, environment, readFile }))
const onFatal = (error) => {
  throw error
}
const admit = () => async () => ({ _tag: 'Right', right: undefined })
const data = orThrow(await openData(config, { onFatal, expectExisting: false, admit })())
const { store, generator } = data
const { clientSearch, registry, clientUses } = store
const settings = registrationSettings(config, 'http://127.0.0.1')
const facts = { now: generator.now(), lifeCycle: defaultLifeCycle }

const template = orThrow(
  decideRegistration(settings)({
    credential: { kind: 'master' },
    token: { _tag: 'None' },
    statement: { _tag: 'None' },
    issued: generator.issue(),
    body: { _tag: 'Right', right: JSON.parse(JSON.stringify(metadata(0))) },
  }),
).client

const origins = ['nobody', 'nobody', 'nobody', 'token', 'master']

// Of the last year, in the order of registration; of 100,000 each, one is of a token, one of a statement.
const clientOf = (number) => {
  const { client_id, registration_id, registration_access_token } = generator.issue()
  const host = `app-${number.toString(36)}.example`
  return {
    ...template,
    client_id,
    registration_id,
    registration_access_token,
    client_id_issued_at: facts.now - 365 * day + Math.floor((number / total) * 365 * day),
    registered_by: origins[number % origins.length],
    metadata: {
      ...template.metadata,
      client_name: `Application ${number} of ${['Ada', 'Grace', 'Alan', 'Edsger'][number % 4]}`,
      contacts: [`ops@${host}`],
      redirect_uris: [`https://${host}/callback`],
    },
    ...(number % 100_000 === 7 ? { provenance: { token: registration_id.slice(0, 12) } } : {}),
    ...(number % 10_000 === 8 ? { provenance: { statement_issuer: 'https://federation.example' } } : {}),
    ...(number % 50_000 === 9 ? { suspended_at: facts.now - day } : {}),
  }
}

const timed = async (name, run) => {
  const began = performance.now()
  await run()
  console.log(`${name}: ${((performance.now() - began) / 1000).toFixed(1)} s`)
}

const fill = async () => {
  for (let done = 0; done < total; done += 500) {
    const clients = Array.from({ length: 500 }, (_, place) => clientOf(done + place))
    orThrow(await registry.importClients(clients.map((client) => ({ client, replacing: undefined })))())
    // A third is used, some of them long ago.
    const used = clients.filter((_, place) => place % 3 === 0)
    await Promise.all(used.map((client, place) => clientUses.recordUse(client, facts.now - (place % 170) * day)()))
  }
}

const index = async () => {
  while (orThrow(await clientSearch.indexTexts(1000)()) > 0);
}

// As the server does by itself within minutes.
const vacuum = async () => {
  const { Client } = createRequire(new URL('../packages/adapters-postgresql/package.json', import.meta.url))('pg')
  const client = new Client({ connectionString: url })
  await client.connect()
  await client.query('VACUUM ANALYZE')
  await client.end()
}

const isFilled = orThrow(await clientSearch.lastPosition()) > 0
if (!isFilled) await timed(`fill of ${total.toLocaleString('en')} clients`, fill)
await timed('index of the texts', index)
if (isOnPostgresql) await timed('vacuum', vacuum)

const percentile = (sorted, part) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))].toFixed(1)

/** The milliseconds of single pages; and of the whole list of the filter, if it is read to its end. */
const measure = async (name, queryOf, { pages = 200, wholeList = false } = {}) => {
  const times = []
  let found = 0
  for (let number = 0; number < pages; number += 1) {
    let { filter, after = 0 } = queryOf(number)
    do {
      const began = performance.now()
      const page = orThrow(await clientSearch.searchClients(filter, facts, { after, limit: 100 })())
      times.push(performance.now() - began)
      found += page.clients.length
      after = wholeList ? page.next : undefined
    } while (after !== undefined)
  }
  const sorted = times.toSorted((one, other) => one - other)
  console.log(
    `${name.padEnd(44)} p50 ${percentile(sorted, 0.5).padStart(6)} ms  p99 ${percentile(sorted, 0.99).padStart(6)} ms  ` +
      `${(found / pages).toFixed(0).padStart(6)} clients, ${(times.length / pages).toFixed(1)} pages each`,
  )
}

const last = orThrow(await clientSearch.lastPosition())
const anywhere = () => Math.floor(Math.random() * last)
const some = () => Math.floor(Math.random() * total)

await measure('first page', () => ({ filter: {} }))
await measure('page anywhere in the list', () => ({ filter: {}, after: anywhere() }))
await measure('search of one host', () => ({ filter: { q: `ops@app-${some().toString(36)}.` } }), { wholeList: true })
await measure('search of one name', () => ({ filter: { q: `application ${some()} of` } }), { wholeList: true })
await measure('search of what most have', () => ({ filter: { q: 'application' }, after: anywhere() }))
await measure('search of what a quarter has', () => ({ filter: { q: 'of grace' }, after: anywhere() }))
await measure('search of three characters', () => ({ filter: { q: `${100 + (some() % 900)}` } }))
await measure('search of what none has', () => ({ filter: { q: 'nothing like this' } }), { wholeList: true })
for (const state of ['unused', 'active', 'idle', 'parked', 'suspended'])
  await measure(`state ${state}, anywhere`, () => ({ filter: { state }, after: anywhere() }))
for (const origin of ['open', 'token', 'operator', 'statement', 'import'])
  await measure(`origin ${origin}, anywhere`, () => ({ filter: { origin }, after: anywhere() }))
await measure('registered_by token, anywhere', () => ({ filter: { registered_by: 'token' }, after: anywhere() }))
await measure('since the last day', () => ({ filter: { since: facts.now - day } }), { pages: 20, wholeList: true })
await measure('idle since 100 days, anywhere', () => ({
  filter: { idle_since: facts.now - 100 * day },
  after: anywhere(),
}))
await measure('never used, anywhere', () => ({ filter: { never_used: true }, after: anywhere() }))
await measure('token, of which there is none', () => ({ filter: { token: 'AAAAAAAAAAAA' } }), { wholeList: true })
await measure('software_id, of which there is none', () => ({ filter: { software_id: 'none-of-these' } }), {
  wholeList: true,
})
await store.close()
await server?.close()
if (directory !== given) rmSync(directory, { recursive: true })
