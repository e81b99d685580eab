import type { DeliveryResult } from '@clientele/domain/logout'
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type OutboundOptions, createLogoutSender } from '../src/index.js'
import { lookUp } from '../src/look-up.js'
import { specialPurpose } from '../src/safe-fetch.js'
import { lenient } from './support/fetched.js'
import { startNameServer } from './support/name-server.js'
import { type TestServer, withHttps, withTcp, withTls, withTrap } from './support/test-server.js'

const Sender = suite('logout tokens that are sent')

const token = 'eyJhbGciOiJub25lIn0.e30.a+b/c=&d'

const uriAt = ({ port }: Pick<TestServer, 'port'>): string => `https://sector.example:${port}/logout?tenant=a%20b`

const sentTo = (server: TestServer, options: Partial<OutboundOptions> = {}): Promise<DeliveryResult> =>
  createLogoutSender({ ...lenient, ...options }).sendLogoutToken(uriAt(server), token)()

const answered = (status: number, retryAfter?: number): DeliveryResult => ({ kind: 'answered', status, retryAfter })
const unanswered = (reason: string): DeliveryResult => ({ kind: 'unanswered', reason })
const impossible = (reason: string): DeliveryResult => ({ kind: 'impossible', reason })
const notHttps = 'the scheme is not https'

Sender('a form with the token and nothing else is posted (Back-Channel Logout §2.5)', () => {
  const seen: Array<readonly [IncomingMessage, string]> = []
  return withHttps(
    (request, response) =>
      void text(request).then((body) => {
        seen.push([request, body])
        response.end()
      }),
    async (server) => {
      assert.equal(await sentTo(server), answered(200))
      const [[request, body] = []] = seen
      assert.equal([request?.method, request?.url], ['POST', '/logout?tenant=a%20b'])
      assert.equal([...new URLSearchParams(body)], [['logout_token', token]])
      assert.equal(
        { ...request?.headers },
        {
          host: `sector.example:${server.port}`,
          connection: 'close',
          'user-agent': 'Clientele',
          'content-type': 'application/x-www-form-urlencoded',
          'content-length': String(Buffer.byteLength(body ?? '')),
        },
      )
      await server.quiet()
    },
  )
})

for (const status of [200, 201, 204, 400, 401, 404, 410, 500, 501, 503, 599])
  Sender(`the status ${status} is told as it is`, () =>
    withHttps(
      (_, response) => response.writeHead(status, { 'Cache-Control': 'no-store' }).end(),
      async (server) => assert.equal(await sentTo(server), answered(status)),
    ),
  )

// OpenID Back-Channel Logout §2.2 leaves it to the service.
Sender('http leads to loopback alone, where that is allowed, as its addresses are', async () => {
  const requests: Array<string | undefined> = []
  const receiver = createServer((request, response) => {
    requests.push(request.headers.host)
    response.end()
  })
  await new Promise<void>((resolve) => void receiver.listen(0, '127.0.0.1', resolve))
  const { port } = receiver.address() as AddressInfo
  const onLoopback = { ...lenient, httpOnLoopback: true }
  const send = (host: string, options: Partial<OutboundOptions> = onLoopback): Promise<DeliveryResult> =>
    createLogoutSender(options).sendLogoutToken(`http://${host}:${port}/out`, token)()
  assert.equal(await send('localhost'), answered(200))
  assert.equal(await send('127.0.0.1'), answered(200))
  assert.equal(await send('sector.example'), impossible(notHttps))
  assert.equal(await send('localhost', lenient), impossible(notHttps))
  assert.equal(await send('127.0.0.1', { httpOnLoopback: true }), impossible(specialPurpose))
  assert.is(requests.length, 2)
  await new Promise((resolve) => receiver.close(resolve))
})

Sender('Retry-After comes with the status, as seconds or as a date; two of them say nothing', async () => {
  const inAnHour = new Date(Date.now() + 3_600_000).toUTCString()
  for (const [value, least, most] of [
    ['120', 120, 120],
    [inAnHour, 3_500, 3_600],
    ['Thu, 01 Jan 1970 00:00:00 GMT', 0, 0],
  ] as const)
    await withHttps(
      (_, response) => response.writeHead(429, { 'Retry-After': value }).end(),
      async (server) => {
        const result = await sentTo(server)
        assert.ok(result.kind === 'answered' && result.status === 429)
        assert.ok(Number(result.retryAfter) >= least && Number(result.retryAfter) <= most, JSON.stringify(result))
      },
    )
  await withHttps(
    (_, response) => response.writeHead(503, ['Retry-After', '5', 'Retry-After', '10']).end(),
    async (server) => assert.equal(await sentTo(server), answered(503)),
  )
})

Sender('a redirection is told, and nothing connects to its target', () =>
  withTrap((trap) =>
    withHttps(
      (_, response) => response.writeHead(307, { Location: `https://127.0.0.1:${trap.port}/` }).end(),
      async (server) => {
        assert.equal(await sentTo(server), answered(307))
        assert.equal([server.connections(), trap.connections()], [1, 0])
      },
    ),
  ),
)

const okay = 'HTTP/1.1 200 OK\r\n'

const flood = (socket: Socket): void => {
  const more = (): void => {
    while (!socket.destroyed && socket.write(Buffer.alloc(65_536, 'x')));
  }
  socket.on('drain', more)
  more()
}

