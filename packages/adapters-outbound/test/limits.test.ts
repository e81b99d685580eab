import type { Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { strictOptions } from '../src/outbound-options.js'
import { fetchLeniently } from './support/fetched.js'
import { type TestServer, withHttps, withTcp, withTls } from './support/test-server.js'

const Limits = suite('limits of a request')

const fiveGibibytes = 5 * 2 ** 30
const okay = 'HTTP/1.1 200 OK\r\n'

/** Sends as long as the peer reads; reports the amount. */
const flood = (socket: Socket, chunk: string | Buffer): { readonly sent: () => number } => {
  const more = (): void => {
    while (!socket.destroyed && socket.write(chunk));
  }
  socket.on('drain', more)
  more()
  return { sent: () => socket.bytesWritten }
}

const repeat = (socket: Socket, text: string, milliseconds: number): void => {
  const timer = setInterval(() => socket.write(text), milliseconds)
  socket.once('close', () => clearInterval(timer))
}

const document = (size: number): string => JSON.stringify('x'.repeat(size - 2))

Limits('a document of 65536 bytes is taken, and one of 65537 is not', async () => {
  await withHttps(
    (_, response) => response.end(document(65_536)),
    async (server) => assert.is(String(await fetchLeniently(server)).length, 65_534),
  )
  await withHttps(
    (_, response) => response.end(document(65_537)),
    async (server) => assert.is(await fetchLeniently(server), 'unavailable: the Content-Length is too large'),
  )
  await withHttps(
    (_, response) => {
      response.write(document(65_537))
      response.end()
    },
    async (server) => assert.is(await fetchLeniently(server), 'unavailable: the body is too large'),
  )
})

Limits('bytes are counted, not characters', () =>
  withHttps(
    (_, response) => {
      response.write(JSON.stringify('é'.repeat(32_768)))
      response.end()
    },
    async (server) => assert.is(await fetchLeniently(server), 'unavailable: the body is too large'),
  ),
)

Limits('a body that announces 5 GiB is not read', () =>
  withHttps(
    (_, response) => response.writeHead(200, { 'Content-Length': fiveGibibytes }).flushHeaders(),
    async (server) => {
      assert.is(await fetchLeniently(server), 'unavailable: the Content-Length is too large')
      await server.quiet()
    },
  ),
)

for (const [what, header] of Object.entries({
  'announced and streamed': `Content-Length: ${fiveGibibytes}\r\n`,
  'streamed until the end of the connection': '',
}))
  Limits(`5 GiB, ${what}, are cut off`, async () => {
    const floods: Array<ReturnType<typeof flood>> = []
    await withTls(
      (socket) =>
        socket.once('data', () => {
          socket.write(`${okay}${header}\r\n`)
          floods.push(flood(socket, Buffer.alloc(65_536, 'x')))
        }),
      async (server) => {
        assert.match(String(await fetchLeniently(server)), /unavailable: the (body|Content-Length) is too large/)
        await server.quiet()
      },
    )
    assert.ok(floods.every(({ sent }) => sent() < 2 ** 26))
  })

for (const [what, flooded] of Object.entries({
  'a header field without an end': 'x',
  'header fields without an end': 'X-Field: value\r\n',
}))
  Limits(`${what} is cut off`, () =>
    withTls(
      (socket) =>
        socket.once('data', () => {
          socket.write(`${okay}X-First: `)
          flood(socket, flooded.repeat(1_000))
        }),
      async (server) => {
        assert.is(await fetchLeniently(server), 'unavailable: UND_ERR_HEADERS_OVERFLOW')
        await server.quiet()
      },
    ),
  )

const timeLimit = 400

// Far above the limit, because the machine may be busy; far below the 30 s of other tests.
const endsInTime = async (server: TestServer): Promise<void> => {
  const began = performance.now()
  assert.is(await fetchLeniently(server, { timeLimit }), `unavailable: no answer within ${timeLimit} ms`)
  const took = performance.now() - began
  assert.ok(took > timeLimit - 50 && took < 10_000, `it took ${took} ms`)
  await server.quiet()
}

const slow: Readonly<Record<string, (socket: TLSSocket) => void>> = {
  'a server that never answers': () => undefined,
  'a header that comes a byte at a time': (socket) => {
    socket.write(`${okay}X-Slow: `)
    repeat(socket, 'x', 50)
  },
  'header fields without an end, each in good time': (socket) => {
    socket.write(okay)
    repeat(socket, 'X-Slow: x\r\n', 50)
  },
  'informational responses without an end': (socket) => repeat(socket, 'HTTP/1.1 103 Early Hints\r\n\r\n', 50),
  'a body that comes a byte at a time': (socket) => {
    socket.write(`${okay}Content-Length: 60000\r\n\r\n[`)
    repeat(socket, ' ', 50)
  },
  'chunks without an end': (socket) => {
    socket.write(`${okay}Transfer-Encoding: chunked\r\n\r\n`)
    repeat(socket, '1\r\n \r\n', 50)
  },
  'a body that stops': (socket) => socket.write(`${okay}Content-Length: 10\r\n\r\n[`),
}

for (const [what, answer] of Object.entries(slow))
  Limits(`${what} ends at the time limit, and the connection with it`, () =>
    withTls((socket) => socket.once('data', () => answer(socket)), endsInTime),
  )

Limits('a TLS handshake that never ends does so too', () => withTcp(endsInTime))

Limits('a lookup that never ends does so too', () =>
  withTcp(async (server) => {
    const lookup = (): Promise<ReadonlyArray<string>> => new Promise(() => undefined)
    const result = await fetchLeniently(server, { timeLimit, lookup })
    assert.is(result, `unable: sector_identifier_uri: no address within ${timeLimit} ms`)
    assert.is(server.connections(), 0)
  }),
)

Limits('a lookup that ends too late connects nowhere', () =>
  withTcp(async (server) => {
    const late = new Promise<ReadonlyArray<string>>((resolve) =>
      setTimeout(() => resolve(['127.0.0.1']), timeLimit * 2),
    )
    await fetchLeniently(server, { timeLimit, lookup: () => late })
    await late
    await new Promise((resolve) => setTimeout(resolve, 100))
    assert.is(server.connections(), 0)
  }),
)

Limits('the limit is 2.5 s unless another is given', () => assert.is(strictOptions.timeLimit, 2_500))

Limits.run()
