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
  `${what}: in a ${period} from one source (an IPv4 address, or the /64 of an IPv6 address), and from all; one network (a /24 of IPv4, or a /48 of IPv6) has four times as many as a source, and half of all at most; any further one is answered with 429`

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
    'Connections to the public port at a time, of each instance. One source (an IPv4 address, or the /64 of an IPv6 address) has half of them at most, and more only as long as it has fewer than are free; one network (a /24 of IPv4, or a /48 of IPv6) has four fifths, and more only as long as it has fewer than four times those; any further one is closed at once',
    { from: 10, to: 1_000_000, fallback: 2_000 },
  ),
  'maximum-requests': range(
    'Requests on the public port at a time, of each instance, shared among sources in the same way; any further one is answered with 503',
    { from: 10, to: 1_000_000, fallback: 1_000 },
  ),
  'trusted-proxies': several(
    'Proxies whose X-Forwarded-For counts. Their connections are bounded by maximum-connections alone, and their requests count for the addresses that they name',
    'CIDRs or addresses separated by commas',
    list(commas, addressRange),
  ),
  'maximum-failed-credentials': budget('Tokens, client secrets and logins that are not valid', 'minute', 100, 10_000),
  'maximum-open-registrations': budget(
    'Registrations without a token, and changes of such clients by their registration access tokens',
    'day',
    1_000,
    20_000,
  ),
  'maximum-logout-pages': budget('Logout requests of browsers without a session', 'minute', 300, 30_000),
  'maximum-authorization-requests': budget(
    'Authorization requests that begin a login, and pushed ones of clients that were registered without a token or do not authenticate',
    'minute',
    300,
    3_000,
  ),
  'maximum-document-changes': budget(
    'Documents of clients that are new or changed and are stored',
    'day',
    30,
    20_000,
    (what, period) =>
      `${what}: in a ${period} by one end-user who consents, or by one document that changes, and by all. An end-user is answered with 429 then, and a change of a document is stored later`,
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
