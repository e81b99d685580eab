import {
  done,
  exampleAuthorization,
  exampleClient,
  exampleId,
  exampleTime,
  exampleToken,
  listed,
  refused,
  addition,
  noRow,
} from '@clientele/testing'
import { secondsAfter } from '@clientele/domain/kernel'
import Database from 'better-sqlite3'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { spawnSync } from 'node:child_process'
import { copyFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { inFolder, opened } from './support/temporary-store.js'

const open = suite('openStore')

open(
  'close finishes what was asked before it',
  inFolder(async (file) => {
    const store = await opened(file)
    const clients = Array.from({ length: 600 }, (_, index) => exampleClient(`client-${1000 + index}`))
    const writes = clients.map((client) => store.registry.addClient(addition(client))())
    await store.close()
    assert.ok((await Promise.all(writes)).every(E.isRight))
    const again = await opened(file)
    assert.equal(await listed(again.registry), clients)
    await again.close()
  }),
)

open(
  'a store that is closed is unavailable, and may be closed again',
  inFolder(async (file) => {
    const store = await opened(file)
    await done(store.registry.addClient(addition(exampleClient('a'))))
    await store.close()
    await store.close()
    assert.is((await refused(store.registry.findClient(exampleId('a')))).error, 'unavailable')
    assert.is((await refused(store.registry.addClient(addition(exampleClient('b'))))).error, 'unavailable')
    assert.is((await refused(store.check)).error, 'unavailable')
  }),
)

open(
  'what a killed process committed is in the file itself when the store is open, so that what is read is on disk',
  inFolder(async (file) => {
    const killed = await opened(file)
    await done(killed.registry.addClient(addition(exampleClient('a'))))
    const left = `${file}.left`
    for (const part of ['', '-wal']) copyFileSync(`${file}${part}`, `${left}${part}`)
    const again = await opened(left)
    // Without the log.
    copyFileSync(left, `${file}.copy`)
    const clients = new Database(`${file}.copy`).prepare('SELECT count(*) FROM clients').pluck()
    assert.is(clients.get(), 1)
    await again.close()
    await killed.close()
  }),
)

open(
  'a list whose store fails on the way ends with one unavailable',
  inFolder(async (file) => {
    const store = await opened(file)
    const clients = Array.from({ length: 450 }, (_, index) => exampleClient(`client-${1000 + index}`))
    await Promise.all(clients.map((client) => done(store.registry.addClient(addition(client)))))
    const each: Array<unknown> = []
    for await (const item of store.registry.streamClients()) {
      each.push(E.isLeft(item) ? item.left.error : item.right)
      if (each.length === 1) await store.close()
    }
    assert.equal(each, [...clients.slice(0, 20), 'unavailable'])
  }),
)

open(
  'a list that is read slowly keeps no read open: the log is checkpointed meanwhile',
  inFolder(async (file) => {
    const store = await opened(file)
    for (const id of ['a', 'b', 'c']) await done(store.registry.addClient(addition(exampleClient(id))))
    const other = new Database(file)
    for await (const item of store.registry.streamClients()) {
      assert.ok(E.isRight(item))
      await done(
        store.initialAccessTokens.addInitialAccessToken(
          exampleToken(`during-${String(item.right.client_id)}`),
          exampleTime,
          noRow,
        ),
      )
      assert.equal(other.pragma('wal_checkpoint(TRUNCATE)'), [{ busy: 0, log: 0, checkpointed: 0 }])
    }
    other.close()
    await store.close()
  }),
)

open(
  'an initial access token that is expired is forgotten when another is added',
  inFolder(async (file) => {
    const store = await opened(file)
    const tokens = store.initialAccessTokens
    const old = exampleToken('old')
    const next = exampleToken('next')
    await done(tokens.addInitialAccessToken(old, exampleTime, noRow))
    await done(
      tokens.addInitialAccessToken({ ...next, expires_at: secondsAfter(old.expires_at, 60) }, old.expires_at, noRow),
    )
    assert.equal(await done(tokens.findInitialAccessToken(old.hash)), O.none)
    await store.close()
  }),
)

open(
  'a token or an authorization that cannot be read is unavailable, without what it holds',
  inFolder(async (file) => {
    const store = await opened(file)
    const recorded = exampleAuthorization(exampleClient('a'), 'one')
    await done(store.registry.addClient(addition(exampleClient('a'))))
    await done(store.initialAccessTokens.addInitialAccessToken(exampleToken('one'), exampleTime, noRow))
    await done(store.authorizations.recordAuthorization(recorded, exampleTime))
    const other = new Database(file)
    other.exec(
      "UPDATE initial_access_tokens SET scope = 'client-reg Zoë'; UPDATE authorizations SET details = '[\"Zoë\"]'",
    )
    other.close()
    const refusals = [
      await refused(store.initialAccessTokens.findInitialAccessToken(exampleToken('one').hash)),
      await refused(store.authorizations.findAuthorization(recorded.kind, recorded.hash)),
    ]
    for (const refusal of refusals) {
      assert.is(refusal.error, 'unavailable')
      assert.match(String(refusal.detail), /cannot be read/)
      assert.not.match(JSON.stringify(refusal), 'Zo')
    }
    await store.close()
  }),
)

open(
  'a commit of which nobody knows whether it is on the disk is unavailable and fatal',
  inFolder(async (file) => {
    const child = fileURLToPath(new URL('support/fail-to-commit.ts', import.meta.url))
    const limited = `ulimit -f 600; exec "$0" --import tsx --conditions=@clientele/source "$1" "$2"`
    const { stdout, stderr } = spawnSync('bash', ['-c', limited, process.execPath, child, file], { encoding: 'utf8' })
    assert.match(stdout, /^unavailable fatal SQLITE_IOERR/, stderr)
    const store = await opened(file, { expectExisting: true })
    await done(store.check)
    await store.close()
  }),
)

open.run()
