import type { IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import * as E from 'fp-ts/lib/Either.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createSectorIdentifiers } from '../src/index.js'
import { strictOptions } from '../src/outbound-options.js'
import { createSafeFetch, readResponse } from '../src/safe-fetch.js'
import { fetchLeniently, fetched, lenient, sectorUri } from './support/fetched.js'
import { withHttps, withTcp, withTls } from './support/test-server.js'

const Transport = suite('what is sent, and through what')

Transport('a GET has the fixed headers and no others: no cookie, no Accept-Encoding', () => {
  const seen: Array<IncomingMessage> = []
  return withHttps(
    (request, response) => {
      seen.push(request)
      response.setHeader('Set-Cookie', 'session=1; Path=/').end('[]')
    },
    async (server) => {
      const sectors = createSectorIdentifiers(lenient)
      const uri = `https://sector.example:${server.port}/a%20b?c=d&e#f`
      await fetched(sectors, uri)
      await fetched(sectors, uri)
      const headers = {
        host: `sector.example:${server.port}`,
        connection: 'close',
        'user-agent': 'Clientele',
        accept: 'application/json',
      }
      for (const request of seen) assert.equal({ ...request.headers }, headers)
      assert.equal(
        seen.map(({ method, url }) => [method, url]),
        [
          ['GET', '/a%20b?c=d&e'],
          ['GET', '/a%20b?c=d&e'],
        ],
      )
    },
  )
})

Transport('a POST sends its body and headers, and the fixed headers stay; any status but 3xx is an answer', () =>
  withHttps(
    (request, response) =>
      void text(request).then((body) =>
        response
          .writeHead(400, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store', 'X-Other': 'x' })
          .end(JSON.stringify([request.method, request.headers['content-type'], request.headers['user-agent'], body])),
      ),
    async (server) => {
      const result = await createSafeFetch(
        { ...strictOptions, ...lenient },
        readResponse,
      )({
        url: sectorUri(server),
        method: 'POST',
        holder: 'test',
        headers: { 'content-type': 'application/x-www-form-urlencoded', 'user-agent': 'another' },
        body: 'logout_token=a',
      })()
      const body = '["POST","application/x-www-form-urlencoded","Clientele","logout_token=a"]'
      const headers = { 'content-type': 'application/json', 'cache-control': 'no-store' }
      assert.equal(result, E.right({ status: 400, headers, body }))
    },
  ),
)

Transport('headers that cannot be sent are a failure as well', () =>
  withTls(
    () => undefined,
    async (server) => {
      const result = await createSafeFetch(
        { ...strictOptions, ...lenient },
        readResponse,
      )({
        url: sectorUri(server),
        method: 'GET',
        holder: 'test',
        headers: { 'content-type': 'a\r\nb' },
      })()
      assert.equal(result, E.left({ kind: 'failed', reason: 'UND_ERR_INVALID_ARG' }))
      await server.quiet()
    },
  ),
)

Transport('the connection is closed after the answer, and neither it nor its TLS session is used again', () => {
  const reused: Array<boolean> = []
  return withTls(
    (socket) => {
      reused.push(socket.isSessionReused())
      const answer =
        'HTTP/1.1 200 OK\r\nConnection: keep-alive\r\nKeep-Alive: timeout=60\r\nContent-Length: 2\r\n\r\n[]'
      socket.on('data', () => socket.write(answer))
    },
    async (server) => {
      const sectors = createSectorIdentifiers(lenient)
      for (const expected of [1, 2, 3]) {
        assert.equal(await fetched(sectors, sectorUri(server)), [])
        await server.quiet()
        assert.is(server.connections(), expected)
      }
      assert.equal(reused, [false, false, false])
    },
  )
})

Transport('a certificate that nobody vouches for is refused, whatever the environment says', () =>
  withHttps(
    (_, response) => response.end('[]'),
    async (server) => {
      const sectors = createSectorIdentifiers({ ...lenient, ca: undefined })
      const refused = /^unavailable: (DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN): .* NODE_EXTRA_CA_CERTS$/
      assert.match(String(await fetched(sectors, sectorUri(server))), refused)
      const { NODE_TLS_REJECT_UNAUTHORIZED: before } = process.env
      process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0'
      assert.match(String(await fetched(sectors, sectorUri(server))), refused)
      if (before === undefined) Reflect.deleteProperty(process.env, 'NODE_TLS_REJECT_UNAUTHORIZED')
      else process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = before
      await server.quiet()
    },
  ),
)

Transport('a certificate for another name is refused; one for an address is taken (RFC 9110 §4.3.4, §4.3.5)', () =>
  withHttps(
    (_, response) => response.end('[]'),
    async ({ port }) => {
      const sectors = createSectorIdentifiers(lenient)
      for (const host of ['other.example', 'www.sector.example', '127.0.0.2'])
        assert.match(String(await fetched(sectors, `https://${host}:${port}/`)), /^unavailable: E(RR_TLS|CONN|ADDR)/)
      for (const host of ['127.0.0.1', 'localhost', 'SECTOR.EXAMPLE'])
        assert.equal(await fetched(sectors, `https://${host}:${port}/`), [], host)
    },
  ),
)

Transport('a server without TLS is refused', () =>
  withTcp(
    async (server) => {
      assert.match(String(await fetchLeniently(server)), /^unavailable: (EPROTO|ERR_SSL_)/)
      await server.quiet()
    },
    '127.0.0.1',
    (socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n[]'),
  ),
)

Transport('of several addresses, one that answers is enough', () =>
  withHttps(
    (_, response) => response.end('[]'),
    async (server) => {
      const lookup = (): Promise<ReadonlyArray<string>> => Promise.resolve(['127.0.0.2', '::1', '127.0.0.1'])
      assert.equal(await fetchLeniently(server, { lookup }), [])
    },
  ),
)

Transport('a port where nobody listens is a failure', async () => {
  const closed: Array<number> = []
  await withTcp(async ({ port }) => void closed.push(port))
  const result = await fetched(createSectorIdentifiers(lenient), `https://sector.example:${closed[0] ?? 1}/`)
  assert.is(result, 'unavailable: ECONNREFUSED')
})

Transport.run()
