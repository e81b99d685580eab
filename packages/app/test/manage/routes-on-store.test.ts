// A command where no service runs: the routes of management in its own process.
import { loadConfig } from '../../src/config/load-config.js'
import { readFile } from '../../src/config/values/read-file.js'
import { openData } from '../../src/data/open-data.js'
import { readAnswer } from '../../src/manage/read-answer.js'
import { requestOf } from '../../src/manage/ask-service.js'
import { withRoutesOnStore } from '../../src/manage/routes-on-store.js'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { run, started } from '../cli/run.js'
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

OnStore('a defect is told with its cause, and a store that cannot answer without', async ({ directory }) => {
  const flags = { 'data-dir': directory, engine: 'none' }
  const loaded = loadConfig({ flags, environment: {}, readFile })
  assert.ok(E.isRight(loaded))
  const { config } = loaded.right
  const opened = await openData(config, {
    onFatal: () => undefined,
    expectExisting: true,
    admit: () => TE.right(undefined),
  })()
  assert.ok(E.isRight(opened))
  const data = opened.right
  const listed = (listOperatorTokens: () => TE.TaskEither<never, never>) => {
    const store = { ...data.store, operatorTokens: { ...data.store.operatorTokens, listOperatorTokens } }
    return withRoutesOnStore(config, { ...data, store }, 'none', (ask) =>
      pipe(ask(requestOf('/operator-tokens')), TE.flatMap(readAnswer(t.unknown))),
    )()
  }
  const fails = () => {
    throw new Error('a defect of the store')
  }
  assert.equal(await listed(fails), E.left('the command failed: Error: a defect of the store'))
  await data.store.close()
  const closed = await withRoutesOnStore(config, data, 'none', (ask) => ask(requestOf('/operator-tokens')))()
  assert.equal(closed, E.left('the store cannot answer now: try again'))
})

OnStore.run()
