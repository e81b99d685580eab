// Two instances that deliver the notifications of one store, to real receivers.
import { type EpochSeconds, epochSeconds, secondsAfter } from '@clientele/domain/kernel'
import type { UnsignedToken } from '@clientele/domain/keys'
import { defaultDelivery, defaultNotificationLimits } from '@clientele/domain/logout'
import type { LogoutSender } from '@clientele/domain/ports'
import { emptyState, inMemoryStore } from '@clientele/adapters-memory'
import { createLogoutSender } from '@clientele/adapters-outbound'
import {
  done,
  exampleClient,
  exampleHash,
  exampleNotification,
  exampleSession,
  addition,
  noRow,
} from '@clientele/testing'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createLog } from '../../src/observing/log.js'
import { createLogoutDispatcher, lookInterval, type LogoutDispatcher } from '../../src/running/logout-dispatcher.js'
import { dispatcherPorts } from '../support/dispatcher-ports.js'
import { type Receiver, reachReceivers, startReceiver, tokensOf, until } from '../support/receivers.js'

type Instance = { readonly store: ReturnType<typeof inMemoryStore>; readonly dispatcher: LogoutDispatcher }
type World = { clock: { at: EpochSeconds }; receivers: ReadonlyArray<Receiver>; state: ReturnType<typeof emptyState> }

const both = suite<World>('two logout dispatchers on one store')

both.before.each(async (world) => {
  world.clock = { at: epochSeconds(Date.now()) }
  world.state = emptyState()
  world.receivers = await Promise.all(Array.from({ length: 5 }, () => startReceiver()))
  const { registry } = inMemoryStore(world.state)
  await done(registry.addClient(addition(exampleClient('shop'))))
})
both.after.each(async ({ receivers }) => {
  await Promise.all(receivers.map(({ stop }) => stop()))
})

const sender = createLogoutSender({ ...reachReceivers, maxAtOnce: 32 })
const signToken = ({ claims }: UnsignedToken) => TE.right(JSON.stringify(claims))

/** The session that each post reports. */
const notifiedBy = (receivers: ReadonlyArray<Receiver>): Array<string> =>
  receivers.flatMap(tokensOf).map((token) => String(JSON.parse(token).sid))

const begin = (
  { clock, state }: World,
  instance: string,
  given: { readonly sender?: LogoutSender | undefined } = {},
): Instance => {
  const store = inMemoryStore(state)
  const dispatcher = createLogoutDispatcher({
    settings: { delivery: defaultDelivery, keyPolicy: { retention: 86_400 }, instance, isOnLoopback: false },
    ports: dispatcherPorts(store.pendingNotifications, () => clock.at, store),
    sender,
    ...given,
    log: createLog('silent', { write: () => true, writableLength: 0 }),
  })
  return { store, dispatcher }
}

/** Ends a session at the instance; the receiver is to be notified. */
const endSession = async ({ clock }: World, { store, dispatcher }: Instance, sid: string, { uri }: Receiver) => {
  const session = { ...exampleSession(sid, ['shop']), expires_at: secondsAfter(clock.at, 3_600), used_at: clock.at }
  await done(store.endUserSessions.addSession(session, exampleHash(`cookie-${sid}`), clock.at, noRow))
  const notification = { ...exampleNotification(`of ${sid}`, 'shop'), uri, sid: session.sid, created_at: clock.at }
  const ended = {
    session,
    notifications: [notification],
    notificationLimits: defaultNotificationLimits,
    revokesOfflineAccess: false,
  }
  dispatcher.sessionEnded(await done(store.sessionTermination.endSession(ended, noRow)))
}

const isEmpty = async ({ state }: World): Promise<boolean> =>
  (await done(inMemoryStore(state).pendingNotifications.listNotifications(1))).length === 0

const names = (count: number): ReadonlyArray<string> => Array.from({ length: count }, (_, index) => `session-${index}`)

both('50 sessions that end at both are told once each', async (world) => {
  const instances = [begin(world, 'one'), begin(world, 'other')]
  for (const { dispatcher } of instances) dispatcher.start(signToken)
  const sids = world.receivers.flatMap((receiver, nth) =>
    names(10).map((name, index) => {
      const at = instances.filter((_, place) => place === index % 2)
      const sid = `${name}-at-${nth}`
      return { sid, ended: Promise.all(at.map((instance) => endSession(world, instance, sid, receiver))) }
    }),
  )
  await Promise.all(sids.map(({ ended }) => ended))
  await until(() => isEmpty(world))
  await Promise.all(instances.map(({ dispatcher }) => dispatcher.stop()))
  assert.equal(notifiedBy(world.receivers).sort(), sids.map(({ sid }) => sid).sort())
})

both('what another instance wrote is found by a look', async (world) => {
  const one = begin(world, 'one', { sender: undefined })
  const other = begin(world, 'other')
  other.dispatcher.start(signToken)
  // By then it has made a pass, and waits.
  await new Promise((resolve) => setTimeout(resolve, 200))
  const before = performance.now()
  for (const [nth, receiver] of world.receivers.entries()) await endSession(world, one, `session-${nth}`, receiver)
  await until(() => isEmpty(world))
  assert.ok(performance.now() - before < 2 * lookInterval)
  await other.dispatcher.stop()
})

both('when one is killed in the middle, the other sends the rest after its claims have ended', async (world) => {
  const sent = { count: 0 }
  // The tenth is sent, and later actions of the instance have no effect.
  const dying = begin(world, 'dying', {
    sender: {
      sendLogoutToken: (uri, token) => async () => {
        const result = await sender.sendLogoutToken(uri, token)()
        sent.count += 1
        return sent.count < 10 ? result : new Promise(() => undefined)
      },
    },
  })
  const [receiver, ...others] = world.receivers
  if (receiver === undefined) throw new Error('there are five')
  for (const sid of names(50)) await endSession(world, dying, sid, receiver)
  dying.dispatcher.start(signToken)
  await until(() => sent.count === 10)

  const living = begin(world, 'living')
  living.dispatcher.start(signToken)
  for (const [nth, each] of others.entries()) await endSession(world, living, `elsewhere-${nth}`, each)
  await until(() => others.every((each) => tokensOf(each).length === 1))
  assert.is(notifiedBy([receiver]).length, 10, 'the receiver is left to the claim of the one that is dead')
  world.clock.at = secondsAfter(world.clock.at, defaultDelivery.claimLength)
  living.dispatcher.wake()
  await until(() => isEmpty(world))
  await living.dispatcher.stop()
  const reported = notifiedBy([receiver])
  assert.equal(new Set(reported), new Set(names(50)))
  assert.is(reported.length, 51, 'what was sent and not recorded is sent again')
})

both.run()
