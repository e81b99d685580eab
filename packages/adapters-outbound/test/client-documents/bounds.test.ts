import type { ServerResponse } from 'node:http'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { asClientId, documentUrl, watchedDocuments } from '../support/documents.js'
import { until, withHttps } from '../support/test-server.js'

const Bounds = suite('how many documents are requested')

const times = <Result>(count: number, make: (index: number) => Result): ReadonlyArray<Result> =>
  Array.from({ length: count }, (_, index) => make(index))

const json = { 'Content-Type': 'application/json' }
const tooMany = 'too many requests for documents in this minute'

Bounds('a hundred uses at the same time are one request, and have one object', async () => {
  const pending: Array<ServerResponse> = []
  await withHttps(
    (_, response) => void pending.push(response),
    async (server) => {
      const { seeDocument } = watchedDocuments()
      const uses = times(100, () => seeDocument(documentUrl(server))())
      await until(() => pending.length === 1)
      pending[0]?.writeHead(200, json).end('{}')
      assert.is(new Set(await Promise.all(uses)).size, 1)
      assert.is(server.connections(), 1)
    },
  )
})

Bounds('a request is sent when the task is run', () =>
  withHttps(
    (_, response) => response.writeHead(200, json).end('{}'),
    async (server) => {
      const { seeDocument } = watchedDocuments()
      const task = seeDocument(documentUrl(server))
      await new Promise((resolve) => setTimeout(resolve, 50))
      assert.is(server.connections(), 0)
      await task()
      assert.is(server.connections(), 1)
    },
  ),
)

Bounds('of 10,000 URLs of one host, 30 are requested in a minute, and 30 in the next', () =>
  withHttps(
    (_, response) => response.writeHead(200, json).end('{}'),
    async (server) => {
      const { seeDocument, setClock, failures } = watchedDocuments()
      const seen = await Promise.all(times(10_000, (index) => seeDocument(documentUrl(server, `/${index}`))()))
      assert.is(seen.filter(({ kind }) => kind === 'answered').length, 30)
      assert.is(server.connections(), 30)
      assert.is(failures.filter((each) => each.endsWith(tooMany)).length, 9_970)
      setClock(59)
      await seeDocument(documentUrl(server, '/9999'))()
      assert.is(server.connections(), 30)
      setClock(60)
      assert.is((await seeDocument(documentUrl(server, '/9999'))()).kind, 'answered')
    },
  ),
)

Bounds('the ports of a host share its budget', async () => {
  const lookups: Array<string> = []
  const { seeDocument } = watchedDocuments({
    lookup: (host) => {
      lookups.push(host)
      return Promise.resolve([])
    },
  })
  await Promise.all(
    times(100, (index) => seeDocument(asClientId(`https://app.example:${2_000 + index}/client.json`))()),
  )
  assert.is(lookups.length, 30)
})

Bounds('of 10,000 hosts, 300 are requested in a minute, and memory stays bounded', async () => {
  const lookups: Array<string> = []
  const { seeDocument } = watchedDocuments({
    maxWaiting: 10_000,
    lookup: (host) => {
      lookups.push(host)
      return Promise.resolve([])
    },
  })
  const began = process.memoryUsage().heapUsed
  const path = 'x'.repeat(1_900)
  for (let round = 0; round < 10; round += 1)
    await Promise.all(times(1_000, (index) => seeDocument(asClientId(`https://h${round}x${index}.example/${path}`))()))
  assert.is(lookups.length, 300)
  assert.ok(process.memoryUsage().heapUsed - began < 64 * 2 ** 20)
})

Bounds('a flood of new URLs leaves the requests for known documents', () =>
  withHttps(
    (_, response) => response.writeHead(200, json).end('{}'),
    async (server) => {
      const { seeDocument, setClock } = watchedDocuments()
      const known = documentUrl(server)
      await seeDocument(known)()
      setClock(300)
      await Promise.all(times(1_000, (index) => seeDocument(documentUrl(server, `/${index}`))()))
      const seen = await seeDocument(known)()
      assert.is(seen.kind, 'answered')
      assert.is(server.connections(), 32)
    },
  ),
)

Bounds('documents that were valid once leave the requests for those that are valid still', () => {
  const withdrawn = { yes: false }
  return withHttps(
    ({ url }, response) => {
      if (withdrawn.yes && url !== '/valid') response.writeHead(404).end()
      else response.writeHead(200, json).end('{}')
    },
    async (server) => {
      const { seeDocument, setClock } = watchedDocuments()
      const askOthers = () => Promise.all(times(29, (index) => seeDocument(documentUrl(server, `/${index}`))()))
      const valid = documentUrl(server, '/valid')
      await seeDocument(valid)()
      await askOthers()
      withdrawn.yes = true
      setClock(300)
      await askOthers()
      setClock(311)
      await askOthers()
      assert.is((await seeDocument(valid)()).kind, 'answered')
      assert.is(server.connections(), 30 + 29 + 29 + 1)
    },
  )
})

Bounds('four requests to one host are under way at a time, and 32 wait', async () => {
  const pending: Array<ServerResponse> = []
  await withHttps(
    (_, response) => void pending.push(response),
    async (server) => {
      const { seeDocument } = watchedDocuments()
      const all = times(30, (index) => seeDocument(documentUrl(server, `/${index}`))())
      await until(() => pending.length === 4)
      for (let answered = 0; answered < 30; answered += 1) {
        await until(() => pending.length > 0)
        assert.ok(pending.length <= 4)
        pending.shift()?.writeHead(200, json).end('{}')
      }
      await Promise.all(all)
    },
  )
})

Bounds.run()
