// Whoever writes to the file, a client is told as it stands there.
import type { RegisteredClient } from '@clientele/domain'
import type Database from 'better-sqlite3'
import { done, exampleClient, exampleHash, exampleId } from '@clientele/testing'
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
const numRuns = Math.ceil(Number(process.env['PROPERTY_RUNS'] ?? 200) / 4)

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

const insert = (db: Database.Database, name: string, life = 'first'): void => {
  const columns = Object.keys(toRow(exampleClient(name, life)))
  db.prepare(
    `INSERT OR IGNORE INTO clients (${columns.join(', ')}) VALUES (${columns.map((each) => `@${each}`).join(', ')})`,
  ).run(toRow(exampleClient(name, life)))
}
const touch = (db: Database.Database, name: string): void => {
  const client = rowIn(db, name)
  if (client === undefined) return
  db.prepare('UPDATE clients SET version = @version, credentials = @credentials WHERE client_id = @client_id').run(
    toRow({ ...client, version: client.version + 1 }),
  )
}
const remove = (db: Database.Database, name: string): void =>
  void db.prepare('DELETE FROM clients WHERE client_id = ?').run(exampleId(name))
const replaceAnew = (db: Database.Database, name: string): void => {
  remove(db, name)
  insert(db, name, 'second')
}

const rowIn = (db: Database.Database, name: string): RegisteredClient | undefined => {
  const row = db.prepare('SELECT * FROM clients WHERE client_id = ?').get(exampleId(name))
  return row === undefined ? undefined : O.toUndefined(O.fromEither(fromRow(row)))
}

const step = fc.record({
  write: fc.constantFrom(insert, touch, remove, replaceAnew, () => undefined),
  by: fc.constantFrom('ours' as const, 'theirs' as const),
  isUndone: fc.boolean(),
  name: fc.constantFrom(...names),
})

const tokens = names.flatMap((name) => ['first', 'second'].map((life) => exampleHash(`${name}-${life}`)))

const agrees = async (store: Opened): Promise<void> => {
  for (const name of names) {
    const client = rowIn(store.ours, name)
    assert.equal(O.toUndefined(await done(store.findClient(exampleId(name)))), client)
    for (const token of tokens) {
      const opens = client?.registration_access_token.hash === token
      const found = O.toUndefined(await done(store.findClientByToken(exampleId(name), token)))
      assert.equal(found, opens ? client : undefined)
    }
  }
}

find('a client is told as it stands in the file, whoever wrote there, and in which order', async () => {
  const steps = fc.array(step, { maxLength: 20 })
  await fc.assert(
    fc.asyncProperty(steps, (all) =>
      inFolder(async (file) => {
        const store = opened(file)
        for (const { write, by, name, isUndone } of all) {
          store[by].exec('BEGIN IMMEDIATE')
          write(store[by], name)
          await agrees(store)
          store[by].exec(isUndone ? 'ROLLBACK' : 'COMMIT')
          await agrees(store)
        }
        closed(store)
      })(),
    ),
    { numRuns },
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

find(
  'where nobody wrote, it is told without a SELECT: even where none would find it',
  inFolder(async (file) => {
    const store = opened(file)
    insert(store.ours, 'one')
    const told = await done(store.findClient(exampleId('one')))
    store.ours.exec('CREATE TEMP TABLE clients AS SELECT * FROM main.clients WHERE false')
    assert.equal(await done(store.findClient(exampleId('one'))), told)
    touch(store.theirs, 'one')
    assert.equal(await done(store.findClient(exampleId('one'))), O.none)
    closed(store)
  }),
)

find(
  'a wrong token opens nothing, of a client that was read before neither',
  inFolder(async (file) => {
    const store = opened(file)
    insert(store.ours, 'one')
    const own = exampleClient('one').registration_access_token.hash
    for (const token of [exampleHash('wrong'), own, exampleHash('wrong')])
      for (const name of names) await done(store.findClientByToken(exampleId(name), token))
    assert.is(store.reads.length, 1)
    closed(store)
  }),
)

find.run()
