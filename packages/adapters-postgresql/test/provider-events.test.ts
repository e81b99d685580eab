// Events of transactions that overlap and commit in another order.
import { done, exampleClient, exampleHash, exampleId, exampleTime, addition, removal } from '@clientele/testing'
import { Client } from 'pg'
import * as assert from 'uvu/assert'
import { postgresqlSuite } from './support/postgresql-suite.js'
import { atOnce, numbers, openServices } from './support/services.js'
import { query } from './support/query.js'
import { newStore, opened } from './support/temporary-store.js'

const tests = postgresqlSuite('the events for providers')

const event = (id: string): string => JSON.stringify({ event: 'session_ended', sid: id })

tests('an event is shown when no earlier one can come', async (server) => {
  const url = await newStore(server)
  const store = await opened(url)
  await done(store.registry.addClient(addition(exampleClient('a'))))
  const earlier = new Client({ connectionString: url })
  await earlier.connect()
  await earlier.query('BEGIN')
  await earlier.query('INSERT INTO provider_events (event) VALUES ($1)', [event('earlier')])
  await done(store.registry.removeClient(removal(exampleId('a'))))
  assert.is(await done(store.providerEvents.latestPosition), 0)
  assert.equal(await done(store.providerEvents.listEvents(0, 10)), { events: [], position: 0, forgotten: false })
  await earlier.query('COMMIT')
  await earlier.end()
  const { events, position } = await done(store.providerEvents.listEvents(0, 10))
  assert.equal(
    events.map((each) => each.event.event),
    ['session_ended', 'client_deleted'],
  )
  assert.is(await done(store.providerEvents.latestPosition), position)
  await store.close()
})

tests(
  'events and tombstones keep their bounds where the ordinals of steps were used up by what was undone',
  async (server) => {
    const url = await newStore(server)
    const store = await opened(url)
    await done(store.registry.addClient(addition(exampleClient('a'))))
    for (const [table, columns, values, bound] of [
      ['provider_events', 'event', `'{}'`, 11_000],
      ['tombstones', 'id, until', 'n::text, 0', 101_000],
    ] as const) {
      await query(url, `INSERT INTO ${table} (${columns}) SELECT ${values} FROM generate_series(1, ${bound}) AS n`)
      await query(url, `ALTER TABLE ${table} ALTER COLUMN ordinal RESTART WITH ${bound + 1}`)
    }
    const tombstone = { id: exampleHash('tombstone'), until: exampleTime }
    await done(store.registry.removeClient(removal(exampleId('a'), { tombstone })))
    const counts = ['provider_events', 'tombstones'].map((table) => `(SELECT count(*)::int FROM ${table}) AS ${table}`)
    assert.equal(await query(url, `SELECT ${counts.join(', ')}`), [{ provider_events: 10_000, tombstones: 100_000 }])
    await store.close()
  },
)

tests('a reader misses no event of three services, and none comes twice', async (server) => {
  const services = await openServices(await newStore(server))
  const [{ providerEvents }] = services.stores
  await atOnce(services, 90, ({ registry }, index) => registry.addClient(addition(exampleClient(`client-${index}`))))
  const removals = atOnce(services, 90, ({ registry }, index) =>
    registry.removeClient(removal(exampleId(`client-${index}`))),
  )
  const seen: Array<string> = []
  const read = async (position: number): Promise<number> => {
    const page = await done(providerEvents.listEvents(position, 7))
    assert.ok(page.position >= position)
    seen.push(...page.events.flatMap(({ event: each }) => (each.event === 'client_deleted' ? [each.client_id] : [])))
    return page.position
  }
  const deadline = performance.now() + 60_000
  for (let position = 0; seen.length < 90 && performance.now() < deadline;) position = await read(position)
  await removals
  await services.close()
  assert.equal(
    [...seen].sort(),
    numbers(90)
      .map((index) => `client-${index}`)
      .sort(),
  )
})

tests(
  'a reader that begins on an empty store has missed nothing, also after its events were left out of a dump',
  async (server) => {
    const url = await newStore(server)
    const store = await opened(url)
    await query(url, 'ALTER TABLE provider_events ALTER COLUMN ordinal RESTART WITH 5001')
    const position = await done(store.providerEvents.latestPosition)
    await query(url, 'INSERT INTO provider_events (event) VALUES ($1)', [event('a')])
    assert.not((await done(store.providerEvents.listEvents(position, 10))).forgotten)
    await store.close()
  },
)

tests('a reader learns that events were forgotten, and of no gap between two transactions', async (server) => {
  const url = await newStore(server)
  const store = await opened(url)
  await query(url, 'INSERT INTO provider_events (event) VALUES ($1)', [event('a')])
  const first = await done(store.providerEvents.listEvents(0, 10))
  assert.not(first.forgotten)
  await query(url, 'SELECT pg_current_xact_id()')
  await query(url, 'ALTER TABLE provider_events ALTER COLUMN ordinal RESTART WITH 2001')
  await query(url, 'INSERT INTO provider_events (event) VALUES ($1)', [event('b')])
  assert.not((await done(store.providerEvents.listEvents(first.position, 10))).forgotten)
  await query(url, 'DELETE FROM provider_events WHERE ordinal <= 2000')
  assert.ok((await done(store.providerEvents.listEvents(first.position, 10))).forgotten)
  await store.close()
})

tests.run()
