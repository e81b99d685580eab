// What the service does with connections beside the requests of operators: it forgets revoked ones.
import { inMemoryStore } from '@clientele/adapters-memory'
import {
  addition,
  done,
  exampleClient,
  exampleConsent,
  exampleTime,
  exampleTombstones,
  noRow,
  revokeExample,
  giveConsent,
} from '@clientele/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { secondsAfter } from '../../src/kernel/time.js'
import { defaultLifeCycle } from '../../src/life-cycle/states.js'
import { unaudited } from '../../src/operations/audit.js'
import { sweepClients } from '../../src/operations/life-cycle.js'

const Connections = suite('operations on connections')

Connections('a revoked one is forgotten when its history has passed, by many passes where there are many', async () => {
  const store = inMemoryStore()
  const client = exampleClient('a')
  await done(store.registry.addClient(addition(client)))
  const users = Array.from({ length: 1_500 }, (_, nth) => `user-${nth}`)
  for (const user of [...users, 'live']) await done(giveConsent(store, exampleConsent(client, user)))
  for (const user of users) await done(revokeExample(store, exampleConsent(client, user), noRow, exampleTime))
  const sweepAfter = (seconds: number) =>
    done(
      sweepClients({
        ...unaudited,
        ...store.clientUses,
        ...store.connections,
        ...exampleTombstones,
        now: () => secondsAfter(exampleTime, seconds),
        lifeCycle: { ...defaultLifeCycle, connectionHistory: 60 },
        removes: false,
        recordsUses: false,
      }),
    )
  const isLeft = async (state: 'live' | 'revoked') =>
    (await done(store.connections.searchConnections({ state }, exampleTime, { after: 0, limit: 1 }))).connections.length
  assert.is((await sweepAfter(59)).more, false)
  assert.is(await isLeft('revoked'), 1)
  assert.is((await sweepAfter(60)).more, true)
  assert.is(await isLeft('revoked'), 1)
  assert.is((await sweepAfter(60)).more, false)
  assert.equal([await isLeft('revoked'), await isLeft('live')], [0, 1])
})

Connections.run()
