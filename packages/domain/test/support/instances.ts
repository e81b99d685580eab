// Several instances of a service that deliver notifications of one store, each with its own clock; and slow receivers.
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { inMemoryPendingNotifications, type InMemoryPendingNotifications } from '@clientele/adapters-memory'
import { done, exampleNotification, exampleTime, only } from '@clientele/testing'
import { type EpochSeconds, secondsAfter } from '../../src/kernel/time.js'
import type { DeliveryPolicy } from '../../src/logout/notifications.js'
import { deliverNotifications, type DeliverNotificationsPorts } from '../../src/operations/notifications.js'
import { answered, deliverySettings } from './logout-world.js'
import { virtualTime, type VirtualTime } from './virtual-time.js'

export type OwedNotification = {
  readonly receiver: number
  /** Seconds after the start. */
  readonly created: number
  /** The number of its posts that are answered with 503. */
  readonly failures: number
  /** The seconds that its receiver takes to answer. */
  readonly takes: number
}

export type Fate = 'lives' | 'stops' | 'dies'

export type InstancePlan = {
  /** Seconds by which its clock is ahead. */
  readonly ahead: number
  /** The time of its first pass, and the maximum seconds between two passes. */
  readonly begins: number
  readonly looks: number
  readonly fate: Fate
  readonly ends: number
}

type World = {
  readonly time: VirtualTime
  readonly pendingNotifications: InMemoryPendingNotifications
  readonly owed: ReadonlyArray<OwedNotification>
  readonly policy: Partial<DeliveryPolicy>
  readonly posts: Map<string, number>
  /** By instance, the notifications that it sent and did not record. */
  readonly unrecorded: Map<string, Set<string>>
  readonly underWay: Map<number, number>
  maxAtOneReceiver: number
}

const never = <A>(): Promise<A> => new Promise<A>(() => undefined)

/** Counts the post, and answers it after a while, even if its sender has died. */
const receive = async (world: World, id: string): Promise<number> => {
  const { receiver, failures, takes } = world.owed[Number(id)] ?? { receiver: 0, failures: 0, takes: 0 }
  const nth = (world.posts.get(id) ?? 0) + 1
  world.posts.set(id, nth)
  const atOnce = (world.underWay.get(receiver) ?? 0) + 1
  world.underWay.set(receiver, atOnce)
  world.maxAtOneReceiver = Math.max(world.maxAtOneReceiver, atOnce)
  await world.time.sleep(takes)
  world.underWay.set(receiver, (world.underWay.get(receiver) ?? 1) - 1)
  return nth > failures ? 200 : 503
}

const portsOf = (world: World, name: string, { ahead, fate, ends }: InstancePlan) => {
  const { time, pendingNotifications } = world
  const unrecorded = new Set<string>()
  world.unrecorded.set(name, unrecorded)
  const isOver = (of: Fate): boolean => fate === of && time.now() >= ends
  const now = (): EpochSeconds => secondsAfter(exampleTime, Math.floor(time.now() + ahead))
  const alive = <A>(run: () => Promise<A>): Promise<A> => (isOver('dies') ? never<A>() : run())
  const ports = only<DeliverNotificationsPorts>({
    claimDue: (at, claim, max) => () => alive(pendingNotifications.claimDue(at, claim, max)),
    recordTries: (holder, tries) => () =>
      alive(() => {
        for (const { id } of tries) unrecorded.delete(id)
        return pendingNotifications.recordTries(holder, tries)()
      }),
    findClients: () => TE.right([]),
    now,
    identifier: () => 'identifier',
    isStopping: () => isOver('stops'),
    reportTry: () => () => undefined,
    signToken: () => TE.right('signed'),
    sendLogoutToken: (uri) => () =>
      alive(async () => {
        const id = new URL(uri).searchParams.get('notice') ?? ''
        unrecorded.add(id)
        const status = await receive(world, id)
        return alive(async () => answered(status))
      }),
  })
  return { ports, now, isStopping: () => isOver('stops'), isDead: () => isOver('dies') }
}

/** Makes passes and waits, like the dispatcher of a service. */
const live = async (world: World, name: string, plan: InstancePlan): Promise<void> => {
  const { ports, now, isStopping, isDead } = portsOf(world, name, plan)
  const settings = { ...deliverySettings(world.policy), instance: name }
  await world.time.sleep(plan.begins)
  while (!isStopping() && !isDead()) {
    await done(deliverNotifications(settings, ports))
    const next = await done(world.pendingNotifications.nextDue(now(), name))
    const wait = O.isSome(next) ? Math.max(0.1, next.value - now()) : plan.looks
    await world.time.sleep(Math.min(plan.looks, wait))
  }
}

const write = async ({ time, pendingNotifications }: World, { receiver, created }: OwedNotification, index: number) => {
  await time.sleep(created)
  pendingNotifications.add({
    ...exampleNotification(`${index}`, 'shop'),
    uri: `https://rp${receiver}.example/?notice=${index}`,
    created_at: secondsAfter(exampleTime, Math.floor(time.now())),
  })
}

export type Delivered = Pick<World, 'posts' | 'unrecorded' | 'maxAtOneReceiver'>

/** Runs the instances until no notification is pending. */
export const deliverAll = async (
  owed: ReadonlyArray<OwedNotification>,
  plans: ReadonlyArray<InstancePlan>,
  policy: Partial<DeliveryPolicy> = {},
): Promise<Delivered> => {
  const world: World = {
    time: virtualTime(),
    pendingNotifications: inMemoryPendingNotifications(),
    owed,
    policy,
    posts: new Map(),
    unrecorded: new Map(),
    underWay: new Map(),
    maxAtOneReceiver: 0,
  }
  const written = { count: 0 }
  owed.forEach((each, index) => void write(world, each, index).then(() => (written.count += 1)))
  plans.forEach((plan, index) => void live(world, `instance ${index}`, plan))
  await world.time.passUntil(
    async () =>
      written.count === owed.length && (await done(world.pendingNotifications.listNotifications(1))).length === 0,
  )
  return world
}
