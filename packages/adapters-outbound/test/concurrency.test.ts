import type { ServerResponse } from 'node:http'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createSectorIdentifiers } from '../src/index.js'
import { fetched, lenient, sectorUri } from './support/fetched.js'
import { until, withHttps } from './support/test-server.js'

const Concurrency = suite('requests at a time')

const crowded = 'unavailable: too many requests wait already'

const times = <Result>(count: number, make: () => Result): ReadonlyArray<Result> => Array.from({ length: count }, make)

Concurrency('four are sent, sixteen wait, and any more fail at once', async () => {
  const held: Array<ServerResponse> = []
  await withHttps(
    (_, response) => void held.push(response),
    async (server) => {
      const sectors = createSectorIdentifiers(lenient)
      const results: Array<unknown> = []
      const all = times(30, () => fetched(sectors, sectorUri(server)).then((result) => results.push(result)))
      await until(() => held.length === 4 && results.length === 10)
      assert.equal(
        results,
        times(10, () => crowded),
      )
      for (let answered = 0; answered < 20; answered += 1) {
        await until(() => held.length > 0)
        assert.ok(held.length <= 4)
        held.shift()?.end('[]')
      }
      await Promise.all(all)
      assert.equal(
        results.slice(10),
        times(20, () => []),
      )
      assert.is(server.connections(), 20)
      await server.quiet()
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
      assert.equal(
        results,
        times(20, () => 'unavailable: no answer within 600 ms'),
      )
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

Concurrency('a lookup keeps its place until it ends, and the others fail in time meanwhile', () =>
  withHttps(
    (_, response) => response.end('[]'),
    async (server) => {
      const doors: Array<() => void> = []
      const stuck = new Promise<void>((resolve) => doors.push(resolve))
      const asked: Array<string> = []
      const lookup = async (host: string): Promise<ReadonlyArray<string>> => {
        asked.push(host)
        if (host === 'stuck.example') await stuck
        return lenient.lookup()
      }
      const sectors = createSectorIdentifiers({ ...lenient, lookup, timeLimit: 300 })
      const uri = sectorUri(server)
      await Promise.all(times(4, () => fetched(sectors, 'https://stuck.example/')))
      assert.is(await fetched(sectors, uri), 'unavailable: no answer within 300 ms')
      assert.equal(
        asked,
        times(4, () => 'stuck.example'),
      )
      doors.forEach((open) => open())
      const patient = async (left: number): Promise<unknown> => {
        const result = await fetched(sectors, uri)
        return typeof result === 'string' && left > 0 ? patient(left - 1) : result
      }
      assert.equal(await patient(20), [])
    },
  ),
)

Concurrency('a request is sent when the task is run, and once for each run', () =>
  withHttps(
    (_, response) => response.end('[]'),
    async (server) => {
      const task = createSectorIdentifiers(lenient).fetchSectorIdentifier(sectorUri(server))
      await new Promise((resolve) => setTimeout(resolve, 50))
      assert.is(server.connections(), 0)
      await task()
      await task()
      assert.is(server.connections(), 2)
    },
  ),
)

Concurrency.run()
