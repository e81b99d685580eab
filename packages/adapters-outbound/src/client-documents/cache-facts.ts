// RFC 9111 §4.2, §5: what a response says about caching. The domain concludes how long a document is fresh.
import type { EpochSeconds } from '@clientele/domain/kernel'
import type { CacheFacts } from '@clientele/domain/provider'
import { httpDate } from '../http-date.js'
import { type Directives, cacheDirectives } from './cache-control.js'

/** The value of a header field, or all of its values as one list; '' if there is none. */
export type Field = (name: 'age' | 'cache-control' | 'date' | 'expires') => string

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

type Parts = { readonly [Name in keyof CacheFacts]: CacheFacts[Name] | undefined }

const given = (parts: Parts): CacheFacts =>
  Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== undefined))

/** `at` is the time of the request, in seconds. */
export const cacheFacts = (field: Field, at: EpochSeconds): CacheFacts => {
  const directives = cacheDirectives(field('cache-control'))
  const expires = field('expires').trim()
  return given({
    max_age: lifetimeIn(directives, 'max-age'),
    s_maxage: lifetimeIn(directives, 's-maxage'),
    expires_in: expires === '' ? undefined : expiresIn(expires, field('date').trim(), at),
    age: ageIn(field('age')),
    // RFC 9111 §5.2.2.4, §5.2.2.5, §5.2.2.7: this cache is shared by all end-users.
    no_cache: ['no-store', 'no-cache', 'private'].some((name) => directives.has(name)) || undefined,
  })
}
