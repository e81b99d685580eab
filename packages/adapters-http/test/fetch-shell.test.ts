// Behaviour of the fetch shell alone; shell*.test.ts test the common behaviour of both shells.
import * as E from 'fp-ts/lib/Either.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createPublicHandler } from '../src/fetch.js'
import { redirect_uris } from './support/http-request.js'
import { type World, createWorld, httpSettings, master } from './support/in-memory-ports.js'
import { printedDuring } from './support/printed.js'
import { aClient, breakingAfter, endless } from './support/streamed.js'

const shell = suite('the fetch shell')

const origin = 'https://op.example'

const serving = (world: World, remoteAddress: (request: Request) => string | undefined = () => '192.0.2.1') =>
  createPublicHandler(httpSettings(), { ...world, remoteAddress }, { withOperators: false })

const authorized = { authorization: `Bearer ${master}` }
const json = { ...authorized, 'content-type': 'application/json' }

const registration = JSON.stringify({ redirect_uris })

const listed = (method = 'GET'): Request => new Request(`${origin}/clients`, { method, headers: authorized })

type Body = Exclude<RequestInit['body'], undefined>

const posted = (body: Body, headers: Readonly<Record<string, string>> = json): Request =>
  new Request(`${origin}/clients`, { method: 'POST', headers, body, duplex: 'half' })

const described = async (answer: Response): Promise<string> => {
  const { error_description }: { error_description?: string } = JSON.parse(await answer.text())
  return `${answer.status} ${error_description ?? ''}`
}

// An endless body in parts of 16 KiB, and the amount that was read of it.
const withoutEnd = () => {
  const seen = { taken: 0, left: false }
  const body = new ReadableStream<Uint8Array>(
    {
      pull: (controller) => {
        seen.taken += 1
        controller.enqueue(new Uint8Array(16_384))
      },
      cancel: () => void (seen.left = true),
    },
    { highWaterMark: 0 },
  )
  return { seen, body }
}

shell('a body that is told to be too large is left unread; one that turns out to be, is not read on', async () => {
  for (const [length, taken] of [
    [{ 'content-length': '10737418240' }, 0],
    [{}, 5],
  ] as const) {
    const { seen, body } = withoutEnd()
    const answer = await serving(createWorld())(posted(body, { ...json, ...length }))
    assert.is(await described(answer), '413 The body is larger than 65536 bytes')
    assert.is(answer.headers.get('connection'), null, 'a field of the connection, which is not the shell’s')
    assert.equal(seen, { taken, left: true })
  }
})

shell('of a body in many pieces none is kept, so that it takes no more room than one in one piece', async () => {
  const sent = new TextEncoder().encode(registration.padEnd(65_536))
  const piece = new Uint8Array(1)
  const left = sent.values()
  // Returns the same piece each time, as the one byte that comes next.
  const body = new ReadableStream<Uint8Array>(
    {
      pull: (controller) => {
        const { done, value } = left.next()
        if (done === true) return controller.close()
        piece.fill(value)
        controller.enqueue(piece)
      },
    },
    { highWaterMark: 0 },
  )
  const answer = await serving(createWorld())(posted(body))
  assert.is(answer.status, 200, await answer.text())
})

shell('a body of another type is left alone', async () => {
  const { seen, body } = withoutEnd()
  const answer = await serving(createWorld())(posted(body, { ...json, 'content-type': 'text/plain' }))
  assert.is(answer.status, 400)
  assert.is(seen.taken, 0)
})

shell('a body that breaks, or is not as long as it was told to be, ended early', async () => {
  const broken = new ReadableStream<Uint8Array>({ pull: (controller) => controller.error(new Error('gone')) })
  const world = createWorld()
  for (const request of [
    posted(broken),
    posted(registration, { ...json, 'content-length': '9000' }),
    posted(registration, { ...json, 'content-length': '2' }),
  ])
    assert.is(await described(await serving(world)(request)), '400 The body ended early')
  assert.equal([world.store.clients.size, world.entries.every(({ detail }) => detail === undefined)], [0, true])
})

shell('no body is an empty one', async () => {
  const request = new Request(`${origin}/clients`, { method: 'POST', headers: json })
  assert.is(await described(await serving(createWorld())(request)), '400 The body is empty: send a JSON object')
})

shell('a body that the host has begun to read is a defect of the host, told to the log', async () => {
  const world = createWorld()
  const request = posted(registration)
  request.body?.getReader()
  const answer = await serving(world)(request)
  assert.equal([answer.status, await answer.text(), answer.headers.get('cache-control')], [500, '', 'no-store'])
  assert.match(String(world.entries[0]?.detail), /locked/)
})

shell('of several Authorization fields, which are one list here, none counts', async () => {
  for (const other of ['junk', '', `Bearer ${master}`, 'Bearer x', ', ,'])
    for (const pair of [
      [`Bearer ${master}`, other],
      [other, `Bearer ${master}`],
    ]) {
      const headers = new Headers()
      for (const value of pair) headers.append('authorization', value)
      const answer = await serving(createWorld())(new Request(`${origin}/clients`, { headers }))
      assert.is(answer.status, 401, pair.join(' | '))
      assert.match(answer.headers.get('www-authenticate') ?? '', /error="invalid_token"/)
    }
})

