import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import {
  artefactKinds,
  defaultNotificationLimits,
  noLimits,
  secondsAfter,
  unknownClient,
  unknownGrant,
  unknownSession,
  type Artefact,
} from '@clientele/domain'
import * as assert from 'uvu/assert'
import { exampleArtefact, exampleClient, exampleHash, exampleSession, exampleTime } from '../examples/examples.js'
import { collect, type Contract, onNewStore, race } from './contract.js'
import { done, type OpenStore, refused } from './open-store.js'
import {
  type ArtefactStore,
  client,
  code,
  found,
  grant,
  type Handle,
  numbers,
  prepare,
  session,
  store,
} from './stored-artefacts.js'

const endSession = ({ sessionTermination }: Handle, revokesOfflineAccess = false): Promise<unknown> =>
  done(
    sessionTermination.endSession({
      session,
      notifications: [],
      notificationLimits: defaultNotificationLimits,
      revokesOfflineAccess,
    }),
  )

/** An artefact ends with its grant, its client and its session. */
export const artefactEndsContract = (name: string, open: OpenStore<ArtefactStore>): Contract => {
  const { test, tests } = collect(`Ends of artefacts ${name}`)
  const it = onNewStore(test, open, prepare)

  for (const verb of ['removeGrant', 'removeArtefact'] as const)
    it(`${verb} removes a grant with all that names it, and nothing that names it is stored afterwards`, async (ports) => {
      const ofGrant = { ...code, grant: grant.hash }
      const other = exampleArtefact('grant', 'other')
      const ofOther = { ...exampleArtefact('access_token', 'of-other'), grant: other.hash }
      for (const each of [ofGrant, { ...ofGrant, kind: 'access_token' as const }, other, ofOther])
        await store(ports, each)
      const { artefacts } = ports.other
      await done(
        verb === 'removeGrant' ? artefacts.removeGrant(grant.hash) : artefacts.removeArtefact('grant', grant.hash),
      )
      for (const each of [grant, ofGrant, { ...ofGrant, kind: 'access_token' as const }])
        assert.is(await found(ports, each), undefined)
      for (const each of [other, ofOther]) assert.equal(await found(ports, each), each)
      assert.equal(await refused(ports.artefacts.storeArtefact(ofGrant, exampleTime)), unknownGrant)
      await done(artefacts.removeGrant(grant.hash))
    })

  it('of artefacts that are stored while their grant is removed, by two handles, none is found afterwards', async (ports) => {
    const each = (nth: number): Artefact => ({ ...exampleArtefact('access_token', `of-${nth}`), grant: grant.hash })
    const stored = race(ports, numbers, ({ artefacts }, nth) => artefacts.storeArtefact(each(nth), exampleTime))
    await Promise.all([stored, done(ports.other.artefacts.removeGrant(grant.hash))])
    for (const outcome of await stored) if (E.isLeft(outcome)) assert.equal(outcome.left, unknownGrant)
    for (const nth of numbers) assert.is(await found(ports, each(nth)), undefined)
  })

  it('those of a client end with it for good, the others stay', async (ports) => {
    const { registry } = ports
    const other = exampleClient('other')
    await done(registry.addClient(other, O.none, noLimits))
    const ofOther = { ...code, hash: exampleHash('of-other'), client: other }
    for (const kind of artefactKinds) await store(ports, { ...code, kind, client })
    await store(ports, ofOther)
    await done(ports.other.registry.removeClient(client.client_id, O.none))
    await done(registry.addClient(exampleClient('a', 'second'), O.none, noLimits))
    for (const kind of artefactKinds) assert.is(await found(ports, { ...code, kind }), undefined)
    assert.is((await found(ports, ofOther))?.client?.client_id, other.client_id)
    assert.equal(await found(ports, grant), grant)
  })

  it('of artefacts that are stored while their client is deleted and registered again, none is found afterwards', async (ports) => {
    const each = (nth: number): Artefact => ({ ...exampleArtefact('access_token', `of-${nth}`), client })
    const registerAnew = async ({ registry }: Handle): Promise<void> => {
      await done(registry.removeClient(client.client_id, O.none))
      await done(registry.addClient(exampleClient('a', 'second'), O.none, noLimits))
    }
    const stored = race(ports, numbers, ({ artefacts }, nth) => artefacts.storeArtefact(each(nth), exampleTime))
    await Promise.all([stored, registerAnew(ports.other)])
    for (const outcome of await stored) if (E.isLeft(outcome)) assert.equal(outcome.left, unknownClient)
    for (const nth of numbers) assert.is(await found(ports, each(nth)), undefined)
  })

  it('a client keeps its artefacts when it is replaced', async (ports) => {
    const ofClient = { ...code, client: { client_id: client.client_id, registration_id: client.registration_id } }
    await store(ports, ofClient)
    await done(ports.registry.replaceClient({ ...client, version: 2 }, client))
    assert.equal(await found(ports, ofClient), ofClient)
  })

  for (const revokesOfflineAccess of [false, true])
    it(`those that name a session end with it, the others stay${revokesOfflineAccess ? ', also where offline access is revoked' : ''}`, async (ports) => {
      const named = { ...code, session: session.sid }
      for (const each of [named, { ...code, kind: 'access_token' as const, sub: session.sub }]) await store(ports, each)
      await endSession(ports.other, revokesOfflineAccess)
      assert.is(await found(ports, named), undefined)
      for (const each of [grant, { ...code, kind: 'access_token' as const, sub: session.sub }])
        assert.equal(await found(ports, each), each)
      assert.equal(await refused(ports.artefacts.storeArtefact(named, exampleTime)), unknownSession)
    })

  it('those that name a session end when it is removed as over', async (ports) => {
    const { endUserSessions } = ports
    const longer = { ...exampleSession('longer'), idle_lifetime: 601 }
    await done(endUserSessions.addSession(longer, exampleHash('longer'), exampleTime))
    const named = { ...code, session: session.sid }
    const ofLonger = { ...code, kind: 'access_token' as const, session: longer.sid }
    for (const each of [named, ofLonger]) await store(ports, each)
    const later = secondsAfter(exampleTime, 600)
    await done(endUserSessions.addSession(exampleSession('next'), exampleHash('next'), later))
    assert.is(await found(ports, named), undefined)
    assert.equal(await found(ports, ofLonger), ofLonger)
  })

  it('of artefacts that are stored while their session ends, by two handles, none is found afterwards', async (ports) => {
    const each = (nth: number): Artefact => ({ ...exampleArtefact('access_token', `of-${nth}`), session: session.sid })
    const stored = race(ports, numbers, ({ artefacts }, nth) => artefacts.storeArtefact(each(nth), exampleTime))
    await Promise.all([stored, endSession(ports.other)])
    for (const outcome of await stored) if (E.isLeft(outcome)) assert.equal(outcome.left, unknownSession)
    for (const nth of numbers) assert.is(await found(ports, each(nth)), undefined)
  })

  return tests
}
