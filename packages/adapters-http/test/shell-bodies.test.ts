import * as assert from 'uvu/assert'
import { redirect_uris } from './support/http-request.js'
import { createWorld, httpSettings, master } from './support/in-memory-ports.js'
import { registered } from './support/registered.js'
import { type Shell, suiteOnShells } from './support/shells.js'
import { type Answer, type Sent, type Wire, exchange, open, send, withServer } from './support/wire.js'

const bodies = suiteOnShells('request bodies')

const world = createWorld()
const serve = (shell: Shell, use: (wire: Wire) => Promise<void>) =>
  withServer(shell.createPublicListener(httpSettings(), world, { withOperators: false }), use)

const type = { 'content-type': 'application/json' }
const text = JSON.stringify({ redirect_uris })

const post = (wire: Wire, body: string | Uint8Array, headers: NonNullable<Sent['headers']> = type): Promise<Answer> =>
  send(wire, 'POST', '/clients', { token: master, body, headers })

const errorOf = ({ body }: Answer): unknown => {
  const parsed: unknown = JSON.parse(body.toString())
  return Object.fromEntries(Object.entries(parsed ?? {}))['error']
}

const characters = (from: number, to: number, step: number): string =>
  Array.from({ length: Math.ceil((to - from) / step) }, (_, place) => from + place * step)
    .filter((code) => code < 0xd800 || code > 0xdfff)
    .map((code) => String.fromCodePoint(code))
    .join('')

const everyByte = characters(1, 0x800, 1) + characters(0x800, 0x10000, 0x3f) + characters(0x10000, 0x110000, 0xfff)

bodies('every byte that UTF-8 has arrives as it was sent', async (shell) => {
  const sent = Buffer.from(everyByte)
  const missing = Array.from({ length: 256 }, (_, byte) => byte).filter((byte) => !sent.includes(byte))
  // RFC 3629 §4: these octets never occur in UTF-8; NUL is refused
  assert.equal(missing, [0x00, 0xc0, 0xc1, 0xf5, 0xf6, 0xf7, 0xf8, 0xf9, 0xfa, 0xfb, 0xfc, 0xfd, 0xfe, 0xff])
  await serve(shell, async (wire) => {
    const answer = await post(wire, JSON.stringify({ redirect_uris, data: { everyByte } }))
    assert.is(answer.status, 200)
    const parsed: unknown = JSON.parse(answer.body.toString('utf8'))
    assert.equal(Object.fromEntries(Object.entries(parsed ?? {}))['data'], { everyByte })
  })
})

bodies('each byte from 0x80 alone in a string is invalid_request, never U+FFFD', async (shell) => {
  await serve(shell, async (wire) => {
    for (let byte = 0x80; byte <= 0xff; byte += 1) {
      const answer = await post(
        wire,
        Buffer.concat([Buffer.from('{"client_name":"'), Buffer.from([byte]), Buffer.from('"}')]),
      )
      assert.equal([answer.status, errorOf(answer)], [400, 'invalid_request'], byte.toString(16))
    }
  })
})

bodies('a byte order mark is invalid_request (RFC 8259 §8.1)', async (shell) => {
  await serve(shell, async (wire) => assert.is(errorOf(await post(wire, `\ufeff${text}`)), 'invalid_request'))
})

bodies('no body at all, and an empty one, is invalid_request with any type or none', async (shell) => {
  await serve(shell, async (wire) => {
    for (const header of ['Content-Type: application/json\r\n', 'Content-Type: text/plain\r\n', ''])
      for (const framing of ['\r\n', 'Content-Length: 0\r\n\r\n', 'Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n']) {
        const head = `POST /clients HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer ${master}\r\n`
        const answer = await exchange(wire, head + header + framing)
        assert.match(answer, /^HTTP\/1\.1 400 [\s\S]*"error":"invalid_request"/, JSON.stringify(header + framing))
      }
  })
})

bodies('a body without a type, of another one, or of two, is invalid_request', async (shell) => {
  await serve(shell, async (wire) => {
    const types = [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'nonsense',
      ';',
      'application/xml',
    ]
    for (const other of [
      ...types,
      'application/json, text/html',
      ['application/json', 'text/html'],
      ['application/json', 'application/json'],
    ]) {
      const answer = await post(wire, text, { 'content-type': other })
      assert.equal([answer.status, errorOf(answer)], [400, 'invalid_request'], String(other))
    }
    assert.is(errorOf(await post(wire, text, {})), 'invalid_request')
  })
})

bodies('the type is taken in any case, with the charset UTF-8 or none', async (shell) => {
  await serve(shell, async (wire) => {
    for (const good of [
      'application/json',
      'APPLICATION/JSON',
      'application/json; Charset="UTF-8"',
      'application/json;',
    ])
      assert.is((await post(wire, text, { 'content-type': good })).status, 200, good)
  })
})

bodies('a Content-Encoding other than identity is 415, and nothing is inflated (RFC 9110 §15.5.16)', async (shell) => {
  await serve(shell, async (wire) => {
    for (const encoding of ['gzip', 'GZIP', 'br', 'deflate', 'gzip, identity', 'x'])
      assert.is((await post(wire, text, { ...type, 'content-encoding': encoding })).status, 415, encoding)
    for (const encoding of ['identity', 'Identity', ''])
      assert.is((await post(wire, text, { ...type, 'content-encoding': encoding })).status, 200, encoding)
  })
})

bodies('65536 bytes are taken and 65537 are 413, with their length told or chunked', async (shell) => {
  await serve(shell, async (wire) => {
    for (const framing of [{}, { 'transfer-encoding': 'chunked' }]) {
      assert.is((await post(wire, text.padEnd(65_536), { ...type, ...framing })).status, 200)
      const answer = await post(wire, text.padEnd(65_537), { ...type, ...framing })
      assert.equal([answer.status, errorOf(answer), answer.headers.connection], [413, 'invalid_request', 'close'])
      assert.equal([answer.headers['cache-control'], answer.headers.pragma], ['no-store', 'no-cache'])
    }
  })
})

bodies('a length over the limit is 413 at once, before any of the body has come', async (shell) => {
  await serve(shell, async (wire) => {
    for (const length of ['65537', '2147483648', '10737418240', '9007199254740993']) {
      const begun = performance.now()
      const socket = await open(wire)
      const first = new Promise<Buffer>((got) => socket.once('data', got))
      socket.write(
        `POST /clients HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${master}\r\n` +
          `Content-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`,
      )
      assert.match((await first).toString(), /^HTTP\/1\.1 413 /, length)
      assert.ok(performance.now() - begun < 900, `${length}: not at once`)
      socket.destroy()
    }
  })
})

bodies('a body that GET and DELETE do not ask for is ignored', async (shell) => {
  const { id } = await registered(world)
  await serve(shell, async (wire) => {
    for (const method of ['GET', 'DELETE']) {
      const answer = await send(wire, method, `/clients/${id}`, { token: master, body: '{broken' })
      assert.is(answer.status, method === 'GET' ? 200 : 204, method)
    }
  })
})

bodies.run()
