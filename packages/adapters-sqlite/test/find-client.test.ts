// Whoever writes to the file, a client is told as it stands there.
import type Database from 'better-sqlite3'
import { done, exampleClient, exampleId } from '@clientele/domain/testing'
import fc from 'fast-check'
import * as O from 'fp-ts/lib/Option.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { fromClientRow, toClientRow } from '../src/client-row.js'
import type { FindClient } from '../src/find-client.js'
import { createFindClient } from '../src/find-client.js'
import { openedLayers } from './support/opened-layers.js'
import { sealingWith } from './support/sealing.js'
import { inFolder } from './support/temporary-store.js'

const find = suite('finding a client')

const sealing = sealingWith('the right key')
const [toRow, fromRow] = [toClientRow(sealing), fromClientRow(sealing)]
const names = ['one', 'two'] as const

type Opened = {
  readonly ours: Database.Database
  readonly theirs: Database.Database
  readonly reads: Array<unknown>
} & FindClient

const opened = (file: string): Opened => {
  const [{ db: ours }, { db: theirs }] = [openedLayers(file), openedLayers(file)]
  const reads: Array<unknown> = []
  const found = createFindClient(ours, (row) => {
    reads.push(row)
    return fromRow(row)
  })
  return { ours, theirs, reads, ...found }
}

const closed = ({ ours, theirs }: Opened): void => {
  for (const db of [ours, theirs]) db.close()
}

const insert = (db: Database.Database, name: string): void => {
  const columns = Object.keys(toRow(exampleClient(name)))
  db.prepare(
    `INSERT OR IGNORE INTO clients (${columns.join(', ')}) VALUES (${columns.map((each) => `@${each}`).join(', ')})`,
  ).run(toRow(exampleClient(name)))
}
const touch = (db: Database.Database, name: string): void =>
  void db.prepare('UPDATE clients SET version = version + 1 WHERE client_id = ?').run(exampleId(name))
const remove = (db: Database.Database, name: string): void =>
  void db.prepare('DELETE FROM clients WHERE client_id = ?').run(exampleId(name))
const touchInVain = (db: Database.Database, name: string): void => {
  db.exec('BEGIN')
  touch(db, name)
  db.exec('ROLLBACK')
}

const versionIn = (db: Database.Database, name: string): unknown =>
  db.prepare('SELECT version FROM clients WHERE client_id = ?').pluck().get(exampleId(name))

const step = fc.record({
  write: fc.constantFrom(insert, touch, remove, touchInVain, () => undefined),
  by: fc.constantFrom('ours' as const, 'theirs' as const),
  name: fc.constantFrom(...names),
})

find('a client is told as it stands in the file, whoever wrote there, and in which order', async () => {
  const steps = fc.array(step, { maxLength: 20 })
  await fc.assert(
    fc.asyncProperty(steps, (all) =>
      inFolder(async (file) => {
        const store = opened(file)
        for (const { write, by, name } of all) {
          write(store[by], name)
          for (const each of names) {
            const client = await done(store.findClient(exampleId(each)))
            assert.is(O.toUndefined(client)?.version, versionIn(store.theirs, each))
          }
        }
        closed(store)
      })(),
    ),
    { numRuns: 40 },
  )
})

find(
  'a row is read once, as long as it is the same',
  inFolder(async (file) => {
    const store = opened(file)
    insert(store.ours, 'one')
    for (const write of [() => undefined, () => undefined, () => insert(store.theirs, 'two'), () => undefined]) {
      write()
      await done(store.findClient(exampleId('one')))
    }
    assert.is(store.reads.length, 1)
    touch(store.theirs, 'one')
    await done(store.findClient(exampleId('one')))
    assert.is(store.reads.length, 2)
    closed(store)
  }),
)

find.run()
