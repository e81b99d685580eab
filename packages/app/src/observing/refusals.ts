import type { Refused } from '../listening/admission.js'
import type { Log } from './log.js'
import type { Metrics } from './metrics.js'

const remedies: Readonly<Record<Refused, string>> = {
  connection: 'connections were closed: raise maximum-connections, or list the proxy in front in trusted-proxies',
  request: 'requests were answered 503: raise maximum-requests, or list the proxy in front in trusted-proxies',
  pipelining: 'connections were closed that asked too much before they took an answer',
}

/** Milliseconds between two entries of one kind, because whoever is refused must not fill the log. */
const betweenEntries = 60_000

/** Counts what is not admitted, and tells the operator the first time and then once a minute at most. */
export const tellRefusals = (
  log: Pick<Log, 'warn'>,
  metrics: Pick<Metrics, 'refuse'>,
  now: () => number,
): ((what: Refused) => void) => {
  const told = new Map<Refused, number>()
  return (what) => {
    metrics.refuse(what)
    const at = now()
    if (at - (told.get(what) ?? -Infinity) < betweenEntries) return
    told.set(what, at)
    log.warn({ refused: what }, remedies[what])
  }
}
