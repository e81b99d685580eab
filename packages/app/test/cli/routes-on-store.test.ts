// A command where no service runs: the routes of management in its own process.
import { loadConfig } from '../../src/config/load-config.js'
import { readFile } from '../../src/config/files.js'
import { openData } from '../../src/data/open-data.js'
import { readAnswer } from '../../src/cli/ask.js'
import { type NeededKeys, withRoutesOnStore } from '../../src/cli/manage.js'
import { secondsAfter, unavailable } from '@clientele/domain/kernel'
import { done, exampleForeignKey, noRow } from '@clientele/testing'
import Database from 'better-sqlite3'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { run, started } from './run.js'
import { discard, newDataDir } from '../support/service.js'

const OnStore = suite<{ directory: string }>('commands without a service')

OnStore.before.each(async (context) => {
  context.directory = newDataDir()
  await (await started({ 'data-dir': context.directory })).stop()
})
OnStore.after.each(({ directory }) => discard(directory))

OnStore('they take a client that no request to a service could bring', async ({ directory }) => {
  const file = join(directory, 'clients.jsonl')
  const redirect_uris = Array.from({ length: 32 }, (_, index) => `https://rp.example/${'x'.repeat(1_900)}${index}`)
  const large = { client_id: 'large', redirect_uris, post_logout_redirect_uris: redirect_uris }
  writeFileSync(file, `${JSON.stringify(large)}\n`)
  assert.ok(JSON.stringify(large).length > 65_536)
  const given = ['--data-dir', directory]
  const imported = await run(['clients', 'import', file, '--from', 'connect2id', ...given])
  assert.is(imported.status, 0, imported.errors + imported.output)
  const shown = await run(['clients', 'show', 'large', ...given])
  assert.equal((JSON.parse(shown.output) as typeof large).redirect_uris, redirect_uris)
})

OnStore('a client that is nested too deeply is told, and the others are taken', async ({ directory }) => {
  const nested = (levels: number): unknown => (levels === 0 ? 'x' : { a: nested(levels - 1) })
  const client = (client_id: string, extension: unknown) => ({
    client_id,
    redirect_uris: ['https://rp.example/'],
    extension,
  })
  const file = join(directory, 'clients.jsonl')
  // 31 levels with the client around them, which a file may have.
  writeFileSync(file, `${JSON.stringify(client('deep', nested(30)))}\n${JSON.stringify(client('flat', 1))}\n`)
  const given = ['--from', 'connect2id', '--only-valid', '--data-dir', directory]
  const imported = await run(['clients', 'import', file, ...given])
  assert.match(imported.output + imported.errors, /nested deeper than 29 levels: flatten it/)
  assert.is((await run(['clients', 'show', 'flat', '--data-dir', directory])).status, 0)
  assert.is((await run(['clients', 'show', 'deep', '--data-dir', directory])).status, 1)
})

OnStore('an entity tag that no header takes is refused before anything is asked', async ({ directory }) => {
  const edited = await run(['clients', 'edit', 'a', 'client_name=A', '--if-match', '“a”', '--data-dir', directory])
  assert.equal([edited.status, edited.output], [2, ''])
  assert.match(edited.errors, /--if-match must be an entity tag, in ASCII/)
})

const opened = async (directory: string) => {
  const loaded = loadConfig({ flags: { 'data-dir': directory, engine: 'none' }, environment: {}, readFile })
  if (E.isLeft(loaded)) throw new Error(JSON.stringify(loaded.left))
  const { config } = loaded.right
  const options = { onFatal: () => undefined, expectExisting: true, admit: () => TE.right(undefined) }
  const data = await openData(config, options)()
  if (E.isLeft(data)) throw new Error(data.left.message)
  return { config, data: data.right }
}

