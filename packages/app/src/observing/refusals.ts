import type { BudgetKind } from '@clientele/domain/kernel'
import type { Log } from './log.js'

/**
 * What was refused: admission of a connection, of a request, or of a connection with too many requests at once; or a
 * request without a budget for it.
 */
export type Refused = 'connection' | 'request' | 'pipelining' | BudgetKind

// RFC 6585 §4
const exhausted = (what: string, setting: string): string =>
  `${what} were answered 429: raise ${setting}, or list the proxy in front in trusted-proxies; docs/abuse.md`

const remedies: Readonly<Record<Refused, string>> = {
  connection: 'connections were closed: raise maximum-connections, or list the proxy in front in trusted-proxies',
  request: 'requests were answered 503: raise maximum-requests, or list the proxy in front in trusted-proxies',
  pipelining: 'connections were closed that asked too much before they took an answer',
  credentials: exhausted('failed credentials', 'maximum-failed-credentials'),
  registrations: exhausted('registrations without a token, or their changes,', 'maximum-open-registrations'),
  logout_pages: exhausted('logout requests without a session', 'maximum-logout-pages'),
  authorizations: exhausted('authorization requests without a session', 'maximum-authorization-requests'),
  documents: 'new or changed documents of clients were not stored: raise maximum-document-changes; docs/abuse.md',
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
