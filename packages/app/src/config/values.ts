// What a setting is, and the kinds of values that settings have.
import { nearestName } from '@clientele/domain/kernel'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import ipaddr from 'ipaddr.js'
import { isIP, isIPv4 } from 'node:net'

/** Parses a text; a refusal is the violated rule, as the end of the sentence "SETTING must be …". */
export type Parse<A> = (text: string) => E.Either<string, A>

export type Setting<A> = {
  /** The effect, in one line. */
  readonly description: string
  /** The accepted values. */
  readonly values: string
  readonly fallback: A
  /** The default in words, where the value is not clear by itself. */
  readonly fallbackText?: string
  readonly parse: Parse<A>
  /** The text of the value, where it is not the value itself; of a secret, the part that is not secret. */
  shown?(value: A): string
  /** Shown only as `shown` says, and may be given as SETTING-file as well. */
  readonly secret?: true
  /** May be a JSON object in the file of --config, beside a text with it. */
  readonly json?: true
  /** Further forms of the same value, by the suffix of their names. */
  readonly forms?: Readonly<Record<string, Parse<A>>>
}

/** The suffixes of the forms of a setting; the -file form names a file with the text of the plain form. */
export const suffixesOf = (setting: Setting<unknown>): ReadonlyArray<string> => [
  '',
  ...(setting.secret ? ['-file'] : []),
  ...Object.keys(setting.forms ?? {}),
]

export const environmentName = (name: string): string => `CLIENTELE_${name.toUpperCase().replaceAll('-', '_')}`

/** The suggestion, or the text that lists the known names. */
export const didYouMean = (word: string, known: ReadonlyArray<string>, otherwise: string): string => {
  const name = nearestName(word.slice(0, 80), known)
  return name === undefined ? otherwise : `did you mean ${name}?`
}

/** The values of a section, by the names of its settings. */
export type Values<Section> = { readonly [Name in keyof Section]: Section[Name] extends Setting<infer A> ? A : never }

/** A text as it is, if it is so. */
export const matching =
  (rule: string, holds: (text: string) => boolean): Parse<string> =>
  (text) =>
    holds(text) ? E.right(text) : E.left(rule)

export const integer =
  (minimum: number, maximum: number): Parse<number> =>
  (text) =>
    /^\d{1,12}$/.test(text) && Number(text) >= minimum && Number(text) <= maximum
      ? E.right(Number(text))
      : E.left(`a whole number from ${minimum} to ${maximum}`)

export const boolean: Parse<boolean> = (text) =>
  text === 'true' || text === 'false' ? E.right(text === 'true') : E.left('true or false')

export const oneOf =
  <A extends string | number>(...values: ReadonlyArray<A>): Parse<A> =>
  (text) =>
    pipe(
      values.find((value) => String(value) === text),
      E.fromNullable(`one of ${values.join(', ')}`),
    )

export const list =
  <A>(separator: RegExp, parse: Parse<A>): Parse<ReadonlyArray<A>> =>
  (text) =>
    pipe(
      text.split(separator).filter((item) => item !== ''),
      E.traverseArray(parse),
    )

export const distinct =
  <A>(parse: Parse<ReadonlyArray<A>>): Parse<ReadonlyArray<A>> =>
  (text) =>
    pipe(
      parse(text),
      E.filterOrElse(
        (values) => values.length > 0 && new Set(values).size === values.length,
        () => 'a list of at least one value, each only once',
      ),
    )

// A list in the file of --config has a value in each line.
export const commas = /[\s,]+/
export const spaces = /[ \n]+/
export const semicolons = /\s*[;\n]\s*/

export const nonEmptyText = matching('a text without spaces and control characters', (text) =>
  /^[\x21-\x7e]{1,255}$/.test(text),
)

export const file = matching('the path of a file', (text) => text !== '' && !/[\0\n]|[/\\]$/.test(text))

export const path = matching('the path of a directory', (text) => text !== '' && !text.includes('\0'))

export const host = matching(
  'a host name or an IP address',
  (text) => isIP(text) !== 0 || /^[A-Za-z0-9]([A-Za-z0-9.-]{0,251}[A-Za-z0-9])?$/.test(text),
)

// RFC 6749 §3.3: scope-token
export const scopeToken = matching('scope values separated by spaces, without quotation marks or backslashes', (text) =>
  /^[\x21\x23-\x5B\x5D-\x7E]+$/.test(text),
)

