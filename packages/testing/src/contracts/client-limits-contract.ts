import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as assert from 'uvu/assert'
import {
  clientIdTaken,
  noLimits,
  registryFull,
  defaultNotificationLimits,
  withClient,
  type RegisteredClient,
} from '@clientele/domain'
import {
  exampleAuthorization,
  exampleClient,
  exampleHash,
  exampleId,
  exampleSession,
  exampleSessionClient,
  exampleTime,
  exampleToken,
  updatedExample,
} from '../examples/examples.js'
import { type OpenStore, done, listed, refused } from './open-store.js'
import { type Contract, collect, onNewStore, race } from './contract.js'

const ofAnonymous = (id: string): RegisteredClient => ({ ...exampleClient(id), registered_by: 'nobody' })
const atMost = (clients: number) => ({ ...noLimits, clients })
const unusedAtMost = (unusedOpenClients: number) => ({ ...noLimits, unusedOpenClients })

/** The promises of ClientRegistry about limits. */
export const clientLimitsContract = (
  name: string,
  open: OpenStore<'registry' | 'initialAccessTokens' | 'authorizations' | 'endUserSessions' | 'sessionTermination'>,
): Contract => {
  const { test, tests } = collect(`ClientRegistry limits ${name}`)
  const it = onNewStore(test, open)

  it('a client beyond the limit is refused, and its token stays unspent', async ({ registry, initialAccessTokens }) => {
    const token = exampleToken('one')
    await done(initialAccessTokens.addInitialAccessToken(token, exampleTime))
    await done(registry.addClient(exampleClient('a'), O.none, atMost(1)))
    assert.equal(await refused(registry.addClient(exampleClient('b'), O.some(token.hash), atMost(1))), registryFull)
    assert.equal(await done(initialAccessTokens.findInitialAccessToken(token.hash)), O.some(token))
    assert.equal(await listed(registry), [exampleClient('a')])
    await done(registry.addClient(exampleClient('b'), O.some(token.hash), atMost(2)))
  })

  it('a limit of none refuses the first', async ({ registry }) => {
    assert.equal(await refused(registry.addClient(exampleClient('a'), O.none, atMost(0))), registryFull)
    assert.equal(await refused(registry.addClient(ofAnonymous('a'), O.none, unusedAtMost(0))), registryFull)
  })

  it('a client that is removed makes room', async ({ registry }) => {
    await done(registry.addClient(exampleClient('a'), O.none, atMost(1)))
    await done(registry.removeClient(exampleId('a'), O.none))
    await done(registry.addClient(exampleClient('b'), O.none, atMost(1)))
  })

  it('an id that is taken is told before a full registry', async ({ registry }) => {
    await done(registry.addClient(exampleClient('a'), O.none, atMost(1)))
    assert.equal(await refused(registry.addClient(exampleClient('a'), O.none, atMost(1))), clientIdTaken)
  })

  it('of 20 registrations at once, by two handles, no more succeed than there is room for', async (ports) => {
    const clients = Array.from({ length: 20 }, (_, index) => exampleClient(`client-${index}`))
    const outcomes = await race(ports, clients, ({ registry }, client) => registry.addClient(client, O.none, atMost(7)))
    assert.is(outcomes.filter(E.isRight).length, 7)
    assert.is((await listed(ports.registry)).length, 7)
    assert.is((await listed(ports.other.registry)).length, 7)
  })

  it('only clients of nobody that were never used fill the limit of those', async ({ registry }) => {
    await done(registry.addClient(exampleClient('by-token'), O.none, unusedAtMost(1)))
    await done(registry.addClient(ofAnonymous('first'), O.none, unusedAtMost(1)))
    assert.equal(await refused(registry.addClient(ofAnonymous('second'), O.none, unusedAtMost(1))), registryFull)
    await done(registry.addClient(exampleClient('another'), O.none, unusedAtMost(1)))
  })

  it('a client for which something was recorded is used, also once that is revoked', async ({
    registry,
    authorizations,
  }) => {
    const first = ofAnonymous('first')
    await done(registry.addClient(first, O.none, unusedAtMost(1)))
    const granted = exampleAuthorization(first, 'refresh')
    await done(authorizations.recordAuthorization(granted, exampleTime))
    await done(authorizations.revokeAuthorization(granted.kind, granted.hash))
    await done(registry.addClient(ofAnonymous('second'), O.none, unusedAtMost(1)))
    assert.equal(await refused(registry.addClient(ofAnonymous('third'), O.none, unusedAtMost(1))), registryFull)
  })

  it('a client that takes part in a session is used, whether the session is added or replaced with it', async (ports) => {
    const { registry, endUserSessions, other } = ports
    for (const id of ['first', 'second']) await done(registry.addClient(ofAnonymous(id), O.none, unusedAtMost(2)))
    assert.equal(await refused(registry.addClient(ofAnonymous('third'), O.none, unusedAtMost(2))), registryFull)
    const session = exampleSession('one', ['first'])
    await done(endUserSessions.addSession(session, exampleHash('cookie'), exampleTime))
    await done(registry.addClient(ofAnonymous('third'), O.none, unusedAtMost(2)))
    assert.equal(await refused(other.registry.addClient(ofAnonymous('fourth'), O.none, unusedAtMost(2))), registryFull)
    const joined = withClient(exampleSessionClient('second'), exampleTime)(session)
    await done(other.endUserSessions.replaceSession(joined, session))
    await done(registry.addClient(ofAnonymous('fourth'), O.none, unusedAtMost(2)))
    const ends = {
      session: joined,
      notifications: [],
      notificationLimits: defaultNotificationLimits,
      revokesOfflineAccess: false,
    }
    await done(ports.sessionTermination.endSession(ends))
    assert.equal(await refused(registry.addClient(ofAnonymous('fifth'), O.none, unusedAtMost(2))), registryFull)
  })

  it('an update leaves a client as used or unused as it was', async ({ registry, endUserSessions }) => {
    const first = ofAnonymous('first')
    await done(registry.addClient(first, O.none, unusedAtMost(1)))
    await done(registry.replaceClient(updatedExample(first), first))
    assert.equal(await refused(registry.addClient(ofAnonymous('second'), O.none, unusedAtMost(1))), registryFull)
    const session = exampleSession('one', ['first'])
    await done(endUserSessions.addSession(session, exampleHash('cookie'), exampleTime))
    await done(registry.replaceClient(updatedExample(updatedExample(first)), updatedExample(first)))
    await done(registry.addClient(ofAnonymous('second'), O.none, unusedAtMost(1)))
  })

  it('an id that is used anew begins unused', async ({ registry, authorizations }) => {
    const first = ofAnonymous('again')
    await done(registry.addClient(first, O.none, unusedAtMost(1)))
    await done(authorizations.recordAuthorization(exampleAuthorization(first, 'refresh'), exampleTime))
    await done(registry.removeClient(first.client_id, O.none))
    await done(registry.addClient(first, O.none, unusedAtMost(1)))
    assert.equal(await refused(registry.addClient(ofAnonymous('second'), O.none, unusedAtMost(1))), registryFull)
  })

  return tests
}
