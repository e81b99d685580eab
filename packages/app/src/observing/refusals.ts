import type { Log } from './log.js'

/** The refused admission: of a connection, of a request, or of a connection with too many requests at once. */
export type Refused = 'connection' | 'request' | 'pipelining'

const remedies: Readonly<Record<Refused, string>> = {
  connection: 'connections were closed: raise maximum-connections, or list the proxy in front in trusted-proxies',
  request: 'requests were answered 503: raise maximum-requests, or list the proxy in front in trusted-proxies',
  pipelining: 'connections were closed that asked too much before they took an answer',
}

/** Milliseconds between two entries of one kind, so that refused clients do not fill the log. */
const betweenEntries = 60_000

/** Counts refused admissions, and logs the first one and then at most one a minute. */
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
