import { gzipSync } from 'node:zlib'
import type { IncomingMessage, ServerResponse } from 'node:http'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as T from 'fp-ts/lib/Task.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { ClientDocumentsOptions } from '../../src/index.js'
import { began, documentUrl, watchedDocuments } from '../support/documents.js'
import { withHttps } from '../support/test-server.js'

const Answers = suite('what is seen at the URL of a document')

const json = { 'Content-Type': 'application/json' }
const marker = 'text-of-the-body'

type Seen = { readonly seen: unknown; readonly failures: ReadonlyArray<string> }

const seeing = async (
  respond: (response: ServerResponse, request: IncomingMessage) => unknown,
  options: Partial<ClientDocumentsOptions> = {},
): Promise<Seen> => {
  const results: Array<Seen> = []
  await withHttps(
    (request, response) => void respond(response, request),
    async (server) => {
      const { seeDocument, failures } = watchedDocuments(options)
      results.push({ seen: await seeDocument(documentUrl(server))(), failures })
      assert.is(server.connections(), 1)
      await server.quiet()
    },
  )
  return results[0] ?? { seen: undefined, failures: [] }
}

const answered = (parts: object): object => ({
  kind: 'answered',
  at: began,
  status: 200,
  media_type: 'application/json',
  body: undefined,
  statement: O.none,
  cache: {},
  ...parts,
})

const unreachable = { kind: 'unreachable', at: began }

Answers('a document is seen with its type, and with what the response says about caching', async () => {
  const headers = { 'Content-Type': 'Application/Client+JSON; charset=UTF-8', 'Cache-Control': 'max-age=600', Age: '7' }
  const { seen, failures } = await seeing((response) => response.writeHead(200, headers).end('{"client_id":"a"}'))
  const cache = { max_age: 600, age: 7 }
  assert.equal(seen, answered({ media_type: 'application/client+json', body: { client_id: 'a' }, cache }))
  assert.equal(failures, [])
})

Answers('the request has the fixed headers and no others, so that no server can tell end-users apart', async () => {
  const received: Array<IncomingMessage['headers']> = []
  await seeing((response, { headers }) => {
    received.push(headers)
    response.writeHead(200, json).end('{}')
  })
  const [{ host, ...others } = {}] = received
  assert.match(String(host), /^sector\.example:\d+$/)
  assert.equal({ ...others }, { accept: 'application/json', 'user-agent': 'Clientele', connection: 'close' })
})

Answers('a server that answers by user agent has one answer for this service', async () => {
  const { seen } = await seeing((response, { headers }) =>
    response.writeHead(200, json).end(JSON.stringify({ client_name: headers['user-agent'] })),
  )
  assert.equal(seen, answered({ body: { client_name: 'Clientele' } }))
})

for (const status of [201, 202, 204, 206, 400, 401, 404, 410, 429, 500, 503])
  Answers(`the status ${status} is seen without its body`, async () => {
    const { seen, failures } = await seeing((response) =>
      response.writeHead(status, json).end(status === 204 ? '' : `{"client_name":"${marker}"}`),
    )
    assert.equal(seen, answered({ status }))
    assert.equal(failures, [`sector.example: the status is ${status}`])
  })

Answers('404 with an endless body is 404', async () => {
  const { seen } = await seeing((response) => response.writeHead(404, json).write('x'))
  assert.equal(seen, answered({ status: 404 }))
})

const noJson: Readonly<Record<string, readonly [string | Buffer, RegExp]>> = {
  HTML: [`<!doctype html><p>${marker}`, /not valid JSON/],
  'an empty body': ['', /not valid JSON/],
  'a byte order mark': ['\uFEFF{}', /not valid JSON/],
  'Latin-1': [Buffer.from('{"client_name":"é"}', 'latin1'), /not well-formed UTF-8/],
  'gzip that is not declared': [gzipSync('{}'), /not well-formed UTF-8/],
  'a repeated member': [`{"client_name":"${marker}","client_name":"b"}`, /repeats the name/],
  'a depth of 33': ['{"a":'.repeat(33) + '1' + '}'.repeat(33), /nested deeper/],
  'a depth of 30,000': ['['.repeat(30_000) + ']'.repeat(30_000), /nested deeper|not valid JSON/],
  'a member __proto__': ['{"__proto__":{}}', /__proto__/],
  'a number that no reader keeps': ['{"default_max_age":1e400}', /number/],
}