shell('every answer tells its length, HEAD that of GET; one that can have no content does not', async () => {
  const handle = serving(createWorld())
  const ask = (path: string, init: RequestInit = {}) => handle(new Request(origin + path, init))
  for (const path of ['/jwks.json', '/nowhere', '/.well-known/openid-configuration', '/direct-authz']) {
    const get = await ask(path)
    const head = await ask(path, { method: 'HEAD' })
    const { length } = Buffer.from(await get.arrayBuffer())
    assert.equal(
      [get, head].map(({ headers }) => headers.get('content-length')),
      [String(length), String(length)],
    )
    assert.equal([head.status, head.body], [get.status, null])
  }
  const etag = (await ask('/jwks.json')).headers.get('etag') ?? ''
  const bare = [
    await ask('/jwks.json', { headers: { 'if-none-match': etag } }),
    await ask('/jwks.json', { method: 'OPTIONS' }),
  ]
  assert.equal(
    bare.map(({ status, headers }) => [status, headers.get('content-length')]),
    [
      [304, null],
      [204, null],
    ],
  )
})

shell('the platform takes dots out of a path, written plainly or encoded, and keeps everything else', async () => {
  const handle = serving(createWorld())
  const statusOf = async (path: string) => (await handle(new Request(origin + path, { headers: authorized }))).status
  for (const path of ['/clients/../jwks.json', '/clients/%2e%2e/jwks.json', '/./jwks.json', '\\jwks.json'])
    assert.is(await statusOf(path), 200, path)
  assert.is(await statusOf('/clients/..'), await statusOf('/'))
  for (const path of ['//jwks.json', '/jwks.json/', '/clients/a%2Fb', '/clients/%FF'])
    assert.is(await statusOf(path), 404, path)
})

shell('the entry tells the address that the host knows, or none', async () => {
  for (const address of ['192.0.2.7', undefined]) {
    const world = createWorld()
    const known = serving(world, (request) => (request.url === `${origin}/nowhere` ? address : 'another'))
    await known(new Request(`${origin}/nowhere`))
    assert.is(world.entries.length, 1)
    assert.is(world.entries[0]?.remote_address, address)
    assert.is('remote_address' in (world.entries[0] ?? {}), address !== undefined)
  }
})

shell('a log that throws is no defect of what was done: the handler rejects with it', async () => {
  const world = createWorld({
    log: () => {
      throw new Error('no room for the log')
    },
  })
  for (const request of [posted(registration), listed('HEAD')]) {
    const rejected: unknown = await serving(world)(request).catch((error: unknown) => error)
    assert.match(String(rejected), 'no room for the log')
  }
  assert.is(world.store.clients.size, 1)
})

shell('a list that is left ends in the store, even when the log throws', async () => {
  const { seen, world } = await endless()
  const log = (): never => {
    throw new Error('no room for the log')
  }
  const answer = await serving({ ...world, log })(listed())
  const rejected: unknown = await answer.body?.cancel().catch((error: unknown) => error)
  assert.match(String(rejected), 'no room for the log')
  assert.ok(seen.ended)
})

shell('a list is not begun before the host reads, and no entry is written before it has ended', async () => {
  const { seen, world } = await endless()
  const answer = await serving(world)(listed())
  await new Promise(setImmediate)
  assert.equal([seen.read, world.entries.length], [0, 0])
  await answer.body?.cancel()
  assert.equal([seen.ended, world.entries.length], [true, 1])
  assert.equal([world.entries[0]?.status, world.entries[0]?.detail], [200, undefined])
})

shell('a list that the host leaves while it waits for more ends in the store', async () => {
  const { seen, world } = await endless()
  const reader = (await serving(world)(listed())).body?.getReader()
  assert.ok(reader !== undefined)
  await reader.read()
  const [pending] = [reader.read(), reader.cancel()]
  await pending
  await new Promise(setImmediate)
  assert.equal([seen.ended, world.entries.length], [true, 1])
})

shell('a list that is left, and breaks after that, is one entry', async () => {
  const client = await aClient()
  const gate: { open?: () => void } = {}
  const opened = new Promise<void>((resolve) => (gate.open = resolve))
  const world = createWorld({
    streamClients: async function* () {
      yield E.right(client)
      await opened
      throw new Error('why-it-broke')
    },
  })
  const reader = (await serving(world)(listed())).body?.getReader()
  assert.ok(reader !== undefined)
  await reader.read()
  const pending = reader.read()
  // Until the store is asked for the next client.
  await new Promise(setImmediate)
  const left = reader.cancel().catch(() => undefined)
  gate.open?.()
  await Promise.all([pending, left])
  await new Promise(setImmediate)
  assert.equal(
    world.entries.map(({ status }) => status),
    [200],
  )
})

shell('a list that breaks breaks its Response; its reader is not told why, the log is, once', async () => {
  const client = await aClient()
  const printed = await printedDuring(async () => {
    for (const before of [1, 1000]) {
      const world = breakingAfter(client, before)
      const answer = await serving(world)(listed())
      const error: unknown = await answer.text().catch((reason: unknown) => reason)
      assert.ok(error instanceof Error)
      assert.not.match(`${String(error)} ${String(error.cause)} ${error.stack ?? ''}`, /why-it-broke/)
      assert.is(world.entries.length, 1)
      assert.match(String(world.entries[0]?.detail), /why-it-broke/)
    }
  })
  assert.equal(printed, [])
})

shell.run()
