import { exampleTime } from '@clientele/testing'
import { secondsAfter } from '@clientele/domain/kernel'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createDocumentKeySets } from '../../src/client-documents.js'
import { GuardedFetchError } from '../../src/guarded-fetch.js'

const KeySets = suite('key sets that documents name')

const sent = { method: 'GET', headers: {} }

/** A fetch that counts what it sends, with a clock that the test sets. */
const counting = (answer: (url: string) => Response) => {
  const requested: Array<string> = []
  const clock = { now: exampleTime }
  const fetch = createDocumentKeySets(
    async (url) => {
      requested.push(url)
      await Promise.resolve()
      return answer(url)
    },
    () => clock.now,
  )
  return { requested, clock, textOf: async (url: string) => (await fetch(url, sent)).text() }
}

KeySets('60 requests are one, at the same time or after each other, and each has the whole answer', async () => {
  const { requested, clock, textOf } = counting(
    (url) => new Response(url, { headers: { 'cache-control': 'no-store' } }),
  )
  const url = 'https://keys.example/set'
  assert.equal(new Set(await Promise.all(Array.from({ length: 30 }, () => textOf(url)))), new Set([url]))
  for (let index = 0; index < 30; index += 1) assert.is(await textOf(url), url)
  assert.is(requested.length, 1)
  clock.now = secondsAfter(exampleTime, 59)
  await textOf(url)
  assert.is(requested.length, 1)
  clock.now = secondsAfter(exampleTime, 60)
  await textOf(url)
  assert.is(requested.length, 2)
})

KeySets('a clock that was set back makes no set last', async () => {
  const { requested, clock, textOf } = counting(() => new Response('{}'))
  await textOf('https://keys.example/')
  clock.now = secondsAfter(exampleTime, -1)
  await textOf('https://keys.example/')
  assert.is(requested.length, 2)
})

KeySets('a failure is kept for ten seconds', async () => {
  const failure = new GuardedFetchError({ kind: 'forbidden', reason: 'any' })
  const { requested, clock, textOf } = counting(() => {
    throw failure
  })
  const failed = (): Promise<unknown> => textOf('https://keys.example/').catch((cause: unknown) => cause)
  assert.is(await failed(), failure)
  assert.is(await failed(), failure)
  assert.is(requested.length, 1)
  clock.now = secondsAfter(exampleTime, 10)
  assert.is(await failed(), failure)
  assert.is(requested.length, 2)
})

KeySets('of many URLs at one host, 30 are requested in a minute, and 300 at all hosts', async () => {
  const { requested, clock, textOf } = counting(() => new Response('{}'))
  const ask = (url: string): Promise<string> => textOf(url).catch((cause: unknown) => String(cause))
  for (let index = 0; index < 100; index += 1) await ask(`https://one.example:${String(1000 + index)}/`)
  assert.is(requested.length, 30)
  assert.match(await ask('https://one.example/x'), 'too many requests to hosts that any visitor names in this minute')
  for (let index = 0; index < 1_000; index += 1) await ask(`https://h${String(index)}.example/`)
  assert.is(requested.length, 300)
  clock.now = secondsAfter(exampleTime, 60)
  assert.is(await ask('https://one.example/x'), '{}')
})

KeySets.run()
