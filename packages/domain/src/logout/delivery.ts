// What follows from a try to deliver a notice: done, once more later, or given up. Back-Channel Logout §2.8.
import type { EpochSeconds } from '../codec/epoch-seconds.js'
import { secondsAfter } from '../codec/epoch-seconds.js'
import type { OutboxEntry } from './logout-notice.js'

export type DeliveryPolicy = {
  /** So many tries, and then the notice has failed. */
  readonly mostTries: number
  /** Seconds before the second try; each further one waits twice as long. */
  readonly firstWait: number
  /** No wait is longer, in seconds. */
  readonly longestWait: number
  /** Seconds after which a notice that could not be delivered is forgotten. */
  readonly keptFor: number
}

const day = 86_400

/** Nine tries in four hours; what has failed is listed for a month. */
export const usualDelivery: DeliveryPolicy = { mostTries: 9, firstWait: 60, longestWait: 7_200, keptFor: 30 * day }

/** An answer of the application with what its Retry-After says in seconds, or why there was none. */
export type DeliveryResult =
  | { readonly kind: 'answered'; readonly status: number; readonly retryAfter: number | undefined }
  | { readonly kind: 'unanswered'; readonly reason: string }
  /** It cannot be sent at all, however often it is tried. */
  | { readonly kind: 'impossible'; readonly reason: string }

export type TriedNotice =
  | { readonly id: string; readonly kind: 'delivered' }
  | {
      readonly id: string
      readonly kind: 'later' | 'failed'
      readonly attempts: number
      readonly due_at: EpochSeconds
      readonly note: string
    }

const wait = ({ firstWait, longestWait }: DeliveryPolicy, attempts: number, retryAfter = 0): number =>
  Math.min(longestWait, Math.max(retryAfter, firstWait * 2 ** (attempts - 1)))

// RFC 9110 §15.5.9, §15.5.22 with RFC 6585 §4, and the 5xx: what may go away by itself
const mayPass = (status: number): boolean => status >= 500 || [408, 425, 429].includes(status)

// Back-Channel Logout §2.8: 200 and, as some send it, 204 say that the end-user is signed out there
const isDone = (status: number): boolean => status === 200 || status === 204

/** What becomes of the notice after one more try. */
export const decideDelivery =
  (policy: DeliveryPolicy, at: EpochSeconds) =>
  ({ id, attempts: before }: OutboxEntry, result: DeliveryResult): TriedNotice => {
    if (result.kind === 'answered' && isDone(result.status)) return { id, kind: 'delivered' }
    const attempts = before + 1
    const note = result.kind === 'answered' ? `the status was ${result.status}` : result.reason
    const isFinal = result.kind === 'impossible' || (result.kind === 'answered' && !mayPass(result.status))
    if (isFinal || attempts >= policy.mostTries) return { id, kind: 'failed', attempts, due_at: at, note }
    const retryAfter = result.kind === 'answered' ? result.retryAfter : undefined
    return { id, kind: 'later', attempts, due_at: secondsAfter(at, wait(policy, attempts, retryAfter)), note }
  }
