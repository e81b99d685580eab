// What follows from a try to deliver a notice: done, once more later, or given up. Back-Channel Logout §2.8.
import { type EpochSeconds, earlier, secondsAfter } from '../codec/epoch-seconds.js'
import type { OutboxEntry } from './logout-notice.js'

export type DeliveryPolicy = {
  /** So many tries, and then the notification has failed. */
  readonly maxTries: number
  /** Seconds before the second try; each further one waits twice as long. */
  readonly firstWait: number
  /** No wait is longer, in seconds. */
  readonly maxWait: number
  /** Seconds before a notice that could not be sent is tried again: a quarter of its age, but within these bounds. */
  readonly minUnsentWait: number
  readonly maxUnsentWait: number
  /** Seconds after which a notification that could not be delivered is forgotten. */
  readonly maxAge: number
  /** A pass claims so many notifications at most. */
  readonly maxInPass: number
  /** Seconds after which a pass begins no further try: what it leaves goes to the end of the line. */
  readonly passLength: number
  /**
   * Seconds for which a dispatcher has what it claimed to itself. A pass, the longest try, which may begin at its end, and what
   * the clocks of two instances may differ by are shorter together, so that no other dispatcher repeats a try that is under way.
   */
  readonly claimLength: number
  /** So many receivers are notified side by side. */
  readonly concurrency: number
}

const day = 86_400

/** Nine tries in four hours; what has failed is listed for a month. */
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
  /** An answer of the application, with the seconds that its Retry-After asks for. */
  | { readonly kind: 'answered'; readonly status: number; readonly retryAfter: number | undefined }
  | { readonly kind: 'unanswered'; readonly reason: string }
  /** It cannot be sent at all, however often it is tried. */
  | { readonly kind: 'impossible'; readonly reason: string }
  /** This service could not reach out, or its name servers did not answer: the receiver has no part in that. */
  | { readonly kind: 'unsent'; readonly reason: string }
  /** There was no token to send. */
  | { readonly kind: 'unsigned'; readonly reason: string }
  /** It cannot be sent before the time. */
  | { readonly kind: 'too_early'; readonly until: EpochSeconds; readonly reason: string }

export type TriedNotice =
  | { readonly id: string; readonly kind: 'delivered' }
  | {
      readonly id: string
      readonly kind: 'later' | 'failed'
      readonly attempts: number
      readonly due_at: EpochSeconds
      readonly note: string
    }

/** What the last try, and those before it, at one receiver ask of the next. */
type Waiting = { readonly failures: number; readonly retryAfter: number | undefined }

// RFC 9110 §10.2.3: the receiver's own wish, as far as it is in reason
const wait = ({ firstWait, maxWait }: DeliveryPolicy, { failures, retryAfter = 0 }: Waiting): number =>
  Math.min(maxWait, Math.max(retryAfter, firstWait * 2 ** (failures - 1)))

// RFC 9110 §15.5.9, RFC 8470 §5.2, RFC 6585 §4, and the 5xx: what may go away by itself
const mayPass = (status: number): boolean => status >= 500 || [408, 425, 429].includes(status)

// Back-Channel Logout §2.8: 200 and, as some send it, 204 say that the end-user is signed out there
const isDone = (status: number): boolean => status === 200 || status === 204

/** Whether the receiver can answer nobody now, so that it is of no use to tell it anything else. */
const isDown = (result: DeliveryResult): boolean =>
  result.kind === 'unanswered' || (result.kind === 'answered' && mayPass(result.status))

const noteOf = (result: DeliveryResult): string => {
  if (result.kind === 'answered') return `the status was ${result.status}`
  return result.kind === 'unsent' ? `not sent: ${result.reason}` : result.reason
}

// Back-Channel Logout §2.5: a logout token is sent again only where the failure may go away
const isFinal = (result: DeliveryResult): boolean =>
  result.kind === 'impossible' || (result.kind === 'answered' && !mayPass(result.status))

const failuresOf = (entries: ReadonlyArray<OutboxEntry>): number =>
  entries.reduce((sum, { attempts }) => sum + attempts, 0)

const dueAgain = (
  policy: DeliveryPolicy,
  at: EpochSeconds,
  entries: ReadonlyArray<OutboxEntry>,
  result: DeliveryResult,
): EpochSeconds => {
  const retryAfter = result.kind === 'answered' ? result.retryAfter : undefined
  return secondsAfter(at, wait(policy, { failures: failuresOf(entries) + 1, retryAfter }))
}

// The older a notice is, the longer the cause has lasted: so tries become rarer although none of them is counted.
const dueUnsent = (
  { minUnsentWait, maxUnsentWait }: DeliveryPolicy,
  at: EpochSeconds,
  { created_at }: OutboxEntry,
): EpochSeconds => secondsAfter(at, Math.min(maxUnsentWait, Math.max(minUnsentWait, Math.ceil((at - created_at) / 4))))

/** The notification as it was, but due at another time: this is no try. */
export const postpone =
  (due_at: EpochSeconds, note?: string) =>
  (entry: OutboxEntry): TriedNotice => ({
    id: entry.id,
    kind: 'later',
    attempts: entry.attempts,
    due_at,
    note: note ?? entry.note,
  })

/** What becomes of a notice that has not come to its receiver; undefined where that was a try. */
const decideUntried = (
  policy: DeliveryPolicy,
  at: EpochSeconds,
  entry: OutboxEntry,
  result: DeliveryResult,
): TriedNotice | undefined => {
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
 * What becomes of a notice after one more try. The others are due at the same receiver: each failure among them makes the wait
 * longer, because it is the receiver's.
 */
export const decideDelivery =
  (policy: DeliveryPolicy, at: EpochSeconds) =>
  (entry: OutboxEntry, result: DeliveryResult, others: ReadonlyArray<OutboxEntry> = []): TriedNotice => {
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
 * What becomes of the others after the try, none of which is one for them: a receiver that is down is left alone, and what could
 * not be sent to it now is not asked for again at once. Undefined where they are tried as well.
 */
export const decideOthers =
  (policy: DeliveryPolicy, at: EpochSeconds) =>
  (
    entry: OutboxEntry,
    result: DeliveryResult,
    others: ReadonlyArray<OutboxEntry>,
  ): ReadonlyArray<TriedNotice> | undefined => {
    if (result.kind === 'unsent')
      return others.map((other) => postpone(dueUnsent(policy, at, other), noteOf(result))(other))
    return isDown(result)
      ? others.map(
          postpone(dueAgain(policy, at, [entry, ...others], result), `waits for its receiver: ${noteOf(result)}`),
        )
      : undefined
  }
