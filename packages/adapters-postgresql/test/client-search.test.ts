// The index of texts on PostgreSQL: what it reads, and what finds the clients that are not in it.
import { defaultLifeCycle } from '@clientele/domain/life-cycle'
import type { ClientFilter } from '@clientele/domain/managing'
import type { Store } from '@clientele/domain/ports'
import { type RegisteredClient, storedMetadata } from '@clientele/domain/registration'
import {
  type OpenedStore,
  searchContract,
  done,
  exampleClient,
  exampleTime,
  refused,
  addition,
  noRow,
  removal,
} from '@clientele/testing'
import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import * as assert from 'uvu/assert'
import { blockSize } from '../../adapters-sql/src/client-search.js'
import { settle } from '../src/transact.js'
import { postgresqlSuite } from './support/postgresql-suite.js'
import { query } from './support/query.js'
import { rowsRead } from './support/rows-read.js'
import type { Server } from './support/server.js'
import { newStore, openTwiceOn, opened } from './support/temporary-store.js'

/** A new store whose clients are far from each other, so that a few are in many blocks. */
const sparseStore = async (server: Server): Promise<string> => {
  const url = await newStore(server)
  await query(url, 'ALTER TABLE clients ALTER COLUMN ordinal SET INCREMENT BY 97')
  return url
}

const tests = postgresqlSuite('the index of texts on PostgreSQL')

const facts = { now: exampleTime, lifeCycle: defaultLifeCycle }

const named = (id: string, client_name: string): RegisteredClient => {
  const client = exampleClient(id)
  return { ...client, metadata: storedMetadata({ ...client.metadata, client_name }) }
}

const add = async (store: Store, clients: ReadonlyArray<RegisteredClient>): Promise<void> => {
  for (const client of clients) await done(store.registry.addClient(addition(client)))
}

const index = async (store: Store): Promise<void> => {
  while ((await done(store.clientSearch.indexTexts(100))) > 0) await Promise.resolve()
}

const idsOf = async (store: Store, filter: ClientFilter): Promise<ReadonlyArray<string>> => {
  const { clients, next } = await done(store.clientSearch.searchClients(filter, facts, { after: 0, limit: 100 }))
  assert.is(next, undefined)
  return clients.map(({ client_id }) => client_id)
}

const countBlocks = async (url: string): Promise<unknown> =>
  (await query(url, 'SELECT count(*)::int AS blocks FROM search_blocks'))[0]?.['blocks']

/** A transaction on a connection of its own. */
const transaction = async (url: string): Promise<pg.Client> => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query('BEGIN')
  return client
}

const commit = async (client: pg.Client): Promise<void> => {
  await client.query('COMMIT')
  await client.end()
}

tests('indexes nothing while an earlier registration may commit, and finds what is there', async (server) => {
  const url = await sparseStore(server)
  const store = await opened(url)
  await add(store, [named('late', 'Calendar')])
  // It is under way again: the row has its ordinal, and is in no answer.
  const [row] = await query(url, "SELECT ordinal::int FROM clients WHERE client_id LIKE '%late%'")
  const late = await transaction(url)
  await late.query(settle.text.replace('xact_lock', 'xact_lock_shared'))
  await late.query('CREATE TEMPORARY TABLE taken AS SELECT * FROM clients')
  await query(url, 'DELETE FROM clients')
  await late.query('INSERT INTO clients OVERRIDING SYSTEM VALUE SELECT * FROM taken')
  await add(store, [named('later', 'Calendar')])
  assert.is((await refused(store.clientSearch.indexTexts(10))).error, 'unavailable')
  const before = await idsOf(store, { q: 'calendar' })
  assert.is(before.length, 1)
  await commit(late)
  assert.is((await idsOf(store, { q: 'calendar' })).length, 2)
  await index(store)
  assert.is((await idsOf(store, { q: 'calendar' })).length, 2)
  assert.ok(row !== undefined)
  await store.close()
})

tests(
  'finds an updated client by its new texts, and not by the earlier ones, in the index and out of it',
  async (server) => {
    const store = await opened(await sparseStore(server))
    const client = named('one', 'Calendar')
    await add(store, [client, named('two', 'Calendar')])
    await index(store)
    const renamed = { ...named('one', 'Almanac'), version: client.version + 1 }
    await done(store.registry.replaceClient({ next: renamed, replacing: client, audit: noRow }))
    for (const isIndexed of [false, true]) {
      if (isIndexed) await index(store)
      assert.equal(await idsOf(store, { q: 'almanac' }), [client.client_id])
      assert.is((await idsOf(store, { q: 'calendar' })).length, 1)
    }
    await store.close()
  },
)

