// A change of many things, where the store fails for some of them.
import { inMemoryStore } from '@clientele/adapters-memory'
import {
  addition,
  done,
  exampleClient,
  exampleConsent,
  exampleHash,
  exampleOrigin,
  exampleTime,
  exampleTombstones,
  giveConsent,
  noPauses,
} from '@clientele/testing'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type TokenHash, operatorOfTheStore } from '../../src/authorization/credential.js'
import { unavailable } from '../../src/kernel/refusals.js'
import { defaultLifeCycle } from '../../src/life-cycle/states.js'
import { unaudited } from '../../src/operations/audit.js'
import { createTurns } from '../../src/operations/conflicts.js'
import { revokeConnections } from '../../src/operations/connections.js'
import { changeClients } from '../../src/operations/search.js'
import { unreadableClient } from '../../src/ports/store.js'

const Bulk = suite('a change of many things')

// A different digest for each text.
const known = new Map<string, TokenHash>()
const hashToken = (text: string): TokenHash => {
  const hash = known.get(text) ?? exampleHash(`text-${known.size}`)
  known.set(text, hash)
  return hash
}

const world = async (users: ReadonlyArray<string>, failing: (sub: string) => boolean) => {
  const store = inMemoryStore()
  const client = exampleClient('a')
  await done(store.registry.addClient(addition(client)))
  for (const user of users) await done(giveConsent(store, exampleConsent(client, user)))
  const failed = unavailable(new Error('no room'))
  const revoke = revokeConnections({
    ...unaudited,
    ...store.connections,
    now: () => exampleTime,
    hashToken,
    revokeConnection: (revoked) =>
      failing(revoked.connection.sub) ? TE.left(failed) : store.connections.revokeConnection(revoked),
  })
  const change = (body: object) =>
    revoke({
      operator: operatorOfTheStore(),
      origin: exampleOrigin,
      body: E.right({ filter: { client_id: client.client_id }, ...body }),
    })()
  return { change, failed }
}

const users = Array.from({ length: 230 }, (_, nth) => `user-${nth}`)

Bulk('where the store fails for some of a batch, the others are told, and next begins the batch again', async () => {
  const down = new Set(['user-7', 'user-150'])
  const { change, failed } = await world(users, (sub) => down.has(sub))
  const answer = await change({ count: 230 })
  assert.ok(E.isLeft(answer) && answer.left.error === 'unavailable')
  const next = answer.left.done?.['next']
  assert.equal(answer.left.done, {
    error_description: 'The store could not answer for 2 of the connections, and 198 were changed: go on with next',
    changed: 198,
    failed: 2,
    next,
  })
  assert.is(answer.left.detail, failed.detail)
  down.clear()
  const again = await change({ next })
  assert.ok(E.isRight(again) && 'changed' in again.right)
  const all = again.right.changed
  const last = again.right.next === undefined ? again : await change({ next: again.right.next })
  assert.ok(E.isRight(last) && 'changed' in last.right && last.right.next === undefined)
  assert.is(198 + (last === again ? all : all + last.right.changed), 230)
})

Bulk('where nothing was changed, the failure of the store is all that is told', async () => {
  const { change, failed } = await world(['ann', 'zoe'], () => true)
  assert.equal(await change({ count: 2 }), E.left(failed))
})

Bulk('a client that cannot be read is named, and does not keep the change from those behind it', async () => {
  const store = inMemoryStore()
  for (const id of users) await done(store.registry.addClient(addition(exampleClient(id))))
  const suspend = changeClients('suspension', {
    ...unaudited,
    ...store.registry,
    ...store.clientSearch,
    ...exampleTombstones,
    ...createTurns(noPauses),
    lifeCycle: defaultLifeCycle,
    removes: false,
    now: () => exampleTime,
    hashToken,
    findClient: (id) =>
      id === 'user-7' ? TE.left(unavailable(unreadableClient(id, 'edited'))) : store.registry.findClient(id),
  })
  const change = (body: object) =>
    done(
      suspend({
        operator: operatorOfTheStore(),
        origin: exampleOrigin,
        body: E.right({ filter: { never_used: true }, ...body }),
      }),
    )
  const begun = await change({ count: 230 })
  assert.ok('next' in begun)
  const { next, ...first } = begun
  assert.equal(first, { changed: 199, unchanged: 0, unreadable: ['user-7'] })
  assert.equal(await change({ next }), { changed: 30, unchanged: 0 })
})

Bulk.run()
