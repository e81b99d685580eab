import { unavailable } from '@clientele/domain/kernel'
import { unreadableClient } from '@clientele/domain/ports'
import type { RegisteredClient } from '@clientele/domain/registration'
import * as E from 'fp-ts/lib/Either.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { getClients } from '../support/handlers.js'
import { asking, membersOf, textOf } from '../support/http-request.js'
import { type World, createWorld, master } from '../support/in-memory-ports.js'
import { registered } from '../support/registered.js'

const listing = suite('GET /clients')

type Row = ReturnType<World['service']['streamClients']> extends AsyncIterable<infer Each> ? Each : never

const listOf = async (rows: ReadonlyArray<Row>) => {
  const world = createWorld({
    streamClients: async function* () {
      yield* rows
    },
  })
  const answer = await asking(getClients, world)({ token: master })
  const parsed: unknown = JSON.parse(await textOf(answer))
  assert.ok(Array.isArray(parsed))
  return { world, listed: parsed.map((client: unknown) => Object.fromEntries(Object.entries(client ?? {}))) }
}

const clientsOf = async (count: number): Promise<ReadonlyArray<RegisteredClient>> => {
  const world = createWorld()
  for (let left = count; left > 0; left -= 1) await registered(world, { client_name: `client ${left}` })
  return [...world.store.clients.values()]
}

listing('without clients is an empty array', async () => {
  assert.equal((await listOf([])).listed, [])
})

listing('tells every client, in the order of the store', async () => {
  const clients = await clientsOf(3)
  const { listed } = await listOf(clients.map((client) => E.right(client)))
  assert.equal(
    listed.map(({ client_id }) => client_id),
    clients.map(({ client_id }) => client_id),
  )
})

listing(
  'a client that cannot be read is named wherever it stands, there and in the log, and breaks nothing',
  async () => {
    const [first, second] = (await clientsOf(2)).map((client) => E.right(client))
    const lost = unreadableClient('lost', 'row 7 does not decode')
    const bad = E.left(lost)
    assert.ok(first !== undefined && second !== undefined)
    const orders: ReadonlyArray<ReadonlyArray<Row>> = [
      [bad],
      [bad, bad],
      [bad, first, second],
      [first, bad, second],
      [first, second, bad],
      [bad, first, bad, bad, second, bad],
    ]
    for (const rows of orders) {
      const { listed, world } = await listOf(rows)
      assert.equal(
        listed.map(({ client_id }) => client_id),
        rows.map((row) => (E.isRight(row) ? row.right.client_id : 'lost')),
      )
      assert.equal(
        listed.filter(({ client_id }) => client_id === 'lost'),
        rows.filter(E.isLeft).map(() => ({ client_id: 'lost', unreadable: true })),
      )
      assert.equal(
        world.unreadable,
        rows.filter(E.isLeft).map(() => lost),
      )
    }
  },
)

listing('a list longer than one write is one JSON array', async () => {
  const [client] = await clientsOf(1)
  assert.ok(client !== undefined)
  assert.is((await listOf(Array.from({ length: 500 }, () => E.right(client)))).listed.length, 500)
})

listing('reads no further than it is read: the clients are never all in memory', async () => {
  const [client] = await clientsOf(1)
  assert.ok(client !== undefined)
  let read = 0
  const world = createWorld({
    streamClients: async function* () {
      for (; read < 1_000_000; read += 1) yield E.right(client)
    },
  })
  const { body } = await asking(getClients, world)({ token: master })
  assert.ok(body.kind === 'stream')
  const chunks = body.chunks[Symbol.asyncIterator]()
  assert.is(read, 0, 'the first byte does not wait for a second client')
  const first = await chunks.next()
  assert.not.ok(first.done)
  assert.ok(read < 1000, `${read} clients were read for one chunk`)
})

listing('a store that fails at once is 503, and one that fails later breaks the array off', async () => {
  const [client] = await clientsOf(1)
  assert.ok(client !== undefined)
  const failing = (...before: ReadonlyArray<Row>) =>
    asking(
      getClients,
      createWorld({
        streamClients: async function* () {
          yield* before
          yield E.left(unavailable('why-it-failed'))
        },
      }),
    )({ token: master })
  const atOnce = await failing()
  assert.equal([atOnce.status, atOnce.body, atOnce.detail], [503, { kind: 'empty' }, atOnce.detail])
  assert.match(JSON.stringify(atOnce.headers), 'Retry-After')
  const later = await failing(E.right(client))
  assert.is(later.status, 200)
  const broken = await textOf(later).then(
    () => 'whole',
    () => 'broken',
  )
  assert.is(broken, 'broken')
})

listing('only the master token lists: not nobody, not a registration access token, not an initial one', async () => {
  const world = createWorld()
  const { token } = await registered(world)
  const ask = asking(getClients, world)
  const nobody = await ask()
  assert.equal([nobody.status, nobody.headers['WWW-Authenticate']], [401, 'Bearer'])
  assert.is(membersOf(nobody)['error'], 'missing_token')
  for (const [other, refusedWith, error] of [
    [token, 403, 'insufficient_scope'],
    ['unknown', 401, 'invalid_token'],
  ] as const) {
    const answer = await ask({ token: other })
    assert.equal([answer.status, membersOf(answer)['error']], [refusedWith, error])
    assert.match(answer.headers['WWW-Authenticate'] ?? '', `error="${error}"`)
  }
})

listing('is application/json', async () => {
  const { status, headers } = await asking(getClients, createWorld())({ token: master })
  assert.equal([status, headers], [200, { 'Content-Type': 'application/json' }])
})

listing.run()
