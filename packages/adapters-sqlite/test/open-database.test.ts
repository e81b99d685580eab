import Database from 'better-sqlite3'
import { done, exampleClient, exampleId, listed, addition } from '@clientele/testing'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { appendFileSync, copyFileSync, existsSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { openDatabase } from '../src/open-store.js'
import { inFolder, opened, refusalOf } from './support/temporary-store.js'
import type { StoreRefusal } from '@clientele/domain/ports'

const open = suite('openDatabase')

const promised = {
  synchronous: 2,
  foreign_keys: 1,
  secure_delete: 1,
  trusted_schema: 0,
  journal_mode: 'wal',
}

const pragmasOf = (db: Database.Database): unknown =>
  Object.fromEntries(Object.keys(promised).map((name) => [name, db.pragma(name, { simple: true })]))

const database = async (file: string): Promise<Database.Database> => {
  const db = await openDatabase(file, false)()
  if (E.isLeft(db)) throw new Error(db.left.message)
  return db.right
}

const withForeignDatabase = (file: string, statements: string): void => {
  const db = new Database(file)
  db.exec(statements)
  db.close()
}

const made = async (file: string): Promise<void> => {
  const store = await opened(file)
  await done(store.registry.addClient(addition(exampleClient('a'))))
  await store.close()
}

const refusedAndUntouched = async (file: string, expectExisting = true): Promise<StoreRefusal> => {
  const before = readFileSync(file)
  const refusal = await refusalOf(file, { expectExisting })
  assert.ok(before.equals(readFileSync(file)), 'the file was changed')
  assert.not.ok(existsSync(`${file}-wal`), 'a log was left behind')
  assert.match(refusal.message, file)
  return refusal
}

open(
  'a commit waits for the disk, deleted content is overwritten and references count: after open, write and reopen',
  inFolder(async (file) => {
    const db = await database(file)
    assert.equal(pragmasOf(db), promised)
    db.exec("INSERT INTO secrets (name, sealed) VALUES ('a', 'b')")
    assert.equal(pragmasOf(db), promised)
    db.close()
    const again = await database(file)
    assert.equal(pragmasOf(again), promised)
    again.close()
  }),
)

open(
  'only the owner may read the database and its log',
  inFolder(async (file) => {
    const store = await opened(file)
    await done(store.registry.addClient(addition(exampleClient('a'))))
    for (const each of [file, `${file}-wal`, `${file}.lock`]) assert.is(statSync(each).mode & 0o777, 0o600, each)
    await store.close()
  }),
)

open(
  'the log of a store that was closed is in the file',
  inFolder(async (file) => {
    await made(file)
    assert.not.ok(existsSync(`${file}-wal`))
    const store = await opened(file, { expectExisting: true })
    assert.equal(await listed(store.registry), [exampleClient('a')])
    await store.close()
  }),
)

open(
  'opening again changes neither the schema nor the digest key',
  inFolder(async (file) => {
    await made(file)
    const before = readFileSync(file)
    const store = await opened(file, { generateKey: () => 'another digest key' })
    assert.is(store.digestKey, 'a-fresh-digest-key')
    await store.close()
    assert.ok(before.equals(readFileSync(file)))
  }),
)

open(
  'a database that was written under another encryption key is refused as it is',
  inFolder(async (file) => {
    await made(file)
    const { encryptionWith } = await import('./support/encryption.js')
    const before = readFileSync(file)
    const refusal = await refusalOf(file, { encryption: encryptionWith('another key') })
    assert.is(refusal.refusal, 'wrong-encryption-key')
    assert.match(refusal.message, 'encryption key')
    assert.match(refusal.message, file)
    assert.ok(before.equals(readFileSync(file)))
    await (await opened(file)).close()
  }),
)

open(
  'garbage is refused as it is',
  inFolder(async (file) => {
    writeFileSync(file, 'this is no database, though it is long enough to be one. '.repeat(200))
    assert.is((await refusedAndUntouched(file)).refusal, 'not-a-database')
  }),
)

open(
  'an empty file is refused as it is, expected or not',
  inFolder(async (file) => {
    writeFileSync(file, '')
    assert.is((await refusedAndUntouched(file)).refusal, 'not-a-database')
    assert.is((await refusedAndUntouched(file, false)).refusal, 'not-a-database')
  }),
)

open(
  'a file that is cut off is refused as it is, wherever it is cut',
  inFolder(async (file) => {
    await made(file)
    const whole = readFileSync(file)
    for (const size of [10, 100, 512, 4096, 8192, whole.length - 4096, whole.length - 1]) {
      writeFileSync(file, whole)
      truncateSync(file, size)
      assert.is((await refusedAndUntouched(file)).refusal, 'not-a-database', `cut at ${size} of ${whole.length}`)
    }
  }),
)

open(
  'the files as a crash leaves them are opened, with all that was answered, even if a page was written in part',
  inFolder(async (file, folder) => {
    const store = await opened(file)
    await done(store.registry.addClient(addition(exampleClient('a'))))
    const crashed = `${folder}/crashed.db`
    for (const suffix of ['', '-wal']) copyFileSync(file + suffix, crashed + suffix)
    appendFileSync(crashed, 'a part of a page')
    await store.close()
    const recovered = await opened(crashed, { expectExisting: true })
    assert.equal(await listed(recovered.registry), [exampleClient('a')])
    await recovered.close()
    await (await opened(crashed, { expectExisting: true })).close()
  }),
)

open(
  'a database that is expected and missing is not made',
  inFolder(async (file) => {
    const refusal = await refusalOf(file, { expectExisting: true })
    assert.is(refusal.refusal, 'not-a-database')
    assert.not.ok(existsSync(file))
  }),
)

open(
  'a database of a newer version is refused as it is',
  inFolder(async (file) => {
    await made(file)
    withForeignDatabase(file, 'PRAGMA user_version = 999')
    assert.is((await refusedAndUntouched(file)).refusal, 'newer-schema')
  }),
)

open(
  'a database of something else is refused as it is, whatever version it tells',
  inFolder(async (file) => {
    withForeignDatabase(file, 'CREATE TABLE clients (id); PRAGMA user_version = 999')
    assert.is((await refusedAndUntouched(file, false)).refusal, 'foreign-schema')
  }),
)

open(
  'a database of ours with tables of others, such as a replicator makes, is opened',
  inFolder(async (file) => {
    await made(file)
    withForeignDatabase(file, 'CREATE TABLE _litestream_lock (id INTEGER); CREATE TABLE _litestream_seq (id INTEGER)')
    const store = await opened(file, { expectExisting: true })
    assert.equal(await done(store.registry.findClient(exampleId('a'))), O.some(exampleClient('a')))
    await store.close()
  }),
)

open(
  'a folder that is not there is refused with the name of the file',
  inFolder(async (_, folder) => {
    const file = `${folder}/none/clientele.db`
    const refusal = await refusalOf(file)
    assert.is(refusal.refusal, 'unusable')
    assert.match(refusal.message, file)
  }),
)

open.run()
