import type { RuleId } from '../codec/rule-texts.js'

export const maxUriLength = 2048

// RFC 3986 §2: the characters of a URI. The raw string is checked, because URL parsers repair, lower-case and decode.
const uriPattern =
  /^[A-Za-z][A-Za-z0-9+.-]*:(?:\/\/(?:[\w\-.~:@!$&'()*+,;=[\]]|%[0-9A-Fa-f]{2})*(?:[/?#](?:[\w\-.~:/?#@!$&'()*+,;=]|%[0-9A-Fa-f]{2})*)?|(?:[\w\-.~:/?#@!$&'()*+,;=]|%[0-9A-Fa-f]{2})*)$/
const webScheme = /^https?:/i
const httpsScheme = /^https:/i
const partsPattern = /^([^:]*):(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?/
const hostPattern =
  /^(?:\[::1\]|[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?)*)$/
const authorityPattern = /^([^:]+|\[[^\]]*\])(?::([1-9][0-9]{0,4}))?$/
const numericEnd = /(?:^|\.)(?:[0-9]+|0[xX][0-9A-Fa-f]*)$/
const dottedQuad = /^(?:(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])(?:\.(?!$)|$)){4}$/

// RFC 3986 §6.2.2.3: parsers remove dot segments, also as %2e, so that requests would go to other bytes than the
// registered ones
const dotSegment = /(?:^|\/)(?:\.|%2[Ee]){1,2}(?:\/|$)/

export type UriParts = {
  readonly scheme: string
  readonly authority: string | undefined
  readonly host: string
  readonly port: string
  readonly path: string
  readonly query: string
}

const hostAndPort = (authority: string): Pick<UriParts, 'host' | 'port'> => {
  // Most authorities have no port: without a colon, all is host, and the pattern need not run.
  if (!authority.includes(':')) return { host: authority.toLowerCase(), port: '' }
  const [, host = '', port = ''] = authorityPattern.exec(authority) ?? []
  return { host: host.toLowerCase(), port }
}

export const uriParts = (uri: string): UriParts => {
  const [, scheme = '', authority, path = '', query = ''] = partsPattern.exec(uri) ?? []
  const { host, port } = hostAndPort(authority ?? '')
  return { scheme: scheme.toLowerCase(), authority, host, port, path, query }
}

// WHATWG URL reads 127.1, 2130706433 and 0x7f.1 as 127.0.0.1: a host that ends in a number must be a dotted quad.
const isPlainHost = (host: string): boolean =>
  host.length <= 253 && hostPattern.test(host) && (!numericEnd.test(host) || dottedQuad.test(host))

/** RFC 1123 §2.1: a domain name, not an address. */
export const isHostName = (host: string): boolean => isPlainHost(host) && !/[[\]:]/.test(host) && !dottedQuad.test(host)

export const isLoopback = (host: string): boolean => ['localhost', '127.0.0.1', '[::1]'].includes(host)

export const isWebScheme = (scheme: string): boolean => scheme === 'https' || scheme === 'http'

const authorityFault = ({ scheme, authority, host, port }: UriParts): RuleId | undefined => {
  if (authority === undefined) return isWebScheme(scheme) ? 'uri-host' : undefined
  if (authority.includes('@')) return 'uri-user-info'
  return isWebScheme(scheme) && !(isPlainHost(host) && Number(port) <= 65_535) ? 'uri-host' : undefined
}

/** The rule that the raw string violates, of those for all URIs. */
export const uriFault = (text: string): RuleId | undefined => {
  if (text.length > maxUriLength || !uriPattern.test(text)) return 'uri'
  // RFC 6749 §3.1.2: a redirection URI has no fragment, not even an empty one
  if (text.includes('#')) return 'uri-fragment'
  const parts = uriParts(text)
  return authorityFault(parts) ?? (dotSegment.test(parts.path) ? 'uri-dot-segment' : undefined)
}

export const hasWildcard = ({ authority = '', path }: UriParts): boolean => `${authority}${path}`.includes('*')

/** The same for a redirection URI: where a pattern is no host, the remedy is that for patterns (RFC 9700 §2.1). */
export const redirectionUriFault = (text: string): RuleId | undefined => {
  const rule = uriFault(text)
  return rule === 'uri-host' && hasWildcard(uriParts(text)) ? 'redirect-uri-wildcard' : rule
}

export const webUriFault = (text: string): RuleId | undefined =>
  uriFault(text) ?? (webScheme.test(text) ? undefined : 'web-uri')

/** Scheme, host and port as RFC 6454 §4 compares them. */
export const originOf = (uri: string): string => {
  const { scheme, authority = '' } = uriParts(uri)
  return `${scheme}://${authority.toLowerCase().replace(scheme === 'https' ? /:443$/ : /:80$/, '')}`
}

export const httpsUriFault = (text: string): RuleId | undefined =>
  uriFault(text) ?? (httpsScheme.test(text) ? undefined : 'https-uri')

// 443, or a port outside of those reserved for system services (RFC 6335 §6): others would not speak https.
const isFetchedPort = (port: string): boolean => port === '' || port === '443' || Number(port) >= 1024

/** The rule that the URI violates as one that this service fetches. */
export const fetchedUriFault = (text: string): RuleId | undefined =>
  httpsUriFault(text) ?? (isFetchedPort(uriParts(text).port) ? undefined : 'fetched-port')

// OpenID Core §6.2: a request_uri may have the SHA-256 of its document as fragment
export const requestUriFault = (text: string): RuleId | undefined =>
  httpsUriFault(text.replace(/#[\w-]{43}$/, '')) === undefined ? undefined : 'request-uri'