OnStore(
  'a set with a key that cannot be read is not shown without it; the audit log needs no such key',
  async ({ directory }) => {
    const { config, data } = await opened(directory)
    const readForeignKeys = TE.left(unavailable('of a row'))
    const store = { ...data.store, foreignKeys: { ...data.store.foreignKeys, readForeignKeys } }
    const status = (keys: NeededKeys, path: string) =>
      withRoutesOnStore(config, { ...data, store }, keys, (ask) =>
        pipe(
          ask(path),
          TE.map((response) => response.status),
        ),
      )()
    assert.equal(await status('published', '/jwks.json'), E.left('the store cannot answer now: try again'))
    assert.equal(await status('stored', '/manage/v1/audit/verification'), E.right(200))
    await data.store.close()
  },
)

OnStore(
  'a kid of another signer that a ring has as well refuses the start until it is removed',
  async ({ directory }) => {
    const { data } = await opened(directory)
    const rings = await done(data.store.keyRings.readKeyRings)
    const kid = rings[0]?.current.key.kid ?? ''
    await done(data.store.foreignKeys.addForeignKeys([exampleForeignKey(kid)], rings, noRow))
    await data.store.close()
    const given = { 'data-dir': directory }
    const refusal = await started(given).catch(({ message }: Error) => message)
    assert.is(
      refusal,
      `two published keys have the kid ${kid}: remove that of another signer by clientele keys remove ${kid}`,
    )
    assert.is((await run(['keys', 'remove', kid, '--data-dir', directory])).status, 0)
    await (await started(given)).stop()
  },
)

OnStore('no keys are made while an instance that was killed has their lease, which is told', async ({ directory }) => {
  const database = new Database(join(directory, 'clientele.db'))
  database.exec('DELETE FROM key_rings')
  database.close()
  const { config, data } = await opened(directory)
  const { keyRings, leases } = data.store
  const at = await done(keyRings.readStoreTime)
  const killed = { name: 'key-rings', holder: 'killed', until: secondsAfter(at, 30) }
  assert.is(await done(leases.acquireLease(killed, at)), true)
  const created = withRoutesOnStore(config, data, 'made', () => TE.right('made'))
  assert.equal(
    await created(),
    E.left(
      'another instance manages the keys, or ended less than 30 seconds ago, so that not all keys were made: try again',
    ),
  )
  await done(leases.releaseLease('key-rings', 'killed'))
  assert.equal(await created(), E.right('made'))
  assert.is.not((await done(keyRings.readKeyRings)).length, 0)
  await data.store.close()
})

OnStore('a defect is told with its cause, and a store that cannot answer without', async ({ directory }) => {
  const { config, data } = await opened(directory)
  const listed = (listOperatorTokens: () => TE.TaskEither<never, never>) => {
    const operations = { ...data.operations, listOperatorTokens }
    return withRoutesOnStore(config, { ...data, operations }, 'none', (ask) =>
      pipe(ask('/operator-tokens'), TE.flatMap(readAnswer(t.unknown))),
    )()
  }
  const fails = () => {
    throw new Error('a defect of the store')
  }
  assert.equal(await listed(fails), E.left('the command failed: Error: a defect of the store'))
  await data.store.close()
  const closed = await withRoutesOnStore(config, data, 'none', (ask) => ask('/operator-tokens'))()
  assert.equal(closed, E.left('the store cannot answer now: try again'))
})

OnStore('what a change of many did before the store failed is told', async ({ directory }) => {
  for (const id of ['a', 'b'])
    await run([
      ...['clients', 'create', `preferred_client_id=${id}`, 'redirect_uris=https://rp.example/cb'],
      ...['--data-dir', directory],
    ])
  const { config, data } = await opened(directory)
  const { replaceClient: replace } = data.operations
  const replaceClient: typeof replace = (replacement) =>
    replacement.next.client_id === 'b' ? TE.left(unavailable('no room')) : replace(replacement)
  const operations = { ...data.operations, replaceClient }
  const suspended = await withRoutesOnStore(config, { ...data, operations }, 'none', (ask) =>
    pipe(
      ask('/manage/v1/clients/suspension', { filter: { state: 'unused' }, count: 2 }),
      TE.flatMap(readAnswer(t.unknown)),
    ),
  )()
  assert.match(JSON.stringify(suspended), 'could not answer for 1 of the clients, and 1 were changed')
  await data.store.close()
})

OnStore.run()
