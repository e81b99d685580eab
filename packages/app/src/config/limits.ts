// How much a source may ask for: connections and requests at a time, and the budgets of failed credentials and anonymous
// work (docs/operate/security.md#abuse).
import { type AbusePolicy, type BudgetLimits, limitsPer } from '@clientele/domain/kernel'
import * as E from 'fp-ts/lib/Either.js'
import { type Setting, type Values, addressRange, commas, list, range, several } from './values.js'

// In milliseconds, of which each gives back one unit at most.
const periods = { minute: 60_000, day: 86_400_000 } as const

type Period = keyof typeof periods
type Limits = BudgetLimits | 'off'

const bySource = (what: string, period: Period): string =>
  `The limits in a ${period} on ${what}: SOURCE is that of one source (an IPv4 address, or the /64 of an IPv6 address), and ALL that of all sources together. One network (a /24 of IPv4, or a /48 of IPv6) has four times SOURCE, but at most half of ALL. The service answers any further one with 429`

const budget = (
  what: string,
  period: Period,
  ofSource: number,
  ofAll: number,
  describe = bySource,
): Setting<Limits> => {
  const most = periods[period]
  const rule = `two whole numbers from 1 to ${most} with a slash, the first not the greater, as 60/6000; or off`
  return {
    description: describe(what, period),
    values: 'SOURCE/ALL, or off',
    fallback: limitsPer(most, ofSource, ofAll),
    fallbackText: `${ofSource}/${ofAll}`,
    parse: (text) => {
      if (text === 'off') return E.right('off')
      const [, source, all] = (/^(\d{1,8})\/(\d{1,8})$/.exec(text) ?? []).map(Number)
      if (source === undefined || all === undefined) return E.left(rule)
      return source >= 1 && source <= all && all <= most ? E.right(limitsPer(most, source, all)) : E.left(rule)
    },
    shown: (limits) => (limits === 'off' ? 'off' : `${limits.source.burst}/${limits.all.burst}`),
  }
}

export const limitsSection = {
  'maximum-connections': range(
    'How many connections to its public port each instance has at a time. One source (an IPv4 address, or the /64 of an IPv6 address) gets another one only while it has fewer than are free, so that it never has more than half. One network (a /24 of IPv4, or a /48 of IPv6) gets another one only while it has fewer than four times as many as are free, so that it never has more than four fifths. The service closes any further connection at once',
    { from: 10, to: 1_000_000, fallback: 2_000 },
  ),
  'maximum-requests': range(
    'How many requests on its public port each instance has at a time. Sources and networks share them in the same way as maximum-connections. The service answers any further one with 503',
    { from: 10, to: 1_000_000, fallback: 1_000 },
  ),
  'trusted-proxies': several(
    'The proxies whose header X-Forwarded-For the service believes. Only maximum-connections as a whole bounds the connections of a proxy, and its requests count as those of the addresses that it names',
    'CIDRs or addresses separated by commas',
    list(commas, addressRange),
  ),
  'maximum-failed-credentials': budget('invalid tokens, client secrets and logins', 'minute', 100, 10_000),
  'maximum-open-registrations': budget(
    'registrations without a token, and changes of such clients by their registration access tokens',
    'day',
    1_000,
    20_000,
  ),
  'maximum-logout-pages': budget('logout requests of browsers without a session', 'minute', 300, 30_000),
  'maximum-authorization-requests': budget(
    'authorization requests that begin a login, and pushed ones of clients that were registered without a token, have a document or do not authenticate',
    'minute',
    300,
    3_000,
  ),
  'maximum-document-changes': budget(
    'new or changed documents of clients',
    'day',
    30,
    20_000,
    (what, period) =>
      `How many ${what} the service stores in a ${period}: SOURCE because of the consents of one end-user, or because one document changes, and ALL together. It answers any further consent with 429, and stores any further change of a document later`,
  ),
} as const

const limitsOf = (limits: Limits): BudgetLimits | undefined => (limits === 'off' ? undefined : limits)

export const abusePolicy = (config: Values<typeof limitsSection>): AbusePolicy => ({
  credentials: limitsOf(config['maximum-failed-credentials']),
  registrations: limitsOf(config['maximum-open-registrations']),
  logout_pages: limitsOf(config['maximum-logout-pages']),
  authorizations: limitsOf(config['maximum-authorization-requests']),
  documents: limitsOf(config['maximum-document-changes']),
})
