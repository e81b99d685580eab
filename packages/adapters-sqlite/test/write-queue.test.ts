import Database from 'better-sqlite3'
import { done, refused } from '@clientele/testing'
import * as E from 'fp-ts/lib/Either.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createWriteQueue } from '../src/write-queue.js'
import { stored, keeping, openedLayers } from './support/opened-layers.js'
import { inFolder } from './support/temporary-store.js'

const queue = suite('the write queue')

const numbered = (count: number): ReadonlyArray<string> =>
  Array.from({ length: count }, (_, index) => `row-${1000 + index}`)

const broken = { error: 'broken' } as const

queue(
  'writes that arrive together share commits of up to 512, in the order of their arrival',
  inFolder(async (file) => {
    const layers = await openedLayers(file)
    const order: Array<string> = []
    const write = (name: string): Promise<unknown> =>
      layers.queue.write(() => {
        order.push(name)
        return keeping(layers, name)()
      })()
    await Promise.all(numbered(1200).map(write))
    assert.equal(layers.commits, [512, 512, 176])
    assert.equal(order, numbered(1200))
    assert.equal(stored(layers), numbered(1200))
    layers.db.close()
  }),
)

queue(
  'writes that arrive one after the other have a commit each',
  inFolder(async (file) => {
    const layers = await openedLayers(file)
    for (const name of numbered(5)) await done(layers.queue.write(keeping(layers, name)))
    assert.equal(layers.commits, [1, 1, 1, 1, 1])
    layers.db.close()
  }),
)

queue(
  'a write is answered when it is committed: another connection sees it then, and not before',
  inFolder(async (file) => {
    const layers = await openedLayers(file)
    const other = new Database(file, { readonly: true })
    const seen = other.prepare('SELECT count(*) FROM secrets').pluck()
    const looking = layers.queue.write(() => E.right(seen.get()))
    const [answers, before] = await Promise.all([
      Promise.all(
        numbered(20).map(async (name) => [await done(layers.queue.write(keeping(layers, name))), seen.get()]),
      ),
      done(looking),
    ])
    assert.is(before, 0)
    assert.equal(
      answers,
      numbered(20).map((name) => [name, 20]),
    )
    other.close()
    layers.db.close()
  }),
)

queue(
  'a write that throws is undone and hurts nobody else in its commit',
  inFolder(async (file) => {
    const layers = await openedLayers(file)
    const thrown = new Error('thrown')
    const outcomes = await Promise.all(
      numbered(9).map((name, index) =>
        layers.queue.write(() => {
          const written = keeping(layers, name)()
          if (index === 4) throw thrown
          return written
        })(),
      ),
    )
    assert.equal(layers.commits, [9])
    assert.equal(outcomes[4], E.left({ error: 'unavailable', detail: thrown }))
    assert.equal(outcomes.filter(E.isRight).length, 8)
    assert.equal(
      stored(layers),
      numbered(9).filter((_, index) => index !== 4),
    )
    assert.equal(layers.fatal, [])
    layers.db.close()
  }),
)

queue('writes of which nothing was begun stay the first ones, and are committed later', async () => {
  const committed: Array<number> = []
  const { write } = createWriteQueue({
    begin: () => E.right(undefined),
    commit: (writes) => {
      committed.push(writes.length)
      if (committed.length === 1) return writes
      for (const { run, settle } of writes) {
        run()
        settle()
      }
      return []
    },
  })
  const outcomes = await Promise.all([1, 2, 3].map((number) => write(() => E.right(number))()))
  assert.equal(outcomes, [1, 2, 3].map(E.right))
  assert.equal(committed, [3, 3])
})

queue(
  'a refusal of a write is its answer, and the others in its commit go on',
  inFolder(async (file) => {
    const layers = await openedLayers(file)
    const [refusal, kept1] = await Promise.all([
      layers.queue.write(() => E.left(broken))(),
      layers.queue.write(keeping(layers, 'one'))(),
    ])
    assert.equal([refusal, kept1], [E.left(broken), E.right('one')])
    layers.db.close()
  }),
)

queue(
  'when the commit fails all its writes are unavailable and none is kept, and the next ones go on',
  inFolder(async (file) => {
    const layers = await openedLayers(file)
    const orphan = layers.db.prepare(
      "INSERT INTO authorizations (kind, hash, client, expires_at, details) VALUES ('k', 'h', 999, 0, '{}')",
    )
    const spoiling = layers.queue.write(() => {
      layers.db.pragma('defer_foreign_keys = ON')
      return E.right(orphan.run().changes)
    })
    const writes = [layers.queue.write(keeping(layers, 'one')), spoiling, layers.queue.write(() => E.left(broken))]
    const refusals = await Promise.all(writes.map((write) => refused<{ readonly error: string }, unknown>(write)))
    assert.equal(
      refusals.map(({ error }) => error),
      ['unavailable', 'unavailable', 'unavailable'],
    )
    assert.equal(stored(layers), [])
    assert.equal(layers.fatal, [])
    await done(layers.queue.write(keeping(layers, 'two')))
    assert.equal(stored(layers), ['two'])
    layers.db.close()
  }),
)

queue(
  'a fault that undoes the whole transaction makes all its writes unavailable, by its own name',
  inFolder(async (file) => {
    const layers = await openedLayers(file)
    await done(layers.queue.write(keeping(layers, 'one')))
    const undoing = layers.queue.write(() =>
      E.right(layers.db.exec("INSERT OR ROLLBACK INTO secrets VALUES ('one', 'again')")),
    )
    const writes = [layers.queue.write(keeping(layers, 'two')), undoing, layers.queue.write(keeping(layers, 'three'))]
    const refusals = await Promise.all(writes.map((write) => refused<{ readonly detail: unknown }, unknown>(write)))
    for (const { detail } of refusals) assert.match(String(detail), 'UNIQUE constraint failed')
    assert.equal(stored(layers), ['one'])
    await done(layers.queue.write(keeping(layers, 'four')))
    assert.equal(stored(layers), ['four', 'one'])
    layers.db.close()
  }),
)

queue(
  'a write may be run again, and is a new write each time',
  inFolder(async (file) => {
    const layers = await openedLayers(file)
    let count = 0
    const write = layers.queue.write(() => E.right((count += 1)))
    assert.is(count, 0)
    assert.equal([await done(write), await done(write)], [1, 2])
    layers.db.close()
  }),
)

queue(
  'drained waits for what was asked, and for nothing when nothing was',
  inFolder(async (file) => {
    const layers = await openedLayers(file)
    await layers.queue.drained()
    const writes = numbered(600).map((name) => layers.queue.write(keeping(layers, name))())
    await layers.queue.drained()
    assert.equal(stored(layers), numbered(600))
    assert.ok((await Promise.all(writes)).every(E.isRight))
    layers.db.close()
  }),
)

queue.run()
