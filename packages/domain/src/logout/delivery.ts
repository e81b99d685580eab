// The delivery of notifications: when each is tried again, and given up.
import * as t from 'io-ts'
import { ClientId } from '../client/ids.js'
import { EpochSeconds, earlier, secondsAfter } from '../kernel/time.js'
import { recordWith } from '../kernel/values.js'
import type { PendingNotification } from './notify.js'

// The result of a delivery attempt: delivered, repeated later, or given up. Back-Channel Logout §2.8.

export type DeliveryPolicy = {
  /** The maximum number of attempts; after these, the notification has failed. */
  readonly maxTries: number
  /** Seconds before the second attempt; each further wait is twice as long. */
  readonly firstWait: number
  /** The maximum wait in seconds. */
  readonly maxWait: number
  /** Seconds before an unsent notification is attempted again: a quarter of its age, within these bounds. */
  readonly minUnsentWait: number
  readonly maxUnsentWait: number
  /** Seconds after which an undelivered notification is removed. */
  readonly maxAge: number
  /** The maximum number of notifications that a pass claims. */
  readonly maxInPass: number
  /** Seconds after which a pass begins no further attempt; the rest of its notifications are postponed. */
  readonly passLength: number
  /**
   * Seconds for which a dispatcher has its claims. They exceed the sum of a pass, the longest attempt, which may begin
   * at its end, and the clock difference of two instances, so that no other dispatcher repeats an attempt that is under
   * way.
   */
  readonly claimLength: number
  /** The number of receivers that are notified concurrently. */
  readonly concurrency: number
}

const day = 86_400

/** Nine attempts in four hours; failed notifications are listed for a month. */
export const defaultDelivery: DeliveryPolicy = {
  maxTries: 9,
  firstWait: 60,
  maxWait: 7_200,
  minUnsentWait: 10,
  maxUnsentWait: 300,
  maxAge: 30 * day,
  maxInPass: 500,
  passLength: 5,
  claimLength: 30,
  concurrency: 16,
}

export type DeliveryResult =
  /** The receiver's response, with the seconds of its Retry-After. */
  | { readonly kind: 'answered'; readonly status: number; readonly retryAfter: number | undefined }
  | { readonly kind: 'unanswered'; readonly reason: string }
  /** It cannot be sent, now or later. */
  | { readonly kind: 'impossible'; readonly reason: string }
  /** This service could not connect, or its name servers did not answer: the receiver is not the cause. */
  | { readonly kind: 'unsent'; readonly reason: string }
  /** There was no token to send. */
  | { readonly kind: 'unsigned'; readonly reason: string }
  /** It cannot be sent before the time. */
  | { readonly kind: 'too_early'; readonly until: EpochSeconds; readonly reason: string }

export type AttemptedNotification =
  | { readonly id: string; readonly kind: 'delivered' }
  | {
      readonly id: string
      readonly kind: 'later' | 'failed'
      readonly attempts: number
      readonly due_at: EpochSeconds
      readonly note: string
    }

/** The failures at one receiver, and its last Retry-After: they determine the next wait. */
type Waiting = { readonly failures: number; readonly retryAfter: number | undefined }

// RFC 9110 §10.2.3: the receiver's Retry-After, within the maximum
const wait = ({ firstWait, maxWait }: DeliveryPolicy, { failures, retryAfter = 0 }: Waiting): number =>
  Math.min(maxWait, Math.max(retryAfter, firstWait * 2 ** (failures - 1)))

// RFC 9110 §15.5.9, RFC 8470 §5.2, RFC 6585 §4, and the 5xx: possibly temporary
const mayPass = (status: number): boolean => status >= 500 || [408, 425, 429].includes(status)

// Back-Channel Logout §2.8: 200, or 204 as some receivers send, confirms the logout
const isDone = (status: number): boolean => status === 200 || status === 204

/** Whether the receiver is down, so that other notifications would fail as well. */
const isDown = (result: DeliveryResult): boolean =>
  result.kind === 'unanswered' || (result.kind === 'answered' && mayPass(result.status))

const noteOf = (result: DeliveryResult): string => {
  if (result.kind === 'answered') return `the status was ${result.status}`
  return result.kind === 'unsent' ? `not sent: ${result.reason}` : result.reason
}

// Back-Channel Logout §2.5: a logout token is repeated only after a possibly temporary failure
const isFinal = (result: DeliveryResult): boolean =>
  result.kind === 'impossible' || (result.kind === 'answered' && !mayPass(result.status))

const failuresOf = (entries: ReadonlyArray<PendingNotification>): number =>
  entries.reduce((sum, { attempts }) => sum + attempts, 0)

