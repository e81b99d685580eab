// node bench/connections.mjs [COUNT] [DIRECTORY]: fills a SQLite file with connections (1,000,000 by default), each with a
// refresh token, and prints how long pages of the operator take at the store. With a DIRECTORY the file stays, and is not filled
// again.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadConfig, readFile } from '../packages/app/dist/index.js'
import { openData } from '../packages/app/dist/data/open-data.js'
import { registrationSettings } from '../packages/app/dist/config/registration.js'
import { decideRegistration } from '../packages/domain/dist/registration/index.js'
import { metadata } from './requests.mjs'

const [count = '1000000', given] = process.argv.slice(2)
const total = Number(count)
const directory = given ?? mkdtempSync(join(tmpdir(), 'clientele-connections-'))
const day = 86_400
const clients = 1_000
const users = Math.ceil(total / clients)

const orThrow = (result) => {
  if (result._tag === 'Left') throw new Error(JSON.stringify(result.left))
  return result.right
}

const { config } = orThrow(loadConfig({ flags: { 'data-dir': directory }, environment: {}, readFile }))
const onFatal = (error) => {
  throw error
}
const admit = () => async () => ({ _tag: 'Right', right: undefined })
const { store, generator, hashToken } = orThrow(await openData(config, { onFatal, expectExisting: false, admit })())
const { artefacts, connections, consents, registry } = store
const now = generator.now()

const template = orThrow(
  decideRegistration(registrationSettings(config, 'http://127.0.0.1'))({
    credential: { kind: 'master' },
    token: { _tag: 'None' },
    statement: { _tag: 'None' },
    issued: generator.issue(),
    body: { _tag: 'Right', right: JSON.parse(JSON.stringify(metadata(0))) },
  }),
).client
const clientOf = (number) => ({
  ...template,
  ...generator.issue(),
  client_id: `application-${number}`,
  registration_id: `registration-${number}`.padEnd(22, '_'),
  client_id_issued_at: now,
})
const all = Array.from({ length: clients }, (_, number) => clientOf(number))
const userOf = (number) => `user-${number}`

// One in a thousand has a rare scope; the uses are of the last half of a year.
const connect = async (number) => {
  const { client_id, registration_id } = all[number % clients]
  const client = { client_id, registration_id }
  const sub = userOf(Math.floor(number / clients))
  const scope = number % 1_000 === 7 ? ['openid', 'rare'] : ['openid', 'email']
  const shown = { name: ['Application'], redirect_hosts: ['rp.example'], identity: '', keys: [] }
  const given_at = now - 365 * day + Math.floor((number / total) * 365 * day)
  orThrow(await consents.recordConsent({ sub, client, scope, resources: {}, shown, given_at })())
  const expires_at = now + 30 * day
  const token = { kind: 'refresh_token', hash: hashToken(`token ${number}`), client, sub, expires_at, payload: {} }
  orThrow(await artefacts.storeArtefact(token, now - (number % 170) * day)())
}

const fill = async () => {
  orThrow(await registry.importClients(all.map((client) => ({ client, replacing: undefined })))())
  for (let done = 0; done < total; done += 500)
    await Promise.all(Array.from({ length: 500 }, (_, place) => connect(done + place)))
}

if (orThrow(await connections.lastConnection()) === 0) {
  const began = performance.now()
  await fill()
  console.log(`fill of ${total.toLocaleString('en')} connections: ${((performance.now() - began) / 1000).toFixed(0)} s`)
}

const percentile = (sorted, part) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))].toFixed(1)

const measure = async (name, queryOf, pages = 200) => {
  const times = []
  let found = 0
  for (let number = 0; number < pages; number += 1) {
    const { filter, after = 0 } = queryOf()
    const began = performance.now()
    const page = orThrow(await connections.searchConnections(filter, now, { after, limit: 100 })())
    times.push(performance.now() - began)
    found += page.connections.length
  }
  const sorted = times.toSorted((one, other) => one - other)
  console.log(
    `${name.padEnd(36)} p50 ${percentile(sorted, 0.5).padStart(6)} ms  p99 ${percentile(sorted, 0.99).padStart(6)} ms  ` +
      `${(found / pages).toFixed(0).padStart(6)} connections each`,
  )
}

const last = orThrow(await connections.lastConnection())
const anywhere = () => Math.floor(Math.random() * last)
const client_id = () => all[Math.floor(Math.random() * clients)].client_id
const sub = () => userOf(Math.floor(Math.random() * users))

await measure('first page', () => ({ filter: {} }))
await measure('anywhere in the list', () => ({ filter: {}, after: anywhere() }))
await measure('of a client', () => ({ filter: { client_id: client_id() } }))
await measure('of a client, anywhere', () => ({ filter: { client_id: client_id() }, after: anywhere() }))
await measure('of an end-user', () => ({ filter: { sub: sub() } }))
await measure('of a client and an end-user', () => ({ filter: { client_id: client_id(), sub: sub() } }))
await measure('a common scope', () => ({ filter: { scope: 'email' }, after: anywhere() }))
await measure('a rare scope', () => ({ filter: { scope: 'rare' }, after: anywhere() }))
await measure('idle since 100 days', () => ({ filter: { idle_since: now - 100 * day }, after: anywhere() }))
await measure('idle since 300 days, of which are none', () => ({
  filter: { idle_since: now - 300 * day },
  after: anywhere(),
}))
await measure('used today', () => ({ filter: { used_since: now }, after: anywhere() }))
await measure('revoked, of which are none', () => ({ filter: { state: 'revoked' } }))
await store.close()
if (given === undefined) rmSync(directory, { recursive: true })