for (const [what, [body, reason]] of Object.entries(noJson))
  Answers(`${what} is seen as no body`, async () => {
    const { seen, failures } = await seeing((response) => response.writeHead(200, json).end(body))
    assert.equal(seen, answered({}))
    assert.is(failures.length, 1)
    assert.match(String(failures[0]), reason)
    assert.not.match(String(failures[0]), marker)
    assert.ok(String(failures[0]).length < 250)
  })

Answers('a type other than JSON is seen as it is, and two types are none', async () => {
  const html = await seeing((response) => response.writeHead(200, { 'Content-Type': 'text/html' }).end('{}'))
  assert.equal(html.seen, answered({ media_type: 'text/html', body: {} }))
  const none = await seeing((response) => response.end('{}'))
  assert.equal(none.seen, answered({ media_type: '', body: {} }))
})

const failing: Readonly<Record<string, readonly [(response: ServerResponse) => unknown, RegExp]>> = {
  ...Object.fromEntries(
    [300, 301, 302, 303, 304, 307, 308].map((status) => [
      `${status} to itself`,
      [
        (response: ServerResponse) => response.writeHead(status, { Location: '/client.json' }).end(),
        /redirections are not followed/,
      ],
    ]),
  ),
  'Content-Encoding gzip': [
    (response) => response.writeHead(200, { ...json, 'Content-Encoding': 'gzip' }).end(gzipSync('{}')),
    /Content-Encoding/,
  ],
  'a bomb of 100 MB in gzip': [
    (response) =>
      response.writeHead(200, { ...json, 'Content-Encoding': 'gzip' }).end(gzipSync(Buffer.alloc(100_000_000))),
    /Content-Encoding/,
  ],
  '5 MiB': [(response) => response.writeHead(200, json).end('x'.repeat(5 * 2 ** 20)), /too large/],
  '5 MiB without a length': [
    (response) => {
      response.writeHead(200, json).write('x'.repeat(2 ** 20))
      response.end('x'.repeat(4 * 2 ** 20))
    },
    /too large/,
  ],
  'a closed connection': [(response) => response.destroy(), /UND_ERR_SOCKET|ECONNRESET|other side closed/],
}

for (const [what, [respond, reason]] of Object.entries(failing))
  Answers(`${what} is unreachable`, async () => {
    const { seen, failures } = await seeing(respond)
    assert.equal(seen, unreachable)
    assert.is(failures.length, 1)
    assert.match(String(failures[0]), reason)
  })

Answers('a byte every 200 ms is unreachable at the time limit', async () => {
  const { seen, failures } = await seeing(
    (response) => {
      response.writeHead(200, json).write('{')
      const timer = setInterval(() => response.write(' '), 200)
      response.once('close', () => clearInterval(timer))
    },
    { timeLimit: 700 },
  )
  assert.equal(seen, unreachable)
  assert.equal(failures, ['sector.example: no answer within 700 ms'])
})

Answers(
  'a software statement is read once, by the given port; without one, or without a port, there is none',
  async () => {
    const read: Array<string> = []
    const claims = E.right({ client_name: 'stated' })
    const readStatement = (statement: string): T.Task<typeof claims> => {
      read.push(statement)
      return T.of(claims)
    }
    const body = { software_statement: 'e30.e30.c2ln' }
    const respond = (response: ServerResponse): unknown => response.writeHead(200, json).end(JSON.stringify(body))
    const { seen } = await seeing(respond, { readStatement })
    assert.equal(seen, answered({ body, statement: O.some(claims) }))
    assert.equal(read, ['e30.e30.c2ln'])
    assert.equal((await seeing(respond)).seen, answered({ body }))
    await seeing((response) => response.writeHead(200, json).end('{"software_statement":7}'), { readStatement })
    assert.is(read.length, 1)
  },
)

Answers.run()
