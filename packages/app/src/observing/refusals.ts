import type { Log } from './log.js'

/** What was not admitted: a connection, a request, or a connection with too many requests at once. */
export type Refused = 'connection' | 'request' | 'pipelining'

const remedies: Readonly<Record<Refused, string>> = {
  connection: 'connections were closed: raise maximum-connections, or list the proxy in front in trusted-proxies',
  request: 'requests were answered 503: raise maximum-requests, or list the proxy in front in trusted-proxies',
  pipelining: 'connections were closed that asked too much before they took an answer',
}

/** Milliseconds between two entries of one kind, because whoever is refused must not fill the log. */
const betweenEntries = 60_000

/** Counts what is not admitted, and tells the operator the first time and then once a minute at most. */
export const reportRefusals = (
  log: Pick<Log, 'warn'>,
  metrics: { readonly refuse: (what: Refused) => void },
  now: () => number,
): ((what: Refused) => void) => {
  const reported = new Map<Refused, number>()
  return (what) => {
    metrics.refuse(what)
    const at = now()
    if (at - (reported.get(what) ?? -Infinity) < betweenEntries) return
    reported.set(what, at)
    log.warn({ refused: what }, remedies[what])
  }
}
