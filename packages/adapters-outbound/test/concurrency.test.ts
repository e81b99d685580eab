import type { ServerResponse } from 'node:http'
import type { Requester, TokenHash } from '@clientele/domain/authorization'
import { exampleHash } from '@clientele/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createSectorIdentifiers } from '../src/index.js'
import { lookUp } from '../src/look-up.js'
import { fetched, lenient, sectorUri } from './support/fetched.js'
import { startNameServer } from './support/name-server.js'
import { until, withHttps } from './support/test-server.js'

const Concurrency = suite('requests at a time')

const unable = (reason: string): string => `unable: sector_identifier_uri: ${reason}`
const crowded = unable('too many requests wait already')

const times = <Result>(count: number, make: (index: number) => Result): ReadonlyArray<Result> =>
  Array.from({ length: count }, (_, index) => make(index))

const holding = (hash: TokenHash): Requester => ({ kind: 'token', hash })
const another = holding(exampleHash('another'))
const at = (address: string): Requester => ({ kind: 'nobody', address })

Concurrency('of one requester four are sent, 32 wait, and any more fail at once', async () => {
  const pending: Array<ServerResponse> = []
  await withHttps(
    (_, response) => void pending.push(response),
    async (server) => {
      const sectors = createSectorIdentifiers(lenient)
      const results: Array<unknown> = []
      const all = times(46, () => fetched(sectors, sectorUri(server)).then((result) => results.push(result)))
      await until(() => pending.length === 4 && results.length === 10)
      assert.equal(
        results,
        times(10, () => crowded),
      )
      for (let answered = 0; answered < 36; answered += 1) {
        await until(() => pending.length > 0)
        assert.ok(pending.length <= 4)
        pending.shift()?.end('[]')
      }
      await Promise.all(all)
      assert.equal(
        results.slice(10),
        times(36, () => []),
      )
      assert.is(server.connections(), 36)
      await server.quiet()
    },
  )
})

Concurrency('a requester who takes all its places, and fills its queue, keeps nobody else from theirs', async () => {
  const pending: Array<ServerResponse> = []
  await withHttps(
    ({ url }, response) => (url === '/held' ? void pending.push(response) : response.end('[]')),
    async (server) => {
      const sectors = createSectorIdentifiers(lenient)
      const all = times(36, () => fetched(sectors, `https://sector.example:${server.port}/held`, at('192.0.2.1')))
      await until(() => pending.length === 4)
      assert.is(await fetched(sectors, sectorUri(server), at('192.0.2.1')), crowded)
      const others = [
        another,
        { kind: 'master' } as const,
        at('192.0.2.2'),
        { kind: 'nobody', address: undefined } as const,
      ]
      for (const other of others) assert.equal(await fetched(sectors, sectorUri(server), other), [])
      for (let answered = 0; answered < 36; answered += 1) {
        await until(() => pending.length > 0)
        pending.shift()?.end('[]')
      }
      await Promise.all(all)
    },
  )
})

Concurrency(
  'the addresses of one IPv6 network are one requester, and an IPv4 address is one in both its forms',
  async () => {
    const pending: Array<ServerResponse> = []
    await withHttps(
      (_, response) => void pending.push(response),
      async (server) => {
        const sectors = createSectorIdentifiers({ ...lenient, maxAtOnceEach: 1, maxWaitingEach: 0 })
        const [first, second] = [at('2001:db8:1:2::1'), at('192.0.2.1')].map((each) =>
          fetched(sectors, sectorUri(server), each),
        )
        await until(() => pending.length === 2)
        for (const address of ['2001:db8:1:2:ffff::2', '::ffff:192.0.2.1'])
          assert.is(await fetched(sectors, sectorUri(server), at(address)), crowded, address)
        const third = fetched(sectors, sectorUri(server), at('2001:db8:1:3::1'))
        await until(() => pending.length === 3)
        pending.forEach((response) => response.end('[]'))
        assert.equal(await Promise.all([first, second, third]), [[], [], []])
      },
    )
  },
)

