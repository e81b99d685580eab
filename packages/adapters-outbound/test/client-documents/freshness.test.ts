import type { OutgoingHttpHeaders } from 'node:http'
import type { SeenDocument } from '@clientele/domain/provider'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { began, documentUrl, watchedDocuments } from '../support/documents.js'
import { type TestServer, withHttps } from '../support/test-server.js'

const Freshness = suite('when a document is requested again')

const bodyIn = (seen: SeenDocument): unknown => (seen.kind === 'answered' ? (seen.body ?? seen.status) : seen.kind)

const date = (seconds: number): string => new Date((began + seconds) * 1000).toUTCString()

/** A server whose document counts its requests. */
const counting = (headers: OutgoingHttpHeaders, use: (server: TestServer) => Promise<void>): Promise<void> => {
  const count = { requests: 0 }
  return withHttps((_, response) => {
    response.sendDate = false
    response
      .writeHead(200, { 'Content-Type': 'application/json', ...headers })
      .end(JSON.stringify({ version: (count.requests += 1) }))
  }, use)
}

const lasts = (what: string, headers: OutgoingHttpHeaders, seconds: number): void =>
  Freshness(`${what}: ${seconds} s`, () =>
    counting(headers, async (server) => {
      const { seeDocument, setClock } = watchedDocuments()
      const url = documentUrl(server)
      const first = await seeDocument(url)()
      setClock(seconds - 1)
      assert.is(await seeDocument(url)(), first)
      setClock(seconds)
      assert.equal(bodyIn(await seeDocument(url)()), { version: 2 })
      assert.is(server.connections(), 2)
    }),
  )

lasts('nothing is said', {}, 300)
lasts('max-age=0 has the least of the policy', { 'Cache-Control': 'max-age=0' }, 300)
lasts('no-store as well', { 'Cache-Control': 'no-store, max-age=4000' }, 300)
lasts('max-age', { 'Cache-Control': 'public, max-age=4000' }, 4_000)
lasts('max-age of 10^9 has the greatest of the policy', { 'Cache-Control': 'max-age=1000000000' }, 86_400)
lasts('max-age without end', { 'Cache-Control': `max-age=${'9'.repeat(400)}` }, 86_400)
lasts('s-maxage before max-age', { 'Cache-Control': 'max-age=9000, s-maxage=4000' }, 4_000)
lasts('what caches have used up is gone', { 'Cache-Control': 'max-age=4000', Age: '1000' }, 3_000)
lasts('Expires less Date', { Expires: date(5_000), Date: date(1_000) }, 4_000)
lasts('Expires without Date', { Expires: date(4_000) }, 4_000)
lasts('an invalid Expires is in the past', { Expires: '0', Date: date(0) }, 300)
lasts('max-age before Expires', { 'Cache-Control': 'max-age=4000', Expires: date(9_000) }, 4_000)
lasts('an invalid max-age is stale', { 'Cache-Control': 'max-age=ten', Expires: date(9_000) }, 300)
lasts('an invalid Age is ignored', { 'Cache-Control': 'max-age=4000', Age: '-5' }, 4_000)

Freshness('the policy is read at each use', () =>
  counting({ 'Cache-Control': 'max-age=4000' }, async (server) => {
    const policy = { least_freshness: 300, greatest_freshness: 86_400 }
    const { seeDocument, setClock } = watchedDocuments({ policy: () => policy })
    const url = documentUrl(server)
    await seeDocument(url)()
    setClock(1_000)
    assert.equal(bodyIn(await seeDocument(url)()), { version: 1 })
    policy.greatest_freshness = 1_000
    assert.equal(bodyIn(await seeDocument(url)()), { version: 2 })
  }),
)

Freshness('a clock that was set back requests again', () =>
  counting({}, async (server) => {
    const { seeDocument, setClock } = watchedDocuments()
    await seeDocument(documentUrl(server))()
    setClock(-3_600)
    assert.equal(bodyIn(await seeDocument(documentUrl(server))()), { version: 2 })
  }),
)

for (const [what, status, type, body] of [
  ['404', 404, 'application/json', '{}'],
  ['500', 500, 'application/json', '{}'],
  ['a redirection', 302, 'application/json', '{}'],
  ['HTML', 200, 'text/html', '<p>'],
  ['JSON of another type', 200, 'text/plain', '{}'],
  ['an array', 200, 'application/json', '[]'],
] as const)
  Freshness(`${what} is repeated for ten seconds, whatever it says about caching`, () =>
    withHttps(
      (_, response) => response.writeHead(status, { 'Content-Type': type, 'Cache-Control': 'max-age=4000' }).end(body),
      async (server) => {
        const { seeDocument, setClock } = watchedDocuments()
        const url = documentUrl(server)
        const first = await seeDocument(url)()
        setClock(9)
        assert.is(await seeDocument(url)(), first)
        assert.is(server.connections(), 1)
        setClock(10)
        assert.equal(await seeDocument(url)(), { ...first, at: began + 10 })
        assert.is(server.connections(), 2)
      },
    ),
  )

Freshness('a document with faults is repeated for ten seconds', () =>
  counting({}, async (server) => {
    const { seeDocument, setClock } = watchedDocuments({
      isValid: (_, seen) => JSON.stringify(bodyIn(seen)) === '{"version":2}',
    })
    const url = documentUrl(server)
    await seeDocument(url)()
    setClock(10)
    const second = await seeDocument(url)()
    setClock(309)
    assert.is(await seeDocument(url)(), second)
    assert.equal(bodyIn(second), { version: 2 })
  }),
)

Freshness('a failure after a document stands for ten seconds, and then the new document counts', () => {
  const answer = { status: 200 }
  return withHttps(
    (_, response) => response.writeHead(answer.status, { 'Content-Type': 'application/json' }).end('{"version":1}'),
    async (server) => {
      const { seeDocument, setClock } = watchedDocuments()
      const url = documentUrl(server)
      await seeDocument(url)()
      answer.status = 503
      setClock(300)
      assert.is(bodyIn(await seeDocument(url)()), 503)
      answer.status = 200
      setClock(309)
      assert.is(bodyIn(await seeDocument(url)()), 503)
      setClock(310)
      assert.equal(bodyIn(await seeDocument(url)()), { version: 1 })
      assert.is(server.connections(), 3)
    },
  )
})

Freshness.run()
