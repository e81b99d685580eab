// The budgets of failed credentials and anonymous work: docs/abuse.md.
import { type AbusePolicy, type BudgetLimits, limitsPer } from '@clientele/domain/kernel'
import * as E from 'fp-ts/lib/Either.js'
import type { Parse, Setting } from './values/setting.js'

// In milliseconds, of which each gives back one unit at most.
const periods = { minute: 60_000, day: 86_400_000 } as const

type Period = keyof typeof periods
type Limits = BudgetLimits | 'off'

const ruleOf = (period: number): string =>
  `two whole numbers from 1 to ${period} with a slash, the first not the greater, as 60/6000; or off`

const parseFor =
  (period: number): Parse<Limits> =>
  (text) => {
    if (text === 'off') return E.right('off')
    const [, ofSource, ofAll] = (/^(\d{1,8})\/(\d{1,8})$/.exec(text) ?? []).map(Number)
    if (ofSource === undefined || ofAll === undefined) return E.left(ruleOf(period))
    const isFit = ofSource >= 1 && ofSource <= ofAll && ofAll <= period
    return isFit ? E.right(limitsPer(period, ofSource, ofAll)) : E.left(ruleOf(period))
  }

const shown = (limits: Limits): string => (limits === 'off' ? 'off' : `${limits.source.burst}/${limits.all.burst}`)

const bySource = (what: string, period: Period): string =>
  `${what}: in a ${period} from one source (an IPv4 address, or the /64 of an IPv6 address), and from all; one network (a /24 of IPv4, or a /48 of IPv6) has four times as many as a source, and half of all at most; any further one is answered with 429`

const budget = (
  what: string,
  period: Period,
  ofSource: number,
  ofAll: number,
  describe = bySource,
): Setting<Limits> => ({
  description: describe(what, period),
  values: 'SOURCE/ALL, or off',
  fallback: limitsPer(periods[period], ofSource, ofAll),
  fallbackText: `${ofSource}/${ofAll}`,
  parse: parseFor(periods[period]),
  shown,
})

export const abuseSettings = {
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

export const abusePolicy = (config: { readonly [Name in keyof typeof abuseSettings]: Limits }): AbusePolicy => ({
  credentials: limitsOf(config['maximum-failed-credentials']),
  registrations: limitsOf(config['maximum-open-registrations']),
  logout_pages: limitsOf(config['maximum-logout-pages']),
  authorizations: limitsOf(config['maximum-authorization-requests']),
  documents: limitsOf(config['maximum-document-changes']),
})