Concurrency('32 are sent at once in all, and who holds fewest places comes next', async () => {
  const pending: Array<readonly [string | undefined, ServerResponse]> = []
  await withHttps(
    ({ url }, response) => void pending.push([url, response]),
    async (server) => {
      const sectors = createSectorIdentifiers(lenient)
      const ask = (index: number, path: string): Promise<unknown> =>
        fetched(sectors, `https://sector.example:${server.port}/${path}`, at(`192.0.2.${index}`))
      const all = times(80, (index) => ask(index % 10, 'many'))
      await until(() => pending.length === 32)
      const late = ask(99, 'late')
      await new Promise((resolve) => setTimeout(resolve, 50))
      assert.is(pending.length, 32)
      pending.shift()?.[1].end('[]')
      await until(() => pending.length === 32)
      assert.is(pending.at(-1)?.[0], '/late')
      for (let left = 80; left > 0; left -= 1) {
        await until(() => pending.length > 0)
        assert.ok(pending.length <= 32)
        pending.shift()?.[1].end('[]')
      }
      await Promise.all([...all, late])
    },
  )
})

Concurrency('waiting counts in the time limit, and those that gave up are never sent', () =>
  withHttps(
    () => undefined,
    async (server) => {
      const sectors = createSectorIdentifiers({ ...lenient, timeLimit: 600 })
      const began = performance.now()
      const results = await Promise.all(times(20, () => fetched(sectors, sectorUri(server))))
      assert.equal(results, [
        ...times(4, () => 'unavailable: no answer within 600 ms'),
        ...times(16, () => unable('no place within 600 ms')),
      ])
      assert.ok(performance.now() - began < 10_000)
      await server.quiet()
    },
  ),
)

Concurrency('a place comes free after every kind of failure', () =>
  withHttps(
    ({ url }, response) => (url === '/redirect-uris.json' ? response.end('[]') : response.destroy()),
    async (server) => {
      const sectors = createSectorIdentifiers({
        ...lenient,
        lookup: (host) => (host === 'sector.example' ? lenient.lookup() : Promise.reject(new Error('ENOTFOUND'))),
      })
      for (const uri of [
        'https://unknown.example/',
        `${sectorUri(server)}?closed`,
        `${sectorUri(server)}/closed`,
        'http://a',
      ])
        await Promise.all(times(8, () => fetched(sectors, uri)))
      assert.equal(
        await Promise.all(times(8, () => fetched(sectors, sectorUri(server)))),
        times(8, () => []),
      )
    },
  ),
)

Concurrency('a name that no server answers is called off in time, and its place is free at once', async () => {
  const names = await startNameServer({ 'sector.example': ['127.0.0.1'] })
  await withHttps(
    (_, response) => response.end('[]'),
    async (server) => {
      const options = { ...lenient, lookup: lookUp, servers: names.servers }
      const slow = createSectorIdentifiers({ ...options, timeLimit: 600 })
      for (let round = 0; round < 3; round += 1) {
        const stuck = await Promise.all(times(4, (index) => fetched(slow, `https://a${index}.slow.example/`)))
        assert.equal(
          stuck,
          times(4, () => unable('no address within 600 ms')),
        )
        assert.equal(await fetched(slow, sectorUri(server)), [])
      }
      assert.is(names.requested.filter((name) => name.endsWith('.slow.example')).length >= 24, true)
    },
  )
  await names.stop()
})

Concurrency('a host is reached when name servers are silent about one kind of its addresses', async () => {
  const names = await startNameServer({ 'A sector.example': ['127.0.0.1'] })
  await withHttps(
    (_, response) => response.end('[]'),
    async (server) => {
      // The complete lookup would take three times as long as the first query.
      const options = { lookup: lookUp, servers: names.servers, lookupTimeout: 2_000, timeLimit: 5_000 }
      assert.equal(await fetched(createSectorIdentifiers({ ...lenient, ...options }), sectorUri(server)), [])
    },
  )
  await names.stop()
})

Concurrency('a request is sent when the task is run, and once for each run', () =>
  withHttps(
    (_, response) => response.end('[]'),
    async (server) => {
      const task = createSectorIdentifiers(lenient).fetchSectorIdentifier(sectorUri(server), another)
      await new Promise((resolve) => setTimeout(resolve, 50))
      assert.is(server.connections(), 0)
      await task()
      await task()
      assert.is(server.connections(), 2)
    },
  ),
)

Concurrency.run()
