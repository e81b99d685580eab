import Database from 'better-sqlite3'
import { storedMetadata } from '@clientele/domain/registration'
import {
  done,
  exampleClient,
  exampleId,
  exampleTime,
  exampleToken,
  listed,
  refused,
  updatedExample,
  addition,
  noRow,
  removal,
} from '@clientele/testing'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { storeOn } from '@clientele/adapters-sql'
import { openedLayers } from './support/opened-layers.js'
import { encryptionWith } from './support/encryption.js'
import { inFolder, opened } from './support/temporary-store.js'

const faults = suite('a store that cannot write')

const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds))

/** Another program that writes to the file and does not end its transaction. */
const lockedByAnother = (file: string): (() => void) => {
  const other = new Database(file)
  other.exec('BEGIN IMMEDIATE')
  return () => other.close()
}

faults(
  'while another holds the write lock reads go on; then the write is unavailable, and nothing is changed',
  inFolder(async (file) => {
    const store = await opened(file)
    await done(store.registry.addClient(addition(exampleClient('a'))))
    const release = lockedByAnother(file)
    const progress = { answered: false }
    let reads = 0
    const write = store.registry
      .addClient(addition(exampleClient('b')))()
      .finally(() => (progress.answered = true))
    for (; reads < 100_000 && !progress.answered; reads += 1) {
      assert.equal(await done(store.registry.findClient(exampleId('a'))), O.some(exampleClient('a')))
      await pause(1)
    }
    const outcome = await write
    assert.is(E.isLeft(outcome) ? outcome.left.error : 'done', 'unavailable')
    assert.ok(reads > 100, `${reads} reads while the write waited`)
    assert.is((await refused(store.check)).error, 'unavailable')
    release()
    assert.equal(await listed(store.registry), [exampleClient('a')])
    await done(store.check)
    await done(store.registry.addClient(addition(exampleClient('b'))))
    await store.close()
  }),
)

faults(
  'a write waits for a lock that is given up soon',
  inFolder(async (file) => {
    const store = await opened(file)
    const release = lockedByAnother(file)
    const write = done(store.registry.addClient(addition(exampleClient('a'))))
    await pause(200)
    release()
    await write
    assert.equal(await listed(store.registry), [exampleClient('a')])
    await store.close()
  }),
)

faults(
  'all that wait for a lock give up together, however many they are',
  inFolder(async (file) => {
    const store = await opened(file)
    const release = lockedByAnother(file)
    const outcomes: Array<E.Either<unknown, void>> = []
    const writes = Array.from({ length: 1500 }, async () => outcomes.push(await store.check()))
    await Promise.race(writes)
    await pause(500)
    assert.is(outcomes.filter(E.isLeft).length, 1500)
    release()
    await Promise.all(writes)
    await store.close()
  }),
)

faults(
  'more than 10,000 waiting writes are refused at once, and the others are done',
  inFolder(async (file) => {
    const store = await opened(file)
    const release = lockedByAnother(file)
    const writes = Array.from({ length: 10_000 }, () => store.check())
    assert.match(String((await refused(store.check)).detail), 'too many')
    release()
    assert.ok((await Promise.all(writes)).every(E.isRight))
    await store.close()
  }),
)

faults(
  'on a full disk writes are unavailable and change nothing, reads go on, and with space all goes on',
  inFolder(async (file) => {
    const layers = await openedLayers(file)
    const { registry, initialAccessTokens: tokens } = storeOn(layers, encryptionWith('the right key'), '')
    const token = exampleToken('one')
    await done(tokens.addInitialAccessToken(token, exampleTime, noRow))
    const pages = Number(layers.db.pragma('page_count', { simple: true }))
    layers.db.pragma(`max_page_count = ${pages + 4}`)
    const clients = Array.from({ length: 100 }, (_, index) => exampleClient(`client-${1000 + index}`))
    const outcomes = await Promise.all(clients.map((client) => registry.addClient(addition(client))()))
    assert.ok(outcomes.some(E.isLeft), 'the disk is full')
    for (const outcome of outcomes) if (E.isLeft(outcome)) assert.is(outcome.left.error, 'unavailable')
    const filled = await listed(registry)
    assert.equal(
      filled,
      clients.filter((_, index) => E.isRight(outcomes[index] ?? E.left('none'))),
    )
    const metadata = storedMetadata({ client_name: 'x'.repeat(100_000) })
    const large = { ...exampleClient('large'), metadata }
    assert.is(
      (await refused(registry.addClient(addition(large, { consumedToken: O.some(token.hash) })))).error,
      'unavailable',
    )
    layers.db.pragma('max_page_count = 1000000')
    assert.equal(layers.fatal, [])
    assert.equal(await done(tokens.findInitialAccessToken(token.hash)), O.some(token))
    assert.equal(await listed(registry), filled)
    await done(registry.addClient(addition(exampleClient('with-space'), { consumedToken: O.some(token.hash) })))
    layers.db.close()
  }),
)

faults(
  'on a read-only file writes are unavailable and change nothing, and reads go on',
  inFolder(async (file) => {
    const layers = await openedLayers(file)
    const { registry } = storeOn(layers, encryptionWith('the right key'), '')
    await done(registry.addClient(addition(exampleClient('a'))))
    layers.db.pragma('query_only = ON')
    assert.is((await refused(registry.addClient(addition(exampleClient('b'))))).error, 'unavailable')
    assert.is(
      (
        await refused(
          registry.replaceClient({
            next: updatedExample(exampleClient('a')),
            replacing: exampleClient('a'),
            audit: noRow,
          }),
        )
      ).error,
      'unavailable',
    )
    assert.is((await refused(registry.removeClient(removal(exampleClient('a').client_id)))).error, 'unavailable')
    assert.equal(await listed(registry), [exampleClient('a')])
    assert.equal(layers.fatal, [])
    layers.db.close()
  }),
)

/** The store is asked and written to in turns until its answer is this one. */
const untilReady = async (check: () => E.Either<unknown, void>, write: () => Promise<unknown>): Promise<number> => {
  const began = performance.now()
  while (E.isLeft(check())) {
    assert.ok(performance.now() - began < 20_000, 'not ready again')
    await write()
    await pause(100)
  }
  return performance.now() - began
}

faults(
  'after a write that found no room it is not ready, says why, and is ready when writes succeed again',
  inFolder(async (file) => {
    const layers = await openedLayers(file)
    const { db, writeNow, health } = layers
    const { registry } = storeOn(layers, encryptionWith('the right key'), '')
    assert.equal(health.check(), E.right(undefined))
    db.pragma(`max_page_count = ${String(db.pragma('page_count', { simple: true }))}`)
    const names = Array.from({ length: 40 }, (_, index) => `client-${1000 + index}`)
    const outcomes = await Promise.all(names.map((name) => registry.addClient(addition(exampleClient(name)))()))
    assert.ok(outcomes.some(E.isLeft))
    const unready = health.check()
    assert.match(
      E.isLeft(unready) ? (unready.left.reason ?? '') : '',
      'the disk of the database is full: free some space',
    )
    // A commit that changes nothing finds room on any disk.
    await done(writeNow(() => E.right(undefined)))
    assert.ok(E.isLeft(health.check()))
    db.pragma('max_page_count = 1000000')
    let added = 0
    const took = await untilReady(health.check, () =>
      registry.addClient(addition(exampleClient(`later-${1000 + (added += 1)}`)))(),
    )
    assert.ok(took > 4_000, `ready after ${took} ms, although a small write may find room on a full disk`)
    db.close()
  }),
)

faults.run()
