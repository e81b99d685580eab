// Behaviour of the listener for node:http alone; shell*.test.ts test the common behaviour of both shells.
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type { Socket } from 'node:net'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createPublicListener } from '../src/index.js'
import { type World, createWorld, httpSettings, master } from './support/in-memory-ports.js'
import { printedDuring } from './support/printed.js'
import { aClient, breakingAfter } from './support/streamed.js'
import { type Wire, exchange, open, send, until, withServer } from './support/wire.js'

const shell = suite('the Koa shell')

const serve = (world: World, use: (wire: Wire) => Promise<void>) =>
  withServer(createPublicListener(httpSettings(), world, { withOperators: false }), use)

shell('an engine that fails is 500 and in the log, with its reason; other paths are not its own', async () => {
  const world = createWorld()
  const engine = {
    routeOf: (path: string) => (path === '/token' ? path : undefined),
    answer: () => Promise.reject(new Error('the engine fails')),
  }
  await withServer(createPublicListener(httpSettings(), world, { withOperators: false, engine }), async (wire) => {
    assert.is((await send(wire, 'POST', '/token')).status, 500)
    assert.is((await send(wire, 'GET', '/tokens')).status, 404)
    await until(() => world.entries.length === 2)
  })
  const [failed, unknown] = world.entries
  assert.is(`${failed?.route} ${failed?.status} ${String(failed?.detail)}`, '/token 500 Error: the engine fails')
  assert.is(`${unknown?.route} ${unknown?.status}`, '(none) 404')
})

const barrier = (): { readonly promise: Promise<void>; readonly release: () => void } => {
  let release = (): void => undefined
  const promise = new Promise<void>((resolve) => (release = resolve))
  return { promise, release }
}

const requestHead =
  'POST /clients HTTP/1.1\r\nHost: x\r\n' + `Authorization: Bearer ${master}\r\nContent-Type: application/json\r\n`

// The amount that the server had read when it closed the connection of a client that sends without end.
const endlessly = async (
  wire: Wire,
  head: string,
  part: string,
): Promise<{ readonly read: number; readonly answer: string }> => {
  const accepted = new Promise<{ readonly bytesRead: number }>((resolve) => wire.server.once('connection', resolve))
  const socket = await open(wire)
  const peer: { readonly bytesRead: number } = await accepted
  const received: Buffer[] = []
  let closed = false
  socket
    .on('data', (chunk: Buffer) => received.push(chunk))
    .on('error', () => undefined)
    .on('close', () => (closed = true))
  socket.write(requestHead + `${head}\r\n\r\n`)
  const more = (): void => {
    if (!closed) socket.write(part, () => setImmediate(more))
  }
  more()
  await until(() => closed)
  return { read: peer.bytesRead, answer: Buffer.concat(received).toString('latin1') }
}

shell('a body without end is 413 and the connection is closed: of it little more than a mebibyte is read', async () => {
  await serve(createWorld(), async (wire) => {
    const part = 'a'.repeat(16_384)
    for (const [head, sent] of [
      ['Content-Length: 10737418240', part],
      ['Transfer-Encoding: chunked', `4000\r\n${part}\r\n`],
    ] as const) {
      const { read, answer } = await endlessly(wire, head, sent)
      assert.match(answer, /^HTTP\/1\.1 413 [\s\S]*\r\nConnection: close\r\n/, head)
      assert.ok(read < 4_000_000, `${read} bytes were read`)
    }
    assert.is((await send(wire, 'POST', '/clients', { token: master, body: '{}' })).status, 400)
  })
})

const listRequest = `GET /clients HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer ${master}\r\n\r\n`

shell('a list that breaks is cut off in the middle, and nothing is printed', async () => {
  const client = await aClient()
  const printed = await printedDuring(async () => {
    for (const before of [1, 1000])
      await serve(breakingAfter(client, before), async (wire) => {
        const answer = await exchange(wire, listRequest).catch(() => '')
        assert.not.ok(answer.endsWith('0\r\n\r\n'), 'the answer ends as if it were whole')
      })
  })
  assert.equal(printed, [])
})

shell('a path counts as it was sent, with its dots', async () => {
  await serve(createWorld(), async (wire) => {
    for (const path of ['/clients/%2e%2e', '/clients/..', '/clients/%2E'])
      assert.is((await send(wire, 'GET', path, { token: 'unknown' })).status, 401, path)
    for (const path of ['/clients/../jwks.json', '/./jwks.json'])
      assert.is((await send(wire, 'GET', path)).status, 404, path)
  })
})

const get = (target: string, headers = ''): string => `GET ${target} HTTP/1.1\r\nHost: x\r\n${headers}\r\n`

// RFC 9112 §9.3.2
shell('each of several requests on a connection that the client closes has its log entry', async () => {
  const { promise: released, release } = barrier()
  const findClient = () => () => released.then(() => E.right(O.none))
  const world = createWorld({ findClient })
  await serve(world, async (wire) => {
    const peer = new Promise<Socket>((resolve) => wire.server.once('connection', resolve))
    const arrived: unknown[] = []
    wire.server.on('request', (request) => arrived.push(request))
    const socket = await open(wire)
    socket.on('error', () => undefined)
    const ofPeer = await peer
    const closed = new Promise((resolve) => ofPeer.once('close', resolve))
    const slow = get('/clients/some-id', `Authorization: Bearer ${master}\r\n`)
    socket.write([slow, get('/jwks.json'), slow, get('/none'), get('/jwks.json')].join(''))
    await until(() => arrived.length === 5)
    socket.resetAndDestroy()
    await closed
    release()
    await until(() => world.entries.length === 5)
    const routes = world.entries.map(({ route }) => route)
    assert.equal(routes.filter((route) => route === '/clients/:id').length, 2)
    assert.equal(routes.filter((route) => route === '/jwks.json').length, 2)
  })
})

shell('requests whose answers wait for an earlier one have one log entry each, and no warning', async () => {
  const world = createWorld()
  const printed = await printedDuring(() =>
    serve(world, async (wire) => {
      const last = get('/none', 'Connection: close\r\n')
      const answers = await exchange(wire, get('/clients/none').repeat(15) + get('/jwks.json').repeat(15) + last)
      assert.is(answers.split('HTTP/1.1 ').length - 1, 31)
      await until(() => world.entries.length >= 31)
      assert.is(world.entries.length, 31)
    }),
  )
  assert.equal(printed, [])
})

// RFC 9112 §3.2.2
shell('the host of an absolute target is not looked at, not even one that no URL has', async () => {
  const world = createWorld()
  const targets = [
    ['http://x.example/jwks.json', 200],
    ['http://[/jwks.json?a', 200],
    ['foo://xn--a/jwks.json', 200],
    ['http://[/clients/none', 401],
    ['http://[', 200],
    ['http://[?/jwks.json', 200],
    ['*', 404],
  ] as const
  await serve(world, async (wire) => {
    for (const [target, status] of targets) {
      const answer = await exchange(wire, get(target, 'Connection: close\r\n'))
      assert.match(answer, new RegExp(`^HTTP/1\\.1 ${status} [\\s\\S]*X-Request-Id: request-`), target)
    }
    await until(() => world.entries.length === targets.length)
  })
})

shell.run()
