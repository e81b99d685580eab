import { gzipSync } from 'node:zlib'
import type { ServerResponse } from 'node:http'
import * as fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { fetchLeniently } from './support/fetched.js'
import { withHttps, withTls } from './support/test-server.js'

const Document = suite('the document of a sector identifier')

const marker = 'secret-of-the-body'

const answering = (respond: (response: ServerResponse) => unknown, test: (result: unknown) => void): Promise<void> =>
  withHttps(
    (_, response) => void respond(response),
    async (server) => {
      test(await fetchLeniently(server))
      assert.is(server.connections(), 1)
      await server.quiet()
    },
  )

const answeringText = (text: string | Buffer, test: (result: unknown) => void): Promise<void> =>
  answering((response) => response.end(text), test)

const refused =
  (reason: string) =>
  (result: unknown): void => {
    assert.match(String(result), `unavailable: ${reason}`)
    assert.not.match(String(result), marker)
  }

Document('a JSON value is the document, whatever its Content-Type', async () => {
  const document = ['https://a.example/callback', 'https://b.example/é']
  for (const type of ['application/json', 'text/plain', 'text/html; charset=utf-16', ''])
    await answering(
      (response) => response.writeHead(200, { 'Content-Type': type }).end(JSON.stringify(document)),
      (result) => assert.equal(result, document),
    )
})

Document('a document in chunks, or without a length, is read to its end', async () => {
  await answering(
    (response) => {
      response.write('["https://a.ex')
      setTimeout(() => response.end('ample"]'), 20)
    },
    (result) => assert.equal(result, ['https://a.example']),
  )
  await withTls(
    (socket) => socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\n\r\n["https://a.example"]')),
    async (server) => assert.equal(await fetchLeniently(server), ['https://a.example']),
  )
})

for (const status of [201, 202, 203, 204, 205, 206, 400, 401, 404, 429, 500, 503])
  Document(`the status ${status} is no document`, () =>
    answering(
      (response) => response.writeHead(status).end(status === 204 ? '' : '[]'),
      refused(`the status is ${status}`),
    ),
  )

for (const status of [300, 301, 302, 303, 304, 307, 308])
  Document(`the status ${status} is not followed`, () =>
    answering(
      (response) => response.writeHead(status, { Location: '/' }).end(),
      refused(`the status is ${status}: red`),
    ),
  )

for (const coding of ['gzip', 'br', 'deflate', 'GZIP', 'identity, gzip', 'unknown'])
  Document(`a body with Content-Encoding ${coding} is refused`, () =>
    answering(
      (response) => response.writeHead(200, { 'Content-Encoding': coding }).end(gzipSync('[]')),
      refused('the response has a Content-Encoding'),
    ),
  )

Document('identity is no coding, and a gzip body that is not declared is not decoded', async () => {
  await answering(
    (response) => response.writeHead(200, { 'Content-Encoding': 'identity' }).end('[]'),
    (result) => assert.equal(result, []),
  )
  await answeringText(gzipSync('[]'), refused('the body is not well-formed UTF-8'))
})

const malformed: Readonly<Record<string, readonly [string | Buffer, string]>> = {
  HTML: [`<!doctype html><p>${marker}`, 'The body is not valid JSON'],
  'an empty body': ['', 'The body is not valid JSON'],
  'a byte order mark (RFC 8259 §8.1)': ['\uFEFF[]', 'The body is not valid JSON'],
  'two values': [`["${marker}"][]`, 'The body is not valid JSON'],
  'UTF-16': [Buffer.from('["https://a.example"]', 'utf16le'), 'The body is not valid JSON'],
  'Latin-1': [Buffer.from('["https://é.example"]', 'latin1'), 'the body is not well-formed UTF-8'],
  'an overlong form': [Buffer.from([0x22, 0xc0, 0xaf, 0x22]), 'the body is not well-formed UTF-8'],
  'a cut character': [Buffer.from([0x22, 0xe2, 0x82]), 'the body is not well-formed UTF-8'],
  'a member that is repeated (RFC 8259 §4)': [`{"a":"${marker}","a":1}`, 'The body repeats'],
  'a depth of 33': [`${'['.repeat(33)}${']'.repeat(33)}`, 'The body is nested deeper'],
  'a lone surrogate': ['["\\ud800"]', 'The body holds a lone surrogate'],
  'a member __proto__': ['{"__proto__":1}', 'The body holds a lone surrogate'],
}

for (const [what, [body, reason]] of Object.entries(malformed))
  Document(`${what} is refused`, () => answeringText(body, refused(reason)))

const noHttp = {
  'what is no HTTP': `${marker}\r\n\r\n`,
  'HTTP/2 without being asked': 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  'a header without a name': `HTTP/1.1 200 OK\r\n: ${marker}\r\n\r\n[]`,
  'two lengths (RFC 9112 §6.3)': 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n[]',
  'a length that is no number': 'HTTP/1.1 200 OK\r\nContent-Length: two\r\n\r\n[]',
  'a chunk that is none': `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${marker}`,
  'another protocol': 'HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n',
}

for (const [what, answer] of Object.entries(noHttp))
  Document(`${what} is refused`, () =>
    withTls(
      (socket) => socket.once('data', () => socket.write(answer)),
      async (server) => {
        refused('')(await fetchLeniently(server))
        await server.quiet()
      },
    ),
  )

Document('informational responses before the document are passed over (RFC 9110 §15.2)', () =>
  withTls(
    (socket) =>
      socket.once('data', () =>
        socket.end('HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n[]'),
      ),
    async (server) => assert.equal(await fetchLeniently(server), []),
  ),
)

for (const [when, sent] of Object.entries({
  'without an answer': '',
  'within the header': 'HTTP/1.1 200 OK\r\nContent-',
  'within the body': `HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n["${marker}`,
  'within a chunk': `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n20\r\n["${marker}`,
}))
  Document(`a server that closes ${when} is refused`, async () => {
    for (const close of ['end', 'destroy'] as const)
      await withTls(
        (socket) => socket.once('data', () => socket.write(sent, () => socket[close]())),
        async (server) => refused('')(await fetchLeniently(server)),
      )
  })

Document('bytes of any kind have an answer, and are never a document', async () => {
  const next: Array<Uint8Array> = []
  await withTls(
    (socket) => socket.once('data', () => socket.end(Buffer.from(next.pop() ?? []))),
    (server) =>
      fc.assert(
        fc.asyncProperty(fc.uint8Array({ maxLength: 64 }), async (bytes) => {
          next.push(bytes)
          refused('')(await fetchLeniently(server))
        }),
        { numRuns: 50 },
      ),
  )
})

Document.run()