const isOrigin = (text: string): boolean =>
  URL.canParse(text) && /^https?:$/.test(new URL(text).protocol) && new URL(text).origin === text

// RFC 6454 §6.2: scheme, host and port as browsers send them
export const originOrAny = matching(
  'origins separated by commas, such as https://app.example.com, in lower case and without a path, or *',
  (text) => text === '*' || (isOrigin(text) && !text.includes('*')),
)

// ipaddr.js reads 10/8 as 0.0.0.10/8, 010.0.0.0 as 8.0.0.0, and ::8.8.8.8 as ::ffff:8.8.8.8. An address that is mapped into IPv6 is compared as IPv4, so
// that no address is in a mapped network.
export const addressRange = matching(
  'CIDRs or addresses separated by commas: IPv4 with four numbers without leading zeros, such as 172.16.0.0/12, also in place of ::ffff:172.16.0.0/108',
  (text) => {
    const [address = '', bits] = text.split('/')
    if (isIP(address) === 0 || /^::\d+\./.test(address)) return false
    const isMapped = ipaddr.parse(address).kind() !== ipaddr.process(address).kind()
    return bits === undefined || (ipaddr.isValidCIDR(text) && !isMapped)
  },
)

export const clientId = matching('a list of client_id', (text) => /^[\x21-\x7e]+$/.test(text))

export const isLoopback = (host: string): boolean =>
  host === 'localhost' ||
  host.endsWith('.localhost') ||
  host === '[::1]' ||
  host === '::1' ||
  (isIPv4(host) && host.startsWith('127.'))

/** Whether only browsers on the same machine reach the URL; the base URL that is not set is such a one. */
export const isLoopbackUrl = (url: string | undefined): boolean =>
  url === undefined || isLoopback(new URL(url).hostname)

// RFC 3986 §2.3: the path is the same in URLs and in the router
const plainUrlPath = /^\/(?:[\w.~-]+(?:\/[\w.~-]+)*)?$/

const brokenRule = (text: string): string | undefined => {
  const url = new URL(text)
  if (!/^https?:$/.test(url.protocol)) return 'an http or https URL'
  if (url.username !== '' || url.password !== '' || /[?#]/.test(text)) return 'a URL without user, query and fragment'
  if (text.endsWith('/')) return 'a URL without a slash at its end'
  if (text !== url.href.replace(/\/$/, ''))
    return 'a URL in its normal form: lower-case scheme and host, no default port, no dot segments'
  if (!plainUrlPath.test(url.pathname)) return 'a URL with a path of letters, digits, - . _ and ~'
  return url.protocol === 'http:' && !isLoopback(url.hostname)
    ? 'an https URL, because its host is not loopback'
    : undefined
}

// OpenID Connect Discovery §3: the issuer is an https URL without query and fragment. On loopback, http is accepted.
export const baseUrl: Parse<string> = (text) => {
  if (!URL.canParse(text)) return E.left('an absolute URL, such as https://id.example.com')
  const rule = brokenRule(text)
  return rule === undefined ? E.right(text) : E.left(rule)
}

export const pathOf = (url: string): string => new URL(url).pathname.replace(/\/$/, '')

/** Seconds. */
export const day = 86_400
export const tenYears = 3650 * day

/** Any setting; the other kinds are those that occur more than once. */
export const setting = <A>(description: string, parts: Omit<Setting<A>, 'description'>): Setting<A> => ({
  description,
  ...parts,
})

/** A setting that need not have a value. */
export const optional = <A>(
  description: string,
  parts: Omit<Setting<A>, 'description' | 'fallback'>,
): Setting<A | undefined> => ({ description, fallbackText: 'none', ...parts, fallback: undefined })

export const range = (
  description: string,
  { from, to, fallback }: { readonly from: number; readonly to: number; readonly fallback: number },
): Setting<number> => ({ description, values: `${from} to ${to}`, fallback, parse: integer(from, to) })

export const flag = (description: string, fallback: boolean): Setting<boolean> => ({
  description,
  values: 'true or false',
  fallback,
  parse: boolean,
})

export const several = (
  description: string,
  values: string,
  parse: Parse<ReadonlyArray<string>>,
): Setting<ReadonlyArray<string>> => ({ description, values, fallback: [], fallbackText: 'none', parse })

export const choice = <const A extends string | number>(
  description: string,
  values: ReadonlyArray<A>,
  fallback: A,
  separator = ', ',
): Setting<A> => ({ description, values: values.join(separator), fallback, parse: oneOf(...values) })
