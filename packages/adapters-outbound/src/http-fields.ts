// Header fields of responses that say times: Retry-After and caching.
import type { EpochSeconds } from '@clientele/domain/kernel'
import type { CacheFacts } from '@clientele/domain/provider'

// RFC 9110 §5.6.7: the three forms of a date. Date.parse accepts others, and reads the last form as local time.
const dateForm = /^[A-Z][a-z]{2,8},? [\w :-]+$/

/** The time of an HTTP date, in milliseconds; NaN for any other text. */
const httpDate = (text: string): number =>
  dateForm.test(text) ? Date.parse(text.endsWith(' GMT') ? text : `${text} GMT`) : Number.NaN

/** RFC 9110 §10.2.3: seconds from `at`, which is in milliseconds; undefined for an invalid value. */
export const retryAfter = (value: string, at: number): number | undefined => {
  const text = value.trim()
  const seconds = /^\d+$/.test(text) ? Number(text) : Math.ceil((httpDate(text) - at) / 1000)
  return Number.isNaN(seconds) ? undefined : Math.min(Number.MAX_SAFE_INTEGER, Math.max(0, seconds))
}

/** The values of each directive, in lower case by name; '' stands for none. */
type Directives = ReadonlyMap<string, ReadonlyArray<string>>

// RFC 9110 §5.6.1, §5.6.4: commas within a quoted string separate nothing.
const betweenCommas = /(?:[^",]|"(?:[^"\\]|\\.)*"?)+/gs

const unquoted = (value: string): string => /^"(.*)"$/s.exec(value)?.[1]?.replace(/\\(.)/gs, '$1') ?? value

const directiveIn = (part: string): readonly [string, string] => {
  const [name = '', ...rest] = part.split('=')
  return [name.trim().toLowerCase(), unquoted(rest.join('=').trim())]
}

/** RFC 9111 §5.2: Cache-Control. Malformed parts are ignored, and no text is refused. */
export const cacheDirectives = (text: string): Directives => {
  const values = new Map<string, Array<string>>()
  for (const [name, value] of (text.match(betweenCommas) ?? []).map(directiveIn)) {
    const known = values.get(name)
    if (known === undefined) values.set(name, [value])
    else known.push(value)
  }
  return values
}

// RFC 9111 §1.2.2: a larger number counts as 2^31.
const greatest = 2 ** 31
const secondsIn = (text: string): number | undefined =>
  /^\d+$/.test(text) ? Math.min(greatest, Number(text)) : undefined

// RFC 9111 §4.2.1: what is invalid is stale; of several values, the most restrictive one counts.
const lifetimeIn = (directives: Directives, name: string): number | undefined => {
  const values = directives.get(name)
  return values === undefined ? undefined : Math.min(...values.map((value) => secondsIn(value) ?? 0))
}

// RFC 9111 §5.3: an invalid Expires, such as 0, is in the past. RFC 9110 §6.6.1: a response without Date is of now.
const expiresIn = (expires: string, date: string, at: EpochSeconds): number => {
  const sent = httpDate(date)
  const seconds = (httpDate(expires) - (Number.isNaN(sent) ? at * 1000 : sent)) / 1000
  return Number.isNaN(seconds) ? 0 : Math.min(greatest, Math.max(0, Math.floor(seconds)))
}

// RFC 9111 §5.1: the first value of a list; an invalid one is ignored.
const ageIn = (text: string): number | undefined => secondsIn((text.split(',')[0] ?? '').trim())

/**
 * RFC 9111 §4.2, §5: what a response says about caching. The domain concludes how long a document is fresh. `field` gives the
 * value of a header field, or all of its values as one list; '' if there is none. `at` is the time of the request.
 */
export const cacheFacts = (
  field: (name: 'age' | 'cache-control' | 'date' | 'expires') => string,
  at: EpochSeconds,
): CacheFacts => {
  const directives = cacheDirectives(field('cache-control'))
  const expires = field('expires').trim()
  const facts: { readonly [Name in keyof CacheFacts]: CacheFacts[Name] | undefined } = {
    max_age: lifetimeIn(directives, 'max-age'),
    s_maxage: lifetimeIn(directives, 's-maxage'),
    expires_in: expires === '' ? undefined : expiresIn(expires, field('date').trim(), at),
    age: ageIn(field('age')),
    // RFC 9111 §5.2.2.4, §5.2.2.5, §5.2.2.7: this cache is shared by all end-users.
    no_cache: ['no-store', 'no-cache', 'private'].some((name) => directives.has(name)) || undefined,
  }
  return Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined))
}
