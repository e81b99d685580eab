// The schema of the next release under this code, and who changes the schema.
import { done, exampleClient, exampleTime, listed, refused, addition } from '@clientele/testing'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type OpeningOptions, type StoreOptions, migrateDatabase } from '../src/index.js'
import { migrateDatabaseBy, type Migrated } from '../src/migrate.js'
import type { Migrations } from '../src/schema.js'
import { openStoreBy } from '../src/open-store.js'
import { newDatabase } from './support/new-database.js'
import { last, nextMigrations } from './support/next-release.js'
import { postgresqlSuite } from './support/postgresql-suite.js'
import { query } from './support/query.js'
import { encryptionWith, newStore, opened, optionsOf, refusalOf } from './support/temporary-store.js'
import { verbs } from './support/verbs.js'

const tests = postgresqlSuite('a migration of a shared database')

const exampleInstance = {
  id: 'one',
  version: '1.0.0',
  started_at: exampleTime,
  seals_with: 'a key',
  opens_with: ['a key'],
  settings: {},
}

const versionAt = async (url: string): Promise<unknown> => query(url, 'SELECT version::int FROM schema_version')

const migratedBy = async (migrations: Migrations, options: OpeningOptions): Promise<Migrated> => {
  const migrated = await migrateDatabaseBy(migrations)(options)()
  if (E.isLeft(migrated)) throw new Error(migrated.left.message)
  return migrated.right
}

tests('says from which version to which, and is a success where nothing is due', async (server) => {
  const options = optionsOf(await newDatabase(server))
  assert.equal(await migrateDatabase(options)(), E.right({ from: 0, to: last }))
  assert.equal(await migrateDatabase(options)(), E.right({ from: last, to: last }))
  assert.equal(await migratedBy(nextMigrations(), options), { from: last, to: last + 1 })
  assert.equal(await migrateDatabase(options)(), E.right({ from: last + 1, to: last + 1 }))
})

tests('is not begun by an instance whose key opens nothing, or that others refuse', async (server) => {
  const url = await newStore(server)
  const open = (changes: Partial<StoreOptions>) => openStoreBy(nextMigrations())(optionsOf(url, changes))()
  const refusals = [
    await open({ encryption: encryptionWith('another key') }),
    await open({ admit: () => TE.left({ refusal: 'other-instances', message: 'refused' }) }),
  ]
  assert.equal(
    refusals.map((opening) => E.isLeft(opening) && opening.left.refusal),
    ['wrong-encryption-key', 'other-instances'],
  )
  assert.equal(await versionAt(url), [{ version: last }])
  const store = await open({})
  assert.equal(await versionAt(url), [{ version: last + 1 }])
  if (E.isRight(store)) await store.right.close()
})

tests('is done by exactly one of eight instances that begin at once', async (server) => {
  const options = optionsOf(await newDatabase(server))
  const starts = Array.from({ length: 8 }, () => migratedBy(nextMigrations(), options))
  const done = await Promise.all(starts)
  assert.is(done.filter(({ from }) => from === 0).length, 1)
  assert.ok(done.every(({ to }) => to === last + 1))
})

tests('leaves a schema beside which this code does everything that it did', async (server) => {
  const url = await newStore(server)
  const before = await opened(url)
  await migratedBy(nextMigrations(), optionsOf(url))
  const after = await opened(url)
  for (const store of [before, after])
    for (const verb of verbs) {
      await verb.prepare(store)
      assert.equal([verb.name, await verb.act(store)()], [verb.name, E.right(verb.result)])
      const roots = [
        'clients',
        'end_user_sessions',
        'initial_access_tokens',
        'key_rings',
        'foreign_keys',
        'leases',
        'artefacts',
        'audit_rows',
      ]
      for (const name of [...roots, 'provider_events']) await query(url, `DELETE FROM ${name}`)
    }
  await before.close()
  await after.close()
})

tests('keeps code from starting that its schema does not work with', async (server) => {
  const url = await newStore(server)
  await migratedBy(nextMigrations({ worksWith: last + 1 }), optionsOf(url))
  const refused = await refusalOf(url)
  assert.is(refused.refusal, 'newer-schema')
  assert.match(refused.message, `schema ${last + 1}`)
  assert.equal(await migrateDatabase(optionsOf(url))(), E.left(refused))
})

tests('stops the writes of a running instance that it excludes, from its next announcement on', async (server) => {
  const url = await newStore(server)
  const { instances, registry, leases, check, close } = await opened(url)
  if (instances === undefined) throw new Error('the store has no instances')
  const add = (id: string) => registry.addClient(addition(exampleClient(id)))
  const announce = instances.announceInstance(exampleInstance)
  await done(announce)
  await done(add('before'))
  await migratedBy(nextMigrations({ worksWith: last + 1 }), optionsOf(url))
  assert.equal(await refused(announce), { error: 'excluded_by_schema', schema: last + 1 })
  assert.is((await refused(add('excluded'))).error, 'unavailable')
  const lease = { name: 'key-rings', holder: 'one', until: exampleTime }
  assert.is((await refused(leases.acquireLease(lease, exampleTime))).error, 'unavailable')
  await done(check)
  assert.is((await listed(registry)).length, 1)
  await query(url, 'UPDATE schema_version SET works_with = 1')
  await query(url, 'ALTER TABLE instances ADD CONSTRAINT nobody CHECK (false) NOT VALID')
  assert.is((await refused(announce)).error, 'unavailable')
  assert.is((await refused(add('undone'))).error, 'unavailable')
  await query(url, 'ALTER TABLE instances DROP CONSTRAINT nobody')
  await done(announce)
  await done(add('permitted'))
  await done(leases.acquireLease(lease, exampleTime))
  await close()
})

tests('is refused by an opening that does not migrate, which changes nothing', async (server) => {
  const empty = await newDatabase(server)
  assert.match((await refusalOf(empty, { migrates: false })).message, 'is empty: run clientele database migrate')
  assert.equal(await query(empty, 'SELECT 1 FROM pg_tables WHERE schemaname = current_schema()'), [])
  const url = await newStore(server)
  const store = await openStoreBy(nextMigrations())(optionsOf(url, { migrates: false }))()
  assert.match(
    E.isLeft(store) ? store.left.message : '',
    `has schema ${last}, and this version needs schema ${last + 1}: run clientele database migrate`,
  )
  assert.equal(await versionAt(url), [{ version: last }])
  await (await opened(url, { migrates: false })).close()
})

tests.run()

const urls = suite('a URL that is none')

urls('is refused', async () => {
  for (const url of ['', 'localhost:5432', 'postgresql://[/clientele'])
    assert.match((await refusalOf(url)).message, 'postgresql://USER:PASSWORD@HOST/DATABASE')
})

urls.run()
