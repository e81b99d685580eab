// Pending notifications, a clock and receivers that answer as the test says; tokens are their claims.
import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type EpochSeconds, secondsAfter } from '../../src/kernel/time.js'
import type { Unavailable } from '../../src/kernel/refusals.js'
import type { SigningRefusal, UnsignedToken } from '../../src/keys/signing.js'
import {
  type AttemptedNotification,
  type DeliveryPolicy,
  type DeliveryResult,
  type PendingNotification,
  defaultDelivery,
} from '../../src/logout/notifications.js'
import type { NoSuchRing } from '../../src/ports/outside.js'
import type { DeliverNotificationsPorts, DeliverySettings } from '../../src/operations/notifications.js'
import { inMemoryPendingNotifications, type InMemoryPendingNotifications } from '@clientele/adapters-memory'
import { done, exampleNotification, exampleTime, only } from '@clientele/testing'

export type Refused = SigningRefusal | NoSuchRing | Unavailable
export type Sent = { readonly host: string; readonly id: string; readonly token: UnsignedToken }

export type LogoutWorld = {
  readonly clock: { at: EpochSeconds; stopping: boolean }
  readonly pendingNotifications: InMemoryPendingNotifications
  readonly sent: ReadonlyArray<Sent>
  readonly reported: ReadonlyArray<readonly [PendingNotification, AttemptedNotification]>
  /** The maximum of concurrent requests: in all, and at one receiver. */
  readonly most: { inAll: number; atOne: number }
  /** The refusals of the signer, if set. */
  readonly refusing: Map<string, Refused>
  readonly ports: DeliverNotificationsPorts
}

/** Adds a notification of this id to the client, whose receiver is its own host, or the given one. */
export const owe = (
  { pendingNotifications, clock }: LogoutWorld,
  id: string,
  client: string,
  host = `${client}.example`,
): void =>
  pendingNotifications.add({
    ...exampleNotification(id, client),
    uri: `https://${host}/logout?notice=${encodeURIComponent(id)}`,
    created_at: clock.at,
  })

type Answering = (sent: Sent, nth: number) => Promise<DeliveryResult>

export const logoutWorld = (answer: Answering): LogoutWorld => {
  const clock = { at: exampleTime, stopping: false }
  const most = { inAll: 0, atOne: 0 }
  const pendingNotifications = inMemoryPendingNotifications()
  const sent: Array<Sent> = []
  const reported: Array<readonly [PendingNotification, AttemptedNotification]> = []
  const underWay: Array<string> = []
  const refusing = new Map<string, Refused>()
  let drawn = 0
  const signToken = (token: UnsignedToken): TE.TaskEither<Refused, string> => {
    const refusal = refusing.get(token.alg)
    return async () => (refusal === undefined ? E.right(JSON.stringify(token)) : E.left(refusal))
  }
  const send = async (uri: string, text: string): Promise<DeliveryResult> => {
    const { host, searchParams } = new URL(uri)
    const one = { host, id: searchParams.get('notice') ?? '', token: JSON.parse(text) }
    underWay.push(host)
    most.inAll = Math.max(most.inAll, underWay.length)
    most.atOne = Math.max(most.atOne, underWay.filter((each) => each === host).length)
    const result = await answer(one, sent.push(one) - 1)
    underWay.splice(underWay.indexOf(host), 1)
    return result
  }
  return {
    clock,
    pendingNotifications,
    sent,
    reported,
    most,
    refusing,
    ports: only({
      ...pendingNotifications,
      findClients: () => TE.right([]),
      now: () => clock.at,
      identifier: () => `identifier-${(drawn += 1)}`,
      isStopping: () => clock.stopping,
      reportTry: (entry, tried) => () => void reported.push([entry, tried]),
      signToken,
      sendLogoutToken: (uri, text) => () => send(uri, text),
    }),
  }
}

export const deliverySettings = (policy: Partial<DeliveryPolicy> = {}): DeliverySettings => ({
  delivery: { ...defaultDelivery, ...policy },
  keyPolicy: { retention: 86_400 },
  instance: 'this instance',
  isOnLoopback: false,
})

export const answered = (status: number, retryAfter?: number): DeliveryResult => ({
  kind: 'answered',
  status,
  retryAfter,
})
export const unanswered: DeliveryResult = { kind: 'unanswered', reason: 'no answer within 5000 ms' }

/** Any result of a delivery. */
export const anyResult = (): fc.Arbitrary<DeliveryResult> =>
  fc.oneof(
    fc.constantFrom(200, 204).map((status) => answered(status)),
    fc.constant(unanswered),
    fc
      .tuple(fc.integer({ min: 200, max: 599 }), fc.option(fc.maxSafeNat(), { nil: undefined }))
      .map(([status, retryAfter]) => answered(status, retryAfter)),
  )

export const oweMany = (world: LogoutWorld, client: string, count: number): void => {
  for (let index = 0; index < count; index += 1) owe(world, `${client}-${index}`, client)
}

export const claimedByAnother = ({
  pendingNotifications,
  clock,
}: LogoutWorld): Promise<ReadonlyArray<PendingNotification>> => {
  const until = secondsAfter(clock.at, defaultDelivery.claimLength)
  return done(pendingNotifications.claimDue(clock.at, { holder: 'another instance', until }, 100))
}

export const always = (result: DeliveryResult) => async (): Promise<DeliveryResult> => result