for (const [what, header] of Object.entries({
  'without an end': '',
  'of 5 GiB': `Content-Length: ${5 * 2 ** 30}\r\n`,
  'with a coding': 'Content-Encoding: gzip\r\n',
}))
  Sender(`a body ${what} is not read: the status counts, and the connection ends`, () =>
    withTls(
      (socket) =>
        socket.once('data', () => {
          socket.write(`${okay}${header}\r\n`)
          flood(socket)
        }),
      async (server) => {
        assert.equal(await sentTo(server), answered(200))
        await server.quiet()
      },
    ),
  )

Sender('a body that breaks off changes nothing', () =>
  withTls(
    (socket) => socket.once('data', () => socket.write(`${okay}Content-Length: 10\r\n\r\nabc`, () => socket.destroy())),
    async (server) => assert.equal(await sentTo(server), answered(200)),
  ),
)

Sender('a server that hangs, at whatever point, is left at the time limit', async () => {
  const timeLimit = 400
  const late = unanswered(`no answer within ${timeLimit} ms`)
  const hangs = async (server: TestServer): Promise<void> => {
    assert.equal(await sentTo(server, { timeLimit }), late)
    await server.quiet()
  }
  await withTcp(hangs)
  await withTls((socket) => void socket.resume(), hangs)
  await withTls((socket) => socket.once('data', () => socket.write('HTTP/1.1 200')), hangs)
})

Sender(
  'a server that closes, or says nothing of HTTP, is no answer; the reason is short and quotes nothing',
  async () => {
    const marker = 'what-the-server-said'
    for (const said of ['', 'HTTP/1.1 200', `${marker}\r\n\r\n`])
      await withTls(
        (socket) => socket.once('data', () => socket.end(said)),
        async (server) => {
          const result = await sentTo(server)
          assert.ok(result.kind === 'unanswered')
          assert.match(result.reason, /^.{1,200}$/, result.reason)
          assert.not.match(result.reason, marker)
        },
      )
  },
)

Sender('nothing is sent but over https and to public addresses', () =>
  withTrap(async (trap) => {
    const { sendLogoutToken } = createLogoutSender({ timeLimit: 30_000 })
    for (const host of ['127.0.0.1', 'localhost', '[::1]', '169.254.169.254', '0x7f.1'])
      assert.equal(await sendLogoutToken(`https://${host}:${trap.port}/`, token)(), impossible(specialPurpose), host)
    assert.equal(await sendLogoutToken(`http://127.0.0.1:${trap.port}/`, token)(), impossible(notHttps))
    assert.equal(await sendLogoutToken('http://rp.example/', token)(), impossible(notHttps))
    assert.equal(await sendLogoutToken('nowhere', token)(), impossible('this is no URL'))
    assert.is(trap.connections(), 0)
  }),
)

Sender(
  'what this service cannot do is unsent: name servers that do not answer, or cannot tell, and no place',
  async () => {
    const names = await startNameServer({ 'sector.example': ['127.0.0.1'], 'broken.example': 'SERVFAIL' })
    const options = { ...lenient, lookup: lookUp, servers: names.servers, timeLimit: 600 }
    const pending: Array<ServerResponse> = []
    await withHttps(
      (_, response) => void pending.push(response),
      async ({ port }) => {
        const { sendLogoutToken } = createLogoutSender({ ...options, maxAtOnce: 1, maxWaiting: 1 })
        const send = (host: string): Promise<DeliveryResult> => sendLogoutToken(`https://${host}:${port}/`, token)()
        assert.equal(await send('slow.example'), { kind: 'unsent', reason: 'no address within 600 ms' })
        assert.equal(await send('broken.example'), { kind: 'unsent', reason: 'ESERVFAIL' })
        const hanging = send('sector.example')
        const waiting = send('sector.example')
        const refused = send('sector.example')
        assert.equal(await refused, { kind: 'unsent', reason: 'too many requests wait already' })
        assert.equal(await waiting, { kind: 'unsent', reason: 'no place within 600 ms' })
        assert.equal(await hanging, unanswered('no answer within 600 ms'))
        assert.is(pending.length, 1)
      },
    )
    await names.stop()
  },
)

Sender('a name that has no address, and a port where nobody listens, are the failure of the receiver', async () => {
  const names = await startNameServer({ 'sector.example': ['127.0.0.1'], 'none.example': 'NXDOMAIN' })
  const { sendLogoutToken } = createLogoutSender({ ...lenient, lookup: lookUp, servers: names.servers })
  assert.equal(await sendLogoutToken('https://none.example/', token)(), unanswered('the host has no address'))
  const closed: Array<number> = []
  await withTcp(async ({ port }) => void closed.push(port))
  const uri = `https://sector.example:${closed[0] ?? 1024}/`
  assert.equal(await sendLogoutToken(uri, token)(), unanswered('ECONNREFUSED'))
  await names.stop()
})

Sender('hundreds at once are sent, a few at a time, and none is refused for want of room', () => {
  const pending = { now: 0, most: 0 }
  return withHttps(
    (_, response) => {
      pending.now += 1
      pending.most = Math.max(pending.most, pending.now)
      setTimeout(() => {
        pending.now -= 1
        response.writeHead(204).end()
      }, 20)
    },
    async (server) => {
      const { sendLogoutToken } = createLogoutSender(lenient)
      const all = Array.from({ length: 300 }, () => sendLogoutToken(uriAt(server), token)())
      for (const result of await Promise.all(all)) assert.equal(result, answered(204))
      assert.ok(pending.most <= 32, `${pending.most} at once`)
      await server.quiet()
    },
  )
})

Sender.run()
