// How many requests are sent in a minute: decision 0144.
import type { EpochSeconds } from '@clientele/domain/kernel'

/** Requests in a window, to one host and in all; the window is in seconds. */
export type BudgetBounds = { readonly each: number; readonly all: number; readonly window: number }

export const documentBudget: BudgetBounds = { each: 30, all: 300, window: 60 }

/** Whether a request to the host may be sent now; if so, it counts. */
export type RequestBudget = (host: string, now: EpochSeconds) => boolean

/** Windows follow each other, so that what is counted is bounded by the requests of one. */
export const createRequestBudget = ({ each, all, window }: BudgetBounds): RequestBudget => {
  const sent = new Map<string, number>()
  let began = -Infinity
  let inAll = 0
  return (host, now) => {
    // A clock that was set back begins a window, too.
    if (now < began || now >= began + window) {
      sent.clear()
      began = now
      inAll = 0
    }
    const toHost = sent.get(host) ?? 0
    if (toHost >= each || inAll >= all) return false
    sent.set(host, toHost + 1)
    inAll += 1
    return true
  }
}
