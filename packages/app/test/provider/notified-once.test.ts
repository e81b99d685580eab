// Two composed services on one store end sessions at the same time: each application is notified of each end once.
import { decodeJwt } from 'jose'
import { setTimeout as pause } from 'node:timers/promises'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Service } from '../../src/compose.js'
import { lookInterval } from '../../src/running/logout-dispatcher.js'
import { type Receiver, reachReceivers, startReceiver, tokensOf, until } from '../support/receivers.js'
import { type World as Services, done, find, register, startTwo, stopTwo } from '../support/two-services.js'

type World = { services: Services; receivers: ReadonlyArray<Receiver> }

const Once = suite<World>('the logout notifications of two services on one store')

Once.before.each(async (world) => {
  world.services = await startTwo({ 'outbound-fetches': 'true' }, { outbound: reachReceivers })
  world.receivers = await Promise.all(Array.from({ length: 4 }, () => startReceiver()))
})
Once.after.each(async ({ services, receivers }) => {
  await stopTwo(services)
  for (const { stop } of receivers) await stop()
})

/** Registers a client for each receiver. */
const registerAll = async ({ services: { one }, receivers }: World): Promise<ReadonlyArray<string>> => {
  const registered = await Promise.all(receivers.map(({ uri }) => register(one, { backchannel_logout_uri: uri })))
  return registered.map(({ client_id }) => client_id)
}

/** The sid of a session in which the end-user signed in to all clients. */
const signIn = async (service: Service, sub: string, clients: ReadonlyArray<string>): Promise<string> => {
  const { sessions } = service.provider
  const { sid } = (await done(sessions.start({ sub }))).session
  for (const client of clients) {
    const { client_id, registration_id } = await find(service, client)
    await done(sessions.recordClient(sid, { client_id, registration_id }))
  }
  return sid
}

Once('each application gets one logout token for each session that ends, whichever service ends it', async (world) => {
  const { one, other } = world.services
  const clients = await registerAll(world)
  const ends: ReadonlyArray<readonly [by: Service, sid: string]> = await Promise.all(
    Array.from({ length: 8 }, async (_, index) => {
      const [starting, ending] = index % 2 === 0 ? [one, other] : [other, one]
      return [ending, await signIn(starting, `user-${index}`, clients)] as const
    }),
  )
  await Promise.all(ends.map(([{ provider }, sid]) => done(provider.sessions.end(sid))))
  const sids = ends.map(([, sid]) => sid).sort()
  await until(() => world.receivers.every((receiver) => tokensOf(receiver).length >= sids.length))
  // Both services read the pending notifications once more.
  await pause(lookInterval + 500)
  for (const receiver of world.receivers)
    assert.equal(
      tokensOf(receiver)
        .map((token) => decodeJwt(token)['sid'])
        .sort(),
      sids,
    )
})

Once.run()
