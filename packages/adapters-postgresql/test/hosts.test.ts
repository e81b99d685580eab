// A store on several hosts: it uses the one that takes writes, also after a failover.
import type { Store } from '@clientele/domain/ports'
import { done, exampleClient, listed, refused, addition } from '@clientele/testing'
import * as E from 'fp-ts/lib/Either.js'
import { once } from 'node:events'
import { type Socket, createServer } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import { createConnections } from '../src/connections.js'
import { freePort } from './support/free-port.js'
import { setDefault } from './support/new-database.js'
import { postgresqlSuite } from './support/postgresql-suite.js'
import { query } from './support/query.js'
import type { OwnServer } from './support/server.js'
import { nameOfStandby, startStandby, untilReplicated } from './support/standby.js'
import { newStore, opened, optionsOf, refusalOf } from './support/temporary-store.js'

const tests = postgresqlSuite('a store on several hosts')

/** The same database at these ports, in this order. */
const onPorts = (url: string, ...ports: ReadonlyArray<number>): string =>
  url.replace(new URL(url).host, ports.map((port) => `127.0.0.1:${port}`).join(','))

const add = (store: Store, id: string) => store.registry.addClient(addition(exampleClient(id)))

const databaseOf = (url: string): string => new URL(url).pathname.slice(1)

/** A host that accepts connections, and says nothing. */
const startSilence = async () => {
  const sockets: Array<Socket> = []
  const server = createServer((socket) => sockets.push(socket.on('error', () => undefined)))
  await once(server.listen(await freePort(), '127.0.0.1'), 'listening')
  const address = server.address()
  const close = async (): Promise<void> => {
    sockets.forEach((socket) => socket.destroy())
    server.close()
    await once(server, 'close')
  }
  return { port: typeof address === 'object' ? (address?.port ?? 0) : 0, connections: () => sockets.length, close }
}

const withStandby = async (server: OwnServer): Promise<OwnServer> => {
  const standby = await startStandby(server, server.port)
  await server.stop('fast')
  await server.start({ synchronous_standby_names: nameOfStandby })
  await untilReplicated(server, 'sync')
  return standby
}

/** Connections that stay. One that found a standby is closed at once. */
const users = `SELECT pid FROM pg_stat_activity
  WHERE application_name = 'clientele' AND backend_start < clock_timestamp() - interval '1 second'`

tests.own('goes on by itself when the primary ends and its standby is promoted, and loses nothing', async (server) => {
  const url = await newStore(server)
  const standby = await withStandby(server)
  const store = await opened(onPorts(url, standby.port, server.port))
  const state = { isOver: false, back: 0, firstAfter: 0 }
  const answered: Array<string> = []
  const calls = ['a', 'b', 'c', 'd'].map(async (caller) => {
    for (let index = 0; !state.isOver; index += 1) {
      if (E.isLeft(await add(store, `${caller}-${index}`)())) continue
      answered.push(`${caller}-${index}`)
      if (state.back > 0) state.firstAfter ||= performance.now() - state.back
    }
  })
  await setTimeout(1_500)
  assert.ok(answered.length > 0)
  assert.equal(await query(standby.urlOfSuperuser, users), [])
  await server.stop('immediate')
  await setTimeout(1_500)
  assert.equal(await query(standby.urlOfSuperuser, users), [])
  await query(standby.urlOfSuperuser, 'SELECT pg_promote()')
  state.back = performance.now()
  while (state.firstAfter === 0 && performance.now() - state.back < 10_000) await setTimeout(50)
  state.isOver = true
  await Promise.all(calls)
  await done(store.check)
  const stored = new Set((await listed(store.registry)).map(({ client_id }) => String(client_id)))
  await store.close()
  await standby.close()
  await server.start()
  assert.equal(
    answered.filter((id) => !stored.has(id)),
    [],
  )
  assert.ok(state.firstAfter > 0 && state.firstAfter < 1_000, `the first success came after ${state.firstAfter} ms`)
})

tests.own('refuses to open where no host takes writes, and names each without the password', async (server) => {
  const url = await newStore(server)
  const standby = await withStandby(server)
  const nobody = await freePort()
  const { message } = await refusalOf(onPorts(url, nobody, standby.port))
  // With any, a host is left when a write shows that it takes none.
  const store = await opened(`${onPorts(url, standby.port, server.port)}?target_session_attrs=any`)
  await done(add(store, 'by-any'))
  await store.close()
  await standby.close()
  await server.stop('fast')
  await server.start()
  assert.is(
    message,
    `postgresql://127.0.0.1:${nobody},127.0.0.1:${standby.port}/${databaseOf(url)} cannot be reached (` +
      `127.0.0.1:${nobody}: connect ECONNREFUSED 127.0.0.1:${nobody}; ` +
      `127.0.0.1:${standby.port}: it takes no writes: it is a standby, or read-only): ` +
      'let one of its hosts take writes, or correct database-url',
  )
})

tests('passes over a dead host and a silent one within seconds, and tries the last good one first', async (server) => {
  const url = await newStore(server)
  const silence = await startSilence()
  const several = onPorts(url, await freePort(), silence.port, Number(new URL(url).port))
  const began = performance.now()
  const store = await opened(several, { maxConnections: 1 })
  const took = performance.now() - began
  await query(server.url(), 'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [
    databaseOf(url),
  ])
  await done(add(store, 'after'))
  await store.close()
  const tried = silence.connections()
  await silence.close()
  assert.ok(took < 3_000, `it opened after ${took} ms`)
  assert.is(tried, 1)
})

tests('stays at a host whose connections are all in use', async (server) => {
  const url = await newStore(server)
  const silence = await startSilence()
  const connections = createConnections(
    optionsOf(onPorts(url, Number(new URL(url).port), silence.port), { maxConnections: 1 }),
  )
  const sleep = { name: 'sleep', text: 'SELECT pg_sleep(2)' }
  const [slow, waiting] = await Promise.all([
    connections.run((ask) => ask(sleep)),
    connections.run((ask) => ask(sleep)),
  ])
  await connections.close()
  const tried = silence.connections()
  await silence.close()
  assert.ok(E.isRight(slow))
  assert.is(E.isLeft(waiting) ? waiting.left.verdict : 'done', 'elsewhere')
  assert.is(tried, 0)
})

tests('with primary, is read while it takes no writes; by default it is not', async (server) => {
  const url = await newStore(server)
  const port = Number(new URL(url).port)
  const store = await opened(onPorts(url, port, port))
  await done(add(store, 'before'))
  await setDefault(url, 'default_transaction_read_only', 'on')
  await query(server.url(), 'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [
    databaseOf(url),
  ])
  const refusal = JSON.stringify(await refused(store.check))
  const other = await opened(`${url}?target_session_attrs=primary`)
  const found = (await listed(other.registry)).length
  await query(server.url(), `ALTER DATABASE ${databaseOf(url)} RESET default_transaction_read_only`)
  await done(add(store, 'afterwards'))
  await other.close()
  await store.close()
  assert.match(refusal, 'the database takes no writes: it is a standby, or read-only')
  assert.is(found, 1)
})

tests('a URL of another kind is refused', async () => {
  for (const url of ['mysql://a,b/c', 'postgresql://a,b:port/c', 'postgresql://a,b/c?target_session_attrs=standby'])
    assert.match((await refusalOf(url)).message, 'the URL of the database is not valid')
})

tests.run()
