import type { Store } from '@clientele/domain/ports'
import {
  done,
  exampleArtefact,
  exampleClient,
  exampleConsent,
  exampleHash,
  exampleSession,
  exampleTime,
  exampleToken,
  listed,
  refused,
  updatedExample,
  addition,
  noRow,
  giveConsent,
} from '@clientele/testing'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { copyFileSync, existsSync, readFileSync, readdirSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { backUp, inspectDatabase, restoreBackup, verifyBackup } from '../src/index.js'
import { beside } from './support/beside.js'
import { encryptionWith, withEarlier } from './support/encryption.js'
import { inFolder, opened } from './support/temporary-store.js'

const backup = suite('backup and restoration')

const encryption = encryptionWith('the right key')
const at = new Date('2026-11-24T02:00:00Z')
const ids = Array.from({ length: 300 }, (_, index) => `client-${index}`)
const artefact = { ...exampleArtefact('grant', 'of-three'), client: exampleClient('client-3') }

const fill = async ({ registry, ...store }: Store): Promise<void> => {
  await Promise.all(ids.map((id) => done(registry.addClient(addition(exampleClient(id))))))
  await done(store.initialAccessTokens.addInitialAccessToken(exampleToken('one'), exampleTime, noRow))
  await done(
    store.endUserSessions.addSession(exampleSession('one', ['client-1']), exampleHash('cookie'), exampleTime, noRow),
  )
  await done(store.artefacts.storeArtefact(artefact, exampleTime))
  await done(giveConsent(store, exampleConsent(exampleClient('client-3'))))
}

const forgotten = {
  initial_access_tokens: 1,
  operator_tokens: 0,
  end_user_sessions: 1,
  authorizations: 0,
  artefacts: 1,
  consents: 1,
  // By the session.
  observed_days: 1,
}

backup(
  'a backup of a running service is one new file for its owner alone, and holds all that was answered',
  inFolder(async (file, folder) => {
    const store = await opened(file)
    await fill(store)
    const to = `${folder}/backup.db`
    const made = await done(backUp(file, to))
    assert.equal({ ...made, bytes: 0 }, { file: to, bytes: 0, schema: made.schema, clients: ids.length })
    assert.is(made.bytes, statSync(to).size)
    assert.is(statSync(to).mode & 0o777, 0o600)
    assert.equal(
      readdirSync(folder).filter((name) => name.startsWith('backup')),
      ['backup.db'],
    )
    assert.equal((await done(verifyBackup({ backup: to, file, encryption }))).forgotten, forgotten)
    await done(store.registry.addClient(addition(exampleClient('later'))))
    await store.close()
  }),
)

backup(
  'each of several backups under load is a state between two answers',
  inFolder(async (file, folder) => {
    const store = await opened(file)
    const answered = new Set<string>()
    const state = { stopped: false }
    const load = (async () => {
      for (let count = 0; !state.stopped; count += 1) {
        await done(store.registry.addClient(addition(exampleClient(`client-${count}`))))
        answered.add(`client-${count}`)
      }
    })()
    for (const name of ['one', 'two', 'three', 'four']) {
      const before = answered.size
      const { clients } = await done(backUp(file, `${folder}/${name}.db`))
      assert.ok(clients >= before && clients <= answered.size + 1, `${before} ${clients} ${answered.size}`)
    }
    state.stopped = true
    await load
    await store.close()
    const copy = await opened(`${folder}/four.db`)
    const found = await listed(copy.registry)
    assert.equal(
      found,
      found.map((_, index) => exampleClient(`client-${index}`)),
    )
    await copy.close()
  }),
)

backup(
  'what cannot be backed up is refused, and leaves no file',
  inFolder(async (file, folder) => {
    const store = await opened(file)
    const to = `${folder}/backup.db`
    writeFileSync(to, 'mine')
    assert.match((await refused(backUp(file, to))).message, 'is there already')
    assert.is(readFileSync(to, 'utf8'), 'mine')
    assert.match((await refused(backUp(file, `${folder}/missing/backup.db`))).message, 'cannot be written')
    assert.is((await refused(backUp(to, `${folder}/two.db`))).refusal, 'not-a-database')
    const other = `${folder}/other.db`
    beside(other, (db) => db.exec('CREATE TABLE notes (text TEXT)'))
    assert.is((await refused(backUp(other, `${folder}/two.db`))).refusal, 'foreign-schema')
    assert.equal(
      readdirSync(folder).filter((name) => /two|tmp/.test(name)),
      [],
    )
    await store.close()
  }),
)

backup(
  'a restored database has the clients of the backup, and none of what may have been spent since',
  inFolder(async (file, folder) => {
    const store = await opened(file)
    await fill(store)
    const to = `${folder}/backup.db`
    await done(backUp(file, to))
    await done(
      store.registry.replaceClient({
        next: updatedExample(exampleClient('client-7')),
        replacing: exampleClient('client-7'),
        audit: noRow,
      }),
    )
    await done(store.registry.addClient(addition(exampleClient('later'))))
    const running = await refused(restoreBackup({ backup: to, file, encryption }, at))
    assert.is(running.refusal, 'in-use')
    await store.close()
    const before = await done(restoreBackup({ backup: to, file, encryption }, at))
    assert.equal(before.forgotten, forgotten)
    assert.is(before.replaced, `${file}.replaced-20261124T020000000Z`)
    const restored = await opened(file)
    assert.equal(
      await listed(restored.registry),
      ids.map((id) => exampleClient(id)),
    )
    assert.equal(await done(restored.initialAccessTokens.findInitialAccessToken(exampleToken('one').hash)), O.none)
    assert.equal(await done(restored.endUserSessions.findSession(exampleHash('cookie'))), O.none)
    assert.equal(await done(restored.artefacts.findArtefact(artefact.kind, artefact.hash)), O.none)
    await restored.close()
    const earlier = await opened(String(before.replaced))
    assert.is((await listed(earlier.registry)).length, ids.length + 1)
    await earlier.close()
    assert.equal(
      readdirSync(folder).filter((name) => name.includes('restore-')),
      [],
    )
  }),
)

backup(
  'a backup that another key sealed, or that is damaged, replaces nothing',
  inFolder(async (file, folder) => {
    const store = await opened(file)
    await fill(store)
    await store.close()
    const good = `${folder}/good.db`
    await done(backUp(file, good))
    const before = readFileSync(file)
    const refusals = async (name: string, change: (copy: string) => void): Promise<string> => {
      const copy = `${folder}/${name}.db`
      copyFileSync(good, copy)
      change(copy)
      const refusal = await refused(restoreBackup({ backup: copy, file, encryption }, at))
      assert.is((await refused(verifyBackup({ backup: copy, file, encryption }))).refusal, refusal.refusal)
      assert.match(refusal.message, copy)
      return refusal.refusal
    }
    assert.is(await refusals('short', (copy) => truncateSync(copy, statSync(copy).size - 8192)), 'not-a-database')
    assert.is(await refusals('text', (copy) => writeFileSync(copy, 'text')), 'not-a-database')
    const changed = (copy: string) => beside(copy, (db) => void db.exec("UPDATE clients SET metadata = '{}'"))
    assert.is(await refusals('changed', changed), 'wrong-encryption-key')
    const damaged = { backup: `${folder}/changed.db`, file, encryption }
    assert.match(
      (await refused(verifyBackup(damaged))).message,
      /keys of the time .* damaged, or was changed by somebody/,
    )
    const newer = (copy: string) => beside(copy, (db) => void db.pragma('user_version = 9999'))
    assert.is(await refusals('newer', newer), 'newer-schema')
    const other = { backup: good, file, encryption: encryptionWith('another key') }
    assert.is((await refused(restoreBackup(other, at))).refusal, 'wrong-encryption-key')
    const missing = { backup: `${folder}/missing.db`, file, encryption }
    assert.is((await refused(restoreBackup(missing, at))).refusal, 'unusable')
    assert.equal(readFileSync(file), before)
    assert.ok(!existsSync(`${file}.replaced-20261124T020000000Z`))
  }),
)

// A trigger that removes each row of the audit log, and what else a writer of a backup can put into it or take out.
const planted: ReadonlyArray<readonly [string, string]> = [
  [
    'CREATE TRIGGER t AFTER INSERT ON audit_rows BEGIN DELETE FROM audit_rows WHERE mac = NEW.mac; END',
    'trigger t is not of this service',
  ],
  ['CREATE VIEW v AS SELECT * FROM clients', 'view v is not of this service'],
  ['CREATE TABLE "o\u001bther" (x)', 'table o?ther is not of this service'],
  ['DROP INDEX clients_by_token', 'index clients_by_token is missing'],
  ['DROP TRIGGER count_added_client', 'trigger count_added_client is missing'],
  [
    'DROP INDEX clients_by_token; CREATE INDEX clients_by_token ON clients (client_id) WHERE 0',
    'index clients_by_token is different',
  ],
  ['ALTER TABLE audit_rows ADD COLUMN x TEXT', 'table audit_rows is different'],
]

backup(
  'a backup with another schema replaces nothing, and what differs is told',
  inFolder(async (file, folder) => {
    const store = await opened(file)
    await fill(store)
    await store.close()
    assert.equal((await done(inspectDatabase(file))).differences, [])
    const before = readFileSync(file)
    for (const [place, [statements, difference]] of planted.entries()) {
      const copy = `${folder}/planted-${place}.db`
      await done(backUp(file, copy))
      beside(copy, (db) => void db.exec(statements))
      const refusal = await refused(restoreBackup({ backup: copy, file, encryption }, at))
      assert.is(refusal.refusal, 'foreign-schema')
      assert.match(refusal.message, `${copy} has another schema than this service makes: ${difference}. Take`)
      assert.equal(await refused(verifyBackup({ backup: copy, file, encryption })), refusal)
      assert.equal((await done(inspectDatabase(copy))).differences, [difference])
    }
    assert.equal(readFileSync(file), before)
  }),
)

backup(
  'the statistics of SQLite are no part of the schema',
  inFolder(async (file, folder) => {
    const store = await opened(file)
    await fill(store)
    await store.close()
    const copy = `${folder}/copy.db`
    await done(backUp(file, copy))
    beside(copy, (db) => void db.exec('ANALYZE'))
    assert.is((await done(verifyBackup({ backup: copy, file, encryption }))).clients, ids.length)
    assert.equal((await done(inspectDatabase(copy))).differences, [])
  }),
)

backup(
  'a damaged database is replaced with its log, and a backup of an earlier key is restored with both keys',
  inFolder(async (file, folder) => {
    const earlier = encryptionWith('earlier')
    const next = encryptionWith('next')
    const store = await opened(file, { encryption: earlier })
    await fill(store)
    await store.close()
    const to = `${folder}/backup.db`
    await done(backUp(file, to))
    writeFileSync(file, 'garbage '.repeat(1024))
    writeFileSync(`${file}-wal`, 'garbage of the log '.repeat(500))
    const both = { backup: to, file, encryption: withEarlier(next, earlier) }
    const restored = await done(restoreBackup(both, at))
    assert.ok(restored.sealed_otherwise > ids.length)
    assert.ok(existsSync(`${String(restored.replaced)}-wal`))
    const again = await opened(file, { encryption: both.encryption })
    assert.is((await listed(again.registry)).length, ids.length)
    await again.close()
    assert.ok(E.isRight(await verifyBackup(both)()))
  }),
)

backup.run()