const dueAgain = (
  policy: DeliveryPolicy,
  at: EpochSeconds,
  entries: ReadonlyArray<PendingNotification>,
  result: DeliveryResult,
): EpochSeconds => {
  const retryAfter = result.kind === 'answered' ? result.retryAfter : undefined
  return secondsAfter(at, wait(policy, { failures: failuresOf(entries) + 1, retryAfter }))
}

// The wait grows with the age of the notification, because these attempts are not counted.
const dueUnsent = (
  { minUnsentWait, maxUnsentWait }: DeliveryPolicy,
  at: EpochSeconds,
  { created_at }: PendingNotification,
): EpochSeconds => secondsAfter(at, Math.min(maxUnsentWait, Math.max(minUnsentWait, Math.ceil((at - created_at) / 4))))

/** The notification, due at another time; this does not count as an attempt. */
export const postpone =
  (due_at: EpochSeconds, note?: string) =>
  (entry: PendingNotification): AttemptedNotification => ({
    id: entry.id,
    kind: 'later',
    attempts: entry.attempts,
    due_at,
    note: note ?? entry.note,
  })

/** The notification after a result that does not count as an attempt; undefined where the result counts. */
const decideUntried = (
  policy: DeliveryPolicy,
  at: EpochSeconds,
  entry: PendingNotification,
  result: DeliveryResult,
): AttemptedNotification | undefined => {
  switch (result.kind) {
    case 'too_early':
      return postpone(earlier(result.until, secondsAfter(at, policy.maxWait)), noteOf(result))(entry)
    case 'unsent':
    case 'unsigned':
      return postpone(dueUnsent(policy, at, entry), noteOf(result))(entry)
    case 'answered':
    case 'unanswered':
    case 'impossible':
      return undefined
  }
}

/**
 * The notification after one more attempt. `others` are due at the same receiver: each failure among them makes the
 * wait longer.
 */
export const decideDelivery =
  (policy: DeliveryPolicy, at: EpochSeconds) =>
  (
    entry: PendingNotification,
    result: DeliveryResult,
    others: ReadonlyArray<PendingNotification> = [],
  ): AttemptedNotification => {
    if (result.kind === 'answered' && isDone(result.status)) return { id: entry.id, kind: 'delivered' }
    const untried = decideUntried(policy, at, entry, result)
    if (untried !== undefined) return untried
    const note = noteOf(result)
    const attempts = entry.attempts + 1
    return isFinal(result) || attempts >= policy.maxTries
      ? { id: entry.id, kind: 'failed', attempts, due_at: at, note }
      : { id: entry.id, kind: 'later', attempts, due_at: dueAgain(policy, at, [entry, ...others], result), note }
  }

/**
 * The other notifications to the receiver after the attempt, which does not count for them: they wait when the receiver
 * is down or could not be reached. Undefined where they are attempted as well.
 */
export const decideOthers =
  (policy: DeliveryPolicy, at: EpochSeconds) =>
  (
    entry: PendingNotification,
    result: DeliveryResult,
    others: ReadonlyArray<PendingNotification>,
  ): ReadonlyArray<AttemptedNotification> | undefined => {
    if (result.kind === 'unsent')
      return others.map((other) => postpone(dueUnsent(policy, at, other), noteOf(result))(other))
    return isDown(result)
      ? others.map(
          postpone(dueAgain(policy, at, [entry, ...others], result), `waits for its receiver: ${noteOf(result)}`),
        )
      : undefined
  }

/** A logout notification for operators, without the end-user. */
export const NotificationDescription = recordWith(
  'NotificationDescription',
  {
    id: t.string,
    client_id: ClientId,
    /** The backchannel_logout_uri. */
    uri: t.string,
    state: t.keyof({ waits: null, failed: null }),
    created_at: EpochSeconds,
    attempts: t.number,
    /** Why it is not delivered yet; empty before the first attempt. */
    note: t.string,
  },
  /** The time of the next attempt, if there is one. */
  { due_at: EpochSeconds },
)
export interface NotificationDescription extends t.TypeOf<typeof NotificationDescription> {}

/** The reason when no notification is delivered. */
export const deliveryIsOff = 'outbound-fetches is off'

export const describeNotification =
  ({ delivers }: { readonly delivers: boolean }) =>
  ({
    id,
    client_id,
    uri,
    created_at,
    attempts,
    note,
    failed,
    due_at,
  }: PendingNotification): NotificationDescription => {
    const reported = { id, client_id, uri, created_at, attempts }
    if (failed) return { ...reported, state: 'failed', note }
    return delivers
      ? { ...reported, state: 'waits', note, due_at }
      : { ...reported, state: 'waits', note: deliveryIsOff }
  }
