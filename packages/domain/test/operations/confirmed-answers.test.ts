// An answer that all is as requested already is given when what was read for it is durable; the first answer asks for
// nothing, because its write is durable.
import { unaudited } from '@clientele/domain/operations'
import { inMemoryStore } from '@clientele/adapters-memory'
import {
  done,
  exampleClient,
  exampleHash,
  exampleTombstones,
  exampleSession,
  exampleTime,
  issued,
  namedKey,
  noPauses,
  oneSample,
  settingsOfDoors,
  shouldNotBeCalled,
  exampleOrigin,
  only,
  addition,
  noRow,
  deleteByCredential,
} from '@clientele/testing'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { unauditedKeys } from '../../src/operations/roll-over.js'
import { operatorOfTheStore } from '../../src/authorization/credential.js'
import { type Unavailable, unavailable, unknownClient } from '../../src/kernel/refusals.js'
import { defaultLifeCycle } from '../../src/life-cycle/states.js'
import { defaultNotificationLimits } from '../../src/logout/notifications.js'
import type { ConfirmReads } from '../../src/ports/store.js'
import { removeListedClient } from '../../src/operations/remove.js'
import { endSession } from '../../src/operations/sessions.js'
import { manageKeys } from '../../src/operations/keys.js'
import { patchClient, resumeClient, suspendClient } from '../../src/operations/change.js'
import { restoreClient } from '../../src/operations/life-cycle.js'
import { keyService, publishedRings } from '../support/key-maker.js'
import { createTurns } from '../../src/operations/conflicts.js'

const Confirmed = suite('answers that come from reads')

const away = E.left(unavailable('the standby is away'))
const without: ConfirmReads = { confirmReads: () => Promise.resolve(away) }

const full = E.left(unavailable('the disk is full'))

const origin = { door: 'management' as const, request_id: 'request-1' }
const exampleRow = {
  at: exampleTime,
  client_id: null,
  actor: 'a',
  actor_name: null,
  entry: '{}',
  mac: exampleHash('mac'),
}

const operator = operatorOfTheStore()
const client = exampleClient('a')
const clientId = client.client_id

const worlds = async () => {
  const store = inMemoryStore()
  await done(store.registry.addClient(addition(client)))
  await done(store.endUserSessions.addSession(exampleSession('one', []), exampleHash('cookie'), exampleTime, noRow))
  const generator = { now: () => exampleTime, identifier: () => 'an-identifier' }
  return {
    ...store.registry,
    ...store.clientUses,
    ...store.endUserSessions,
    ...store.sessionTermination,
    ...store.operatorTokens,
    ...exampleTombstones,
    ...generator,
  }
}

type Ports = Awaited<ReturnType<typeof worlds>> & ReturnType<typeof createTurns>

const policy = { endsOfflineAccess: false, backchannel: false, notificationLimits: defaultNotificationLimits }
const hash = client.registration_access_token.hash

const operations: Readonly<Record<string, (ports: Ports) => TE.TaskEither<unknown, unknown>>> = {
  suspension: (ports) => suspendClient({ ...unaudited, ...ports })({ origin: exampleOrigin, operator, clientId }),
  removal: (ports) =>
    deleteByCredential(
      {},
      only({ ...unaudited, ...ports }),
    )({ origin: exampleOrigin, credential: { kind: 'store' }, clientId }),
  'removal by the client': (ports) =>
    deleteByCredential(
      {},
      only({ ...unaudited, ...ports }),
    )({ origin: exampleOrigin, credential: { kind: 'token', hash }, clientId }),
  'removal of the list': (ports) =>
    removeListedClient({}, only({ ...unaudited, ...ports }))({ origin: exampleOrigin, operator, clientId }),
  'end of a session': (ports) =>
    endSession(policy, only({ ...unaudited, ...ports }))({ origin: exampleOrigin, operator, sid: 'one' }),
}

for (const [name, run] of Object.entries(operations))
  Confirmed(name, async () => {
    const ports = { ...(await worlds()), ...createTurns(noPauses) }
    const lacking = { ...ports, ...without }
    assert.ok(E.isRight(await run(lacking)()))
    assert.equal(await run(lacking)(), away)
    assert.not.equal(await run(ports)(), away)
  })

Confirmed('resumption of a client that is not suspended', async () => {
  const ports = { ...(await worlds()), ...createTurns(noPauses) }
  assert.equal(
    await resumeClient({ ...unaudited, ...ports, ...without })({ origin: exampleOrigin, operator, clientId })(),
    away,
  )
})

Confirmed('a patch that changes nothing, and credentials are shown with their audit row alone', async () => {
  const ports = {
    ...(await worlds()),
    ...createTurns(noPauses),
    issue: () => oneSample(issued()),
    readSoftwareStatement: shouldNotBeCalled,
    fetchSectorIdentifier: shouldNotBeCalled,
    auditRow: () => exampleRow,
    addAuditRow: (): TE.TaskEither<Unavailable, void> => TE.right(undefined),
  }
  const request = { operator, clientId, body: E.right({ client_name: 'New' }), origin }
  const patch = (given: Partial<typeof ports> = {}) =>
    patchClient(settingsOfDoors, only({ ...ports, ...given }))(request)()
  assert.ok(E.isRight(await patch(without)))
  assert.equal(await patch(without), away)
  assert.equal(await patch({ addAuditRow: () => TE.left(unavailable('the disk is full')) }), full)
  assert.ok(E.isRight(await patch()))
})

Confirmed('a restoration of what is not there', async () => {
  const ports = { ...(await worlds()), lifeCycle: defaultLifeCycle }
  assert.equal(
    await restoreClient(only({ ...unaudited, ...ports }))({ origin: exampleOrigin, operator, clientId })(),
    E.left(unknownClient),
  )
  assert.equal(
    await restoreClient(only({ ...unaudited, ...ports, ...without }))({ origin: exampleOrigin, operator, clientId })(),
    away,
  )
})

Confirmed('keys: what is refused because it is so already, unless it is a dry run', async () => {
  const settings = {
    policy: { lifetime: 1_000, publishAhead: 100, retention: 50, maxAge: 40 },
    signingAlgorithms: ['ES256'],
  }
  const { ports } = keyService()
  await done(publishedRings(settings, { ...unauditedKeys, ...ports }))
  const keys = manageKeys(settings, { ...ports, ...without })(operator, { origin: exampleOrigin })
  const { jwk } = namedKey('known')
  const foreign = { kid: 'foreign', alg: 'ES256', jwk }
  await done(keys.rollOver({ alg: 'ES256', dryRun: false }))
  await done(keys.importForeignKeys({ keys: [foreign], dryRun: false }))
  for (const dryRun of [false, true])
    for (const refused of [
      keys.rollOver({ alg: 'ES256', dryRun }),
      keys.revoke({ kid: 'none', dryRun }),
      keys.importForeignKeys({ keys: [foreign], dryRun }),
    ]) {
      const outcome = await refused()
      assert.ok(E.isLeft(outcome))
      assert.is(outcome.left.error === 'unavailable', !dryRun)
    }
})

Confirmed.run()
