// A database that restarts, is read-only, locked or silent, under concurrent callers.
import type { Store } from '@clientele/domain/ports'
import { done, exampleClient, listed, refused, addition } from '@clientele/testing'
import * as E from 'fp-ts/lib/Either.js'
import { setTimeout } from 'node:timers/promises'
import { Client } from 'pg'
import * as assert from 'uvu/assert'
import { postgresqlSuite } from './support/postgresql-suite.js'
import { startProxy } from './support/proxy.js'
import { query } from './support/query.js'
import type { Server } from './support/server.js'
import { numbers } from './support/services.js'
import { newStore, opened } from './support/temporary-store.js'

const tests = postgresqlSuite('a store whose database is away for a while')

const add = (store: Store, id: string) => store.registry.addClient(addition(exampleClient(id)))

const timed = async <Value>(task: () => Promise<Value>): Promise<{ readonly value: Value; readonly took: number }> => {
  const began = performance.now()
  const value = await task()
  return { value, took: performance.now() - began }
}

type Calls = { ids: Array<string>; longest: number; firstAfter: number; ends: boolean; back: number }

/** Adds one client after the other until the end. */
const call = async (store: Store, name: string, calls: Calls): Promise<void> => {
  for (let index = 0; !calls.ends; index += 1) {
    const { value, took } = await timed(add(store, `${name}-${index}`))
    calls.longest = Math.max(calls.longest, took)
    if (E.isLeft(value)) continue
    calls.ids.push(`${name}-${index}`)
    if (calls.back > 0 && calls.firstAfter === 0) calls.firstAfter = performance.now() - calls.back
  }
}

tests.own('has all that was answered after a crash, and answers soon after it', async (server) => {
  const url = await newStore(server)
  const store = await opened(url)
  const calls: Calls = { ids: [], longest: 0, firstAfter: 0, ends: false, back: 0 }
  const callers = numbers(20).map((index) => call(store, `client-${index}`, calls))
  await setTimeout(500)
  await server.stop('immediate')
  await setTimeout(500)
  await server.start()
  calls.back = performance.now()
  await setTimeout(1_500)
  calls.ends = true
  await Promise.all(callers)
  const stored = new Set((await listed(store.registry)).map(({ client_id }) => String(client_id)))
  await store.close()
  assert.equal(
    calls.ids.filter((id) => !stored.has(id)),
    [],
  )
  assert.ok(calls.longest < 6_000, `a caller waited for ${calls.longest} ms`)
  assert.ok(calls.firstAfter > 0 && calls.firstAfter < 1_500, `the first success came after ${calls.firstAfter} ms`)
})

/** Whether the database takes writes, from now on and for new connections only. */
const setReadOnly = async (server: Server, url: string, isReadOnly: boolean): Promise<void> => {
  const name = new URL(url).pathname.slice(1)
  await query(server.url(), `ALTER DATABASE ${name} SET default_transaction_read_only = ${isReadOnly ? 'on' : 'off'}`)
  const others = 'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1'
  if (isReadOnly) await query(server.url(), others, [name])
}

tests('is unavailable while it is read-only, opens nevertheless, and goes on afterwards', async (server) => {
  const url = await newStore(server)
  const store = await opened(url)
  await done(add(store, 'before'))
  await setReadOnly(server, url, true)
  const [failed, checked, second] = await Promise.all([
    timed(() => refused(add(store, 'during'))),
    timed(() => refused(store.check)),
    opened(url),
  ])
  assert.is(failed.value.error, 'unavailable')
  assert.is(checked.value.error, 'unavailable')
  assert.ok(failed.took < 5_000 && checked.took < 5_000, `${failed.took} and ${checked.took} ms`)
  assert.is((await listed(second.registry)).length, 1)
  const waiting = add(second, 'waiting')()
  await setReadOnly(server, url, false)
  assert.ok(E.isRight(await waiting))
  await done(store.check)
  await done(add(store, 'after'))
  await second.close()
  await store.close()
})

tests('lets no caller wait for longer than 5 s for a lock, and goes on afterwards', async (server) => {
  const url = await newStore(server)
  const store = await opened(url)
  const locking = new Client({ connectionString: url })
  await locking.connect()
  await locking.query('BEGIN')
  await locking.query('LOCK TABLE clients IN ACCESS EXCLUSIVE MODE')
  const calls = numbers(20).map((index) => timed(add(store, `client-${index}`)))
  await setTimeout(3_000)
  await locking.query('COMMIT')
  await locking.end()
  const outcomes = await Promise.all(calls)
  for (const { value } of outcomes) if (E.isLeft(value)) assert.is(value.left.error, 'unavailable')
  assert.ok(outcomes.every(({ took }) => took < 5_000))
  assert.is((await listed(store.registry)).length, outcomes.filter(({ value }) => E.isRight(value)).length)
  await done(add(store, 'afterwards'))
  await store.close()
})

tests('answers within 10 s when the database is silent', async (server) => {
  const proxy = await startProxy(await newStore(server))
  const store = await opened(proxy.url)
  proxy.swallow(true)
  const { value, took } = await timed(() => refused(add(store, 'a')))
  await proxy.close()
  await store.close()
  assert.is(value.error, 'unavailable')
  assert.ok(took < 10_000, `answered after ${took} ms`)
})

tests('lets no caller wait for two batches when the database is silent', async (server) => {
  const proxy = await startProxy(await newStore(server))
  const store = await opened(proxy.url)
  proxy.swallow(true)
  const calls = numbers(4).map(async (index) => {
    await setTimeout(index * 300)
    return timed(() => refused(store.registry.findClient(exampleClient(`client-${index}`).client_id)))
  })
  const longest = Math.max(...(await Promise.all(calls)).map(({ took }) => took))
  await proxy.close()
  await store.close()
  assert.ok(longest < 7_000, `a caller waited for ${longest} ms`)
})

tests('leaves connections to others while many registrations wait for room', async (server) => {
  const store = await opened(await newStore(server), { maxConnections: 2, maxTogether: 1 })
  const limits = { clients: 10_000, unusedOpenClients: 10_000 }
  const additions = Promise.all(
    numbers(200).map((index) => store.registry.addClient(addition(exampleClient(`client-${index}`), { limits }))()),
  )
  const { took } = await timed(() => done(store.registry.findClient(exampleClient('none').client_id)))
  const all = await timed(() => additions)
  assert.ok(all.value.every(E.isRight))
  assert.ok(took < all.took / 2, `a look-up took ${took} ms, 200 registrations ${all.took} ms`)
  await store.close()
})

tests('completes pending operations before it closes', async (server) => {
  const store = await opened(await newStore(server), { maxConnections: 2 })
  const checks = Promise.all(numbers(30).map(() => store.check()))
  await store.close()
  assert.equal((await checks).filter(E.isLeft), [])
})

tests('refuses operations that begin after it was closed', async (server) => {
  const store = await opened(await newStore(server))
  await store.close()
  assert.is((await refused(store.check)).error, 'unavailable')
  assert.is((await refused(add(store, 'late'))).error, 'unavailable')
})

tests.run()