tests('finds a client with more texts than a block has tokens for', async (server) => {
  const store = await opened(await sparseStore(server))
  const texts = Array.from({ length: 12_000 }, (_, place) => String.fromCodePoint(0x4e00 + place))
  await add(store, [named('long', `${texts.join('')} the end`), named('other', 'Calendar')])
  await index(store)
  assert.is((await idsOf(store, { q: 'the end' })).length, 1)
  assert.is((await idsOf(store, { q: 'calendar' })).length, 1)
  assert.equal(await idsOf(store, { q: 'nothing' }), [])
  await store.close()
})

/** Copies of the first client, as if they were indexed; so many that the database would choose another plan than for few. */
const many = 60_000
const searches = 20
const copies = `
INSERT INTO clients (client_id, registration_id, version, client_id_issued_at, registration_access_token_hash, registered_by,
  privileges, metadata, credentials, imported, unused_open)
SELECT client_id || n, registration_id || n, version, client_id_issued_at, registration_access_token_hash || n, registered_by,
  privileges, metadata, credentials, imported, unused_open FROM clients, generate_series(1, ${many}) AS numbers (n);
INSERT INTO client_texts SELECT ordinal, 'number ' || ordinal FROM clients ON CONFLICT DO NOTHING;
UPDATE search_progress SET indexed_to = (SELECT max(ordinal) FROM clients);
UPDATE clients SET reindex = 1, metadata = replace(metadata, 'Calendar', 'Almanac')
WHERE ordinal = (SELECT max(ordinal) FROM clients);
ANALYZE`

tests('reads few of many clients for a text that one of them has', async (server) => {
  const url = await newStore(server)
  const store = await opened(url)
  await add(store, [named('first', 'Calendar')])
  await index(store)
  await query(url, copies)
  await index(store)
  await store.close()
  const before = await rowsRead(url)
  const reading = await opened(url)
  // So often that the database plans the prepared statements without their values.
  for (let search = 0; search < searches; search += 1) assert.is((await idsOf(reading, { q: 'almanac' })).length, 1)
  // Its connections tell what they read when they end.
  await reading.close()
  const after = await rowsRead(url)
  for (const table of ['clients', 'client_texts'] as const) {
    const read = (after[table] - before[table]) / searches
    assert.ok(read > 0 && read < many / 10, `${table}: ${read}`)
  }
})

tests('keeps no block of which all clients are removed', async (server) => {
  const url = await newStore(server)
  const store = await opened(url)
  const clients = Array.from({ length: blockSize + 2 }, (_, place) => named(`client-${place}`, 'Calendar'))
  await add(store, clients)
  await index(store)
  assert.is(await countBlocks(url), 2)
  for (const { client_id } of clients.slice(0, -1)) await done(store.registry.removeClient(removal(client_id)))
  for (let pass = 0; pass < 5_000 && (await countBlocks(url)) !== 1; pass += 1)
    await done(store.clientSearch.indexTexts(10))
  assert.is(await countBlocks(url), 1)
  assert.is((await idsOf(store, { q: 'calendar' })).length, 1)
  await store.close()
})

const countScans = async (url: string): Promise<Readonly<Record<string, unknown>>> =>
  (
    await query(
      url,
      `SELECT seq_scan::int AS whole, idx_scan::int AS by_index FROM pg_stat_user_tables WHERE relname = 'search_blocks'`,
    )
  )[0] ?? {}

/** The counts of a connection are there soon after it ends. */
const countScansAfter = async (url: string, byIndex: number): Promise<Readonly<Record<string, unknown>>> => {
  const counts = await countScans(url)
  if (Number(counts['by_index']) >= byIndex) return counts
  await setTimeout(50)
  return countScansAfter(url, byIndex)
}

tests('is never read from end to end by a search', async (server) => {
  const url = await sparseStore(server)
  const indexing = await opened(url)
  await add(
    indexing,
    Array.from({ length: 10 }, (_, place) => named(`client-${place}`, 'Calendar')),
  )
  await index(indexing)
  await indexing.close()
  const before = await countScansAfter(url, 1)
  const searching = await opened(url)
  for (let time = 0; time < 10; time += 1) await idsOf(searching, { q: 'calendar' })
  await searching.close()
  const after = await countScansAfter(url, Number(before['by_index']) + 10)
  assert.is(after['whole'], before['whole'])
})

// The contracts are named before the server starts.
const used: { server?: Server } = {}
const open = async (): Promise<OpenedStore> => {
  if (used.server === undefined) throw new Error('a contract opened a store before its test')
  return openTwiceOn(await sparseStore(used.server))
}

for (const { name, run } of searchContract('on PostgreSQL, in many blocks', open))
  tests(name, async (server) => {
    used.server = server
    await run()
  })

tests.run()
