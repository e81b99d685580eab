import * as fc from 'fast-check'
import * as O from 'fp-ts/lib/Option.js'
import { clientChanged, noLimits, secondsAfter, unknownClient, withClient } from '@clientele/domain'
import * as assert from 'uvu/assert'
import {
  exampleAuthorization,
  exampleClient,
  exampleHash,
  exampleSession,
  exampleSessionClient,
  exampleTime,
  updatedExample,
} from '../examples/examples.js'
import { propertyRuns } from '../property-runs.js'
import { collect, type Contract, onNewStore, race } from './contract.js'
import { done, type OpenStore, refused, type StoreHandle, type StoreHandles } from './open-store.js'
import { anyRegistrationHistory, leadRegistrationHistory, type Recording } from './registration-histories.js'

type Ports = StoreHandles<Recording>

const first = exampleClient('a')
const second = exampleClient('a', 'second')
const session = exampleSession('one')
const numbers = Array.from({ length: 20 }, (_, index) => index)

const prepare = async ({ registry, endUserSessions }: Pick<StoreHandle, Recording>): Promise<void> => {
  await done(registry.addClient(first, O.none, noLimits))
  await done(endUserSessions.addSession(session, exampleHash('cookie'), exampleTime))
}

/** On the other handle, like another instance. */
const registerAnew = async ({ other }: Ports): Promise<void> => {
  await done(other.registry.removeClient(first.client_id, O.none))
  await done(other.registry.addClient(second, O.none, noLimits))
}

const grantTo = ({ authorizations }: Pick<StoreHandle, Recording>, client = first, text = 'granted') =>
  authorizations.recordAuthorization(exampleAuthorization(client, text), exampleTime)

const granted = ({ authorizations }: Pick<StoreHandle, Recording>, text = 'granted') =>
  done(authorizations.findAuthorization('refresh_token', exampleHash(text)))

const signInTo = ({ endUserSessions }: Pick<StoreHandle, Recording>, life: string) =>
  endUserSessions.replaceSession(
    withClient(exampleSessionClient('a', life), secondsAfter(exampleTime, 60))(session),
    session,
  )

const signedIn = async ({ endUserSessions }: Pick<StoreHandle, Recording>) =>
  O.toUndefined(await done(endUserSessions.findSessionById(session.sid)))?.clients

/** A record for a client belongs to one registration, and to no other one under the same client_id. */
export const registrationsContract = (name: string, open: OpenStore<Recording>): Contract => {
  const { test, tests } = collect(`Registrations ${name}`)
  const it = onNewStore(test, open, prepare)

  it('a client keeps its registration when it is replaced, and no other one replaces it', async ({
    registry,
    other,
  }) => {
    const next = updatedExample(first)
    assert.equal(await refused(registry.replaceClient({ ...second, version: 2 }, first)), clientChanged)
    await done(registry.replaceClient(next, first))
    assert.equal(await done(other.registry.findClient(first.client_id)), O.some(next))
    assert.is(next.registration_id, first.registration_id)
  })

  it('a grant to a client that was deleted and registered again is refused, and replaces nothing', async (ports) => {
    await registerAnew(ports)
    assert.equal(await refused(grantTo(ports)), unknownClient)
    assert.equal(await granted(ports.other), O.none)
    await done(grantTo(ports, second))
    assert.equal(await refused(grantTo(ports)), unknownClient)
    assert.equal(await granted(ports), O.some(exampleAuthorization(second, 'granted')))
  })

  it('a sign-in to a client that was deleted and registered again is none to the later one', async (ports) => {
    await registerAnew(ports)
    await done(signInTo(ports, 'first'))
    assert.equal(await signedIn(ports), [])
  })

  it('of grants while the client is deleted and registered again, by two handles, none is found afterwards', async (ports) => {
    const grants = race(ports, numbers, (handle, nth) => grantTo(handle, first, `granted-${nth}`))
    await Promise.all([grants, registerAnew(ports)])
    for (const outcome of await grants) if (outcome._tag === 'Left') assert.equal(outcome.left, unknownClient)
    for (const nth of numbers) assert.equal(await granted(ports, `granted-${nth}`), O.none)
  })

  it('of sign-ins while the client is deleted and registered again, by two handles, none is found afterwards', async (ports) => {
    await Promise.all([race(ports, numbers, (handle) => signInTo(handle, 'first')), registerAnew(ports)])
    assert.equal(await signedIn(ports), [])
  })

  test('nothing that is recorded for one registration is found for another, in any order of operations', async () => {
    const history = fc.asyncProperty(anyRegistrationHistory(), async (steps) => {
      const { one, other, close } = await open()
      try {
        await leadRegistrationHistory([one, other], steps)
      } finally {
        await close()
      }
    })
    await fc.assert(history, { numRuns: Math.ceil(propertyRuns() / 4) })
  })

  return tests
}
