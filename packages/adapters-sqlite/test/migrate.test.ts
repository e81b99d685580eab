// The schema of a file, and files of another schema.
import {
  addition,
  connectionsOf,
  done,
  exampleArtefact,
  exampleClient,
  exampleConsent,
  exampleTime,
  revokeExample,
  giveConsent,
} from '@clientele/testing'
import { secondsAfter } from '@clientele/domain/kernel'
import Database from 'better-sqlite3'
import { readFileSync } from 'node:fs'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { applicationId, migrations } from '../src/schema.js'
import { beside } from './support/beside.js'
import { encryptionWith } from './support/encryption.js'
import { inFolder, opened, refusalOf } from './support/temporary-store.js'

const migrate = suite('migrate')

const versionOf = (file: string): unknown => beside(file, (db) => db.pragma('user_version', { simple: true }))

migrate(
  'a new file has the schema of this version, and says so',
  inFolder(async (file) => {
    await (await opened(file)).close()
    assert.is(versionOf(file), migrations.at(-1)?.number)
  }),
)

migrate(
  'a file of a schema before the first is refused, and stays as it is',
  inFolder(async (file) => {
    await (await opened(file)).close()
    for (const version of [0, 1, 23, 99, -1]) {
      beside(file, (db) => db.pragma(`user_version = ${version}`))
      assert.is((await refusalOf(file)).refusal, 'earlier-schema', `${version}`)
      assert.is(versionOf(file), version)
    }
  }),
)

/** A file of schema 100. */
const earliest = (file: string): Database.Database => {
  const db = new Database(file)
  db.exec(migrations[0].statements)
  db.pragma(`application_id = ${applicationId}`)
  db.pragma('user_version = 100')
  return db
}

migrate(
  'a file of schema 100 that the key does not open is refused as it is, and the right key migrates it',
  inFolder(async (file, folder) => {
    const earlier = `${folder}/earlier.db`
    await (await opened(file)).close()
    const db = earliest(earlier)
    db.prepare('ATTACH ? AS made').run(file)
    db.exec('INSERT INTO secrets SELECT * FROM made.secrets')
    db.close()
    const before = readFileSync(earlier)
    assert.is((await refusalOf(earlier, { encryption: encryptionWith('another key') })).refusal, 'wrong-encryption-key')
    assert.ok(before.equals(readFileSync(earlier)), 'the file was changed')
    await (await opened(earlier)).close()
    assert.is(versionOf(earlier), migrations.at(-1)?.number)
  }),
)

migrate(
  'a consent of schema 100 is a connection, with its tokens, and goes on',
  inFolder(async (file, folder) => {
    const client = exampleClient('a')
    const given = ['zoe', 'ann'].map((sub, nth) => ({
      ...exampleConsent(client, sub),
      given_at: secondsAfter(exampleTime, -nth),
    }))
    const earlier = `${folder}/earlier.db`
    const written = await opened(file)
    await done(written.registry.addClient(addition(client)))
    for (const each of given) {
      await done(giveConsent(written, each))
      const token = { ...exampleArtefact('refresh_token', `of-${each.sub}`), client, sub: each.sub }
      await done(written.artefacts.storeArtefact(token, exampleTime))
    }
    await written.close()
    const db = earliest(earlier)
    db.prepare('ATTACH ? AS made').run(file)
    const columnsOf = (table: string) =>
      db.prepare('SELECT name FROM pragma_table_info(?)').pluck().all(table).map(String).join(', ')
    for (const table of ['secrets', 'clients', 'artefacts'])
      db.exec(`INSERT INTO ${table} SELECT ${columnsOf(table)} FROM made.${table}`)
    db.exec('INSERT INTO consents SELECT client, sub, given_at, sealed FROM made.consents')
    db.close()

    // The release before, which may run beside this one on PostgreSQL, writes no `since`.
    for (const writes of ['', 'UPDATE consents SET since = NULL']) {
      beside(earlier, (changed) => changed.exec(writes))
      const read = await opened(earlier)
      assert.is(versionOf(earlier), migrations.at(-1)?.number)
      const listed = await done(read.connections.searchConnections({}, exampleTime, { after: 0, limit: 10 }))
      assert.equal(
        listed.connections.map(({ sub, since, refresh_tokens }) => [sub, since, refresh_tokens]),
        [...given].reverse().map(({ sub, given_at }) => [sub, given_at, 1]),
      )
      await read.close()
    }
    const store = await opened(earlier)
    for (const each of given) {
      assert.is(await done(revokeExample(store, each)), true)
      assert.equal(await done(connectionsOf(store, each.sub)), [])
    }
    const revoked = await done(
      store.connections.searchConnections({ state: 'revoked' }, exampleTime, { after: 0, limit: 1 }),
    )
    assert.is(revoked.connections[0]?.since, given.at(-1)?.given_at)
    await store.close()
  }),
)

migrate.run()
