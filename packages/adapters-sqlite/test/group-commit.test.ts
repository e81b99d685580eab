import Database from 'better-sqlite3'
import { done, refused } from '@clientele/testing'
import * as E from 'fp-ts/lib/Either.js'
import { setTimeout } from 'node:timers/promises'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { stored, keeping, openedLayers } from './support/opened-layers.js'
import { inFolder } from './support/temporary-store.js'

const queue = suite('group commit')

const numbered = (count: number): ReadonlyArray<string> =>
  Array.from({ length: count }, (_, index) => `row-${1000 + index}`)

const broken = { error: 'broken' } as const

queue(
  'writes that arrive together share commits of up to 512, in the order of their arrival',
  inFolder(async (file) => {
    const layers = await openedLayers(file)
    const order: Array<string> = []
    const write = (name: string): Promise<unknown> =>
      layers.writeNow(() => {
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
    for (const name of numbered(5)) await done(layers.writeNow(keeping(layers, name)))
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
    const looking = layers.writeNow(() => E.right(seen.get()))
    const [answers, before] = await Promise.all([
      Promise.all(numbered(20).map(async (name) => [await done(layers.writeNow(keeping(layers, name))), seen.get()])),
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
        layers.writeNow(() => {
          const written = keeping(layers, name)()
          if (index === 4) throw thrown
          return written
        })(),
      ),
    )
    // Halves of halves, until it is alone.
    assert.equal(layers.commits, [3, 1, 4])
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

queue(
  'writes wait for the lock of another process, stay in their order, and are refused after seconds',
  inFolder(async (file) => {
    const layers = await openedLayers(file)
    const other = new Database(file)
    other.exec('BEGIN IMMEDIATE')
    const waiting = numbered(3).map((name) => layers.writeNow(keeping(layers, name))())
    await setTimeout(100)
    other.exec('COMMIT')
    assert.equal(await Promise.all(waiting), numbered(3).map(E.right))
    assert.equal(layers.commits, [3])
    other.exec('BEGIN IMMEDIATE')
    const late = await refused<{ readonly error: string }, unknown>(layers.writeNow(keeping(layers, 'late')))
    assert.is(late.error, 'unavailable')
    other.exec('COMMIT')
    await done(layers.writeNow(keeping(layers, 'next')))
    assert.equal(stored(layers), ['next', ...numbered(3)])
    other.close()
    layers.db.close()
  }),
)

queue(
  'a refusal of a write is its answer, and the others in its commit go on',
  inFolder(async (file) => {
    const layers = await openedLayers(file)
    const [refusal, kept1] = await Promise.all([
      layers.writeNow(() => E.left(broken))(),
      layers.writeNow(keeping(layers, 'one'))(),
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
      "INSERT INTO authorizations (kind, hash, client, expires_at, details, offline, proof) VALUES ('k', 'h', 999, 0, '{}', 0, '')",
    )
    const spoiling = layers.writeNow(() => {
      layers.db.pragma('defer_foreign_keys = ON')
      return E.right(orphan.run().changes)
    })
    const writes = [layers.writeNow(keeping(layers, 'one')), spoiling, layers.writeNow(() => E.left(broken))]
    const refusals = await Promise.all(writes.map((write) => refused<{ readonly error: string }, unknown>(write)))
    assert.equal(
      refusals.map(({ error }) => error),
      ['unavailable', 'unavailable', 'unavailable'],
    )
    assert.equal(stored(layers), [])
    assert.equal(layers.fatal, [])
    await done(layers.writeNow(keeping(layers, 'two')))
    assert.equal(stored(layers), ['two'])
    layers.db.close()
  }),
)

queue(
  'a fault that undoes the whole transaction fails alone, by its own name',
  inFolder(async (file) => {
    const layers = await openedLayers(file)
    await done(layers.writeNow(keeping(layers, 'one')))
    const undoing = layers.writeNow(() =>
      E.right(layers.db.exec("INSERT OR ROLLBACK INTO secrets VALUES ('one', 'again')")),
    )
    const [before, failed, after] = await Promise.all([
      layers.writeNow(keeping(layers, 'two'))(),
      refused<{ readonly detail: unknown }, unknown>(undoing),
      layers.writeNow(keeping(layers, 'three'))(),
    ])
    assert.match(String(failed.detail), 'UNIQUE constraint failed')
    assert.equal([before, after], [E.right('two'), E.right('three')])
    assert.equal(stored(layers), ['one', 'three', 'two'])
    layers.db.close()
  }),
)

queue(
  'a write may be run again, and is a new write each time',
  inFolder(async (file) => {
    const layers = await openedLayers(file)
    let count = 0
    const write = layers.writeNow(() => E.right((count += 1)))
    assert.is(count, 0)
    assert.equal([await done(write), await done(write)], [1, 2])
    layers.db.close()
  }),
)

queue(
  'its end waits for what was asked, and refuses what comes later',
  inFolder(async (file) => {
    const layers = await openedLayers(file)
    const writes = numbered(600).map((name) => layers.writeNow(keeping(layers, name))())
    await layers.end()
    assert.equal(stored(layers), numbered(600))
    assert.ok((await Promise.all(writes)).every(E.isRight))
    assert.ok(E.isLeft(await layers.writeNow(keeping(layers, 'late'))()))
    layers.db.close()
  }),
)

queue.run()
