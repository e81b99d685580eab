// URIs as texts, and the redirection URIs of clients.
import * as O from 'fp-ts/lib/Option.js'
import { valueThat } from '../kernel/faults.js'
import { type JsonObject, isJsonObject, maxDepth } from '../kernel/json-object.js'
import type { MetadataRuleId } from '../kernel/rule-texts.js'
import { type ValueType, isIpAddress } from '../kernel/values.js'
import { isStorable } from './keys.js'

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

const resourceIdentifier =
  /^(?:https:\/\/[^\s#/?@]+|http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?)(?:[/?][^\s#]*)?$/i

/** RFC 8707 §2; http on loopback for development, no user info. */
export const isResourceIdentifier = (text: string): boolean =>
  text.length <= maxUriLength && resourceIdentifier.test(text)

// RFC 4193 §3.1: fc00::/7; an address of a URI stands in brackets (RFC 3986 §3.2.2)
export const isUniqueLocal = (host: string): boolean => {
  const [, address = ''] = /^\[(f[cd][0-9a-f]{2}:.*)\]$/.exec(host) ?? []
  return isIpAddress(address)
}

// RFC 1918 §3: 10/8, 172.16/12 and 192.168/16
const privateQuad = /^(?:10|172\.(?:1[6-9]|2[0-9]|3[01])|192\.168)\./
// RFC 6762 §3, and the name that ICANN keeps for private use
const privateName = /\.(?:local|internal)$/

/** Whether the host, in lower case, is one of a private network: no party owns it, and another network may have another one. */
export const isOnPrivateNetwork = (host: string): boolean =>
  privateName.test(host) || (dottedQuad.test(host) && privateQuad.test(host)) || isUniqueLocal(host)

export const isWebScheme = (scheme: string): boolean => scheme === 'https' || scheme === 'http'

type IsHost = (parts: UriParts) => boolean

const authorityFault = (parts: UriParts, isHost: IsHost): MetadataRuleId | undefined => {
  const { scheme, authority, port } = parts
  if (authority === undefined) return isWebScheme(scheme) ? 'uri-host' : undefined
  if (authority.includes('@')) return 'uri-user-info'
  return isWebScheme(scheme) && !(isHost(parts) && Number(port) <= 65_535) ? 'uri-host' : undefined
}

const faultWhere =
  (isHost: IsHost, takesFragment = false) =>
  (text: string): MetadataRuleId | undefined => {
    // RFC 3986 §3.5: a fragment contains no #
    if (text.length > maxUriLength || !uriPattern.test(text) || (takesFragment && /#.*#/.test(text))) return 'uri'
    // RFC 6749 §3.1.2: a redirection URI has no fragment, not even an empty one
    if (text.includes('#') && !takesFragment) return 'uri-fragment'
    const parts = uriParts(text)
    return authorityFault(parts, isHost) ?? (dotSegment.test(parts.path) ? 'uri-dot-segment' : undefined)
  }

const hasPlainHost: IsHost = ({ host }) => isPlainHost(host)

/** The rule that the raw string violates, of those for all URIs. */
export const uriFault = faultWhere(hasPlainHost)

const shownUriFault = faultWhere(hasPlainHost, true)

const hasWildcard = ({ authority = '', path }: UriParts): boolean => `${authority}${path}`.includes('*')

// Whether http may lead to an IPv6 address of a private network is a matter of policy, and judged with the client.
const addressedFault = faultWhere(({ scheme, host }) => isPlainHost(host) || (scheme === 'http' && isUniqueLocal(host)))

/** The same for a redirection URI: where a pattern is no host, the remedy is that for patterns (RFC 9700 §2.1). */
export const redirectionUriFault = (text: string): MetadataRuleId | undefined => {
  const rule = addressedFault(text)
  return rule === 'uri-host' && hasWildcard(uriParts(text)) ? 'redirect-uri-wildcard' : rule
}

export const webUriFault = (text: string): MetadataRuleId | undefined =>
  uriFault(text) ?? (webScheme.test(text) ? undefined : 'web-uri')

/** The same for a page that people open, which a single-page application names in the fragment. */
export const pageUriFault = (text: string): MetadataRuleId | undefined =>
  shownUriFault(text) ?? (webScheme.test(text) ? undefined : 'web-uri')

/** Scheme, host and port as RFC 6454 §4 compares them. */
export const originOf = (uri: string): string => {
  const { scheme, authority = '' } = uriParts(uri)
  return `${scheme}://${authority.toLowerCase().replace(scheme === 'https' ? /:443$/ : /:80$/, '')}`
}

export const httpsUriFault = (text: string): MetadataRuleId | undefined =>
  uriFault(text) ?? (httpsScheme.test(text) ? undefined : 'https-uri')

// 443, or a port outside of those reserved for system services (RFC 6335 §6): others would not speak https.
const isFetchedPort = (port: string): boolean => port === '' || port === '443' || Number(port) >= 1024

/** The rule that the URI violates as one that this service fetches. */
export const fetchedUriFault = (text: string): MetadataRuleId | undefined =>
  httpsUriFault(text) ?? (isFetchedPort(uriParts(text).port) ? undefined : 'fetched-port')

/** The same, or an http URI on loopback, which only a service takes that is on loopback itself. */
export const notifiedUriFault = (text: string): MetadataRuleId | undefined => {
  const fault = fetchedUriFault(text)
  const { scheme, host, port } = uriParts(text)
  if (fault !== 'https-uri' || scheme !== 'http' || !isLoopback(host)) return fault
  return isFetchedPort(port) ? undefined : 'fetched-port'
}

// OpenID Core §6.2: a request_uri may have the SHA-256 of its document as fragment
export const requestUriFault = (text: string): MetadataRuleId | undefined => {
  const fault = fetchedUriFault(text.replace(/#[\w-]{43}$/, ''))
  return fault === undefined || fault === 'fetched-port' ? fault : 'request-uri'
}

const withoutFragment = (uri: string): string => uri.replace(/#[^]*$/, '')

/** OpenID Core §6.2: the fragment is of the document at a time, so that it does not count. */
export const isRegisteredRequestUri = (
  { request_uris = [] }: { readonly request_uris?: ReadonlyArray<string> },
  requested: string,
): boolean => request_uris.some((each) => withoutFragment(each) === withoutFragment(requested))

// RFC 8252 §7.1, §8.4: the schemes other than https and http that a redirection URI may have, compared in lower case.

/** Schemes that are always refused, by name or by prefix. */
type RefusedSchemes = {
  /** What the scheme does; the text follows "because it". */
  readonly reason: string
  readonly schemes: ReadonlyArray<string>
  readonly prefixes: ReadonlyArray<string>
}

const words = (text: string): ReadonlyArray<string> => text.split(' ').filter((word) => word !== '')

const refused = (reason: string, schemes: string, prefixes = ''): RefusedSchemes => ({
  reason,
  schemes: words(schemes),
  prefixes: words(prefixes),
})

export const refusedSchemes: ReadonlyArray<RefusedSchemes> = [
  refused(
    'runs as a script, or shows what the URI itself holds',
    'javascript vbscript livescript mocha wysiwyg data blob filesystem mhtml jar cid mid',
  ),
  refused(
    'opens a page of the browser itself, or a web page that follows it',
    'about view-source resource devtools extension edge brave vivaldi ie.http',
    'chrome googlechrome firefox moz- opera safari- x-safari- microsoft-edge',
  ),
  refused(
    'names a file of the machine or of its network',
    'file content disk disks res mk shell search search-ms afp smb cifs nfs dav davs',
  ),
  refused(
    'is a protocol of its own',
    'ftp ftps sftp ws wss ssh telnet rlogin tn3270 gopher ldap ldaps imap pop nntp news snews git svn rtsp rtmp vnc rdp coap mqtt',
  ),
  // https://html.spec.whatwg.org/#custom-handlers lists them; Firefox gives extensions those that begin with ext+
  refused(
    'can be claimed by any web site or extension in the browser',
    'bitcoin geo im irc ircs magnet mailto matrix mms openpgp4fpr sip sms smsto tel urn webcal wtai xmpp',
    'web+ ext+',
  ),
  refused(
    'makes the operating system call, write, install, configure or search',
    'intent android-app market telprompt callto sips mmsto facetime facetime-audio prefs app-prefs app-settings shortcuts workflow applescript x-man-page help hcp jnlp jnlps vnd.ms.radio windowsdefender',
    'ms- itms x-apple',
  ),
  refused('passes for a web address, or for a host with a port', 'localhost shttp', 'http www.'),
  refused('names a thing and leads nowhere', 'tag oid uuid info ni'),
]

const names = new Set(refusedSchemes.flatMap(({ schemes }) => schemes))
const prefixes = refusedSchemes.flatMap((each) => each.prefixes)

/** Whether every redirection URI with the scheme, in lower case, is refused. */
export const isRefusedScheme = (scheme: string): boolean =>
  !isWebScheme(scheme) && (names.has(scheme) || prefixes.some((prefix) => scheme.startsWith(prefix)))

/** The schemes without a period that are accepted by default: those of well-known editors. */
export const knownPrivateUseSchemes = ['cursor', 'vscode', 'vscode-insiders', 'windsurf'] as const

/** The accepted private-use schemes without a period. */
export type PrivateUseSchemes = ReadonlySet<string> | 'any'

// RFC 8252 §7.1: a scheme with a period is a reversed domain name, which belongs to the author of the application
const isPrivateUse = (allowed: PrivateUseSchemes, scheme: string): boolean =>
  scheme.includes('.') || allowed === 'any' || allowed.has(scheme)

/** Whether the text is a scheme, in lower case, that a native application may claim. */
export const isPrivateUseName = (text: string): boolean =>
  /^[a-z][a-z0-9+.-]*$/.test(text) && !isWebScheme(text) && !isRefusedScheme(text)

const is = (input: unknown): input is JsonObject => isJsonObject(maxDepth)(input) && isStorable(JSON.stringify(input))

/** The member data: any JSON object, stored unchanged. */
export const dataType: ValueType<JsonObject> = {
  codec: valueThat('data', is),
  schema: { type: 'object' },
  values: [],
}

export type ApplicationType = 'web' | 'native'

const isHttps = ({ scheme }: UriParts): boolean => scheme === 'https'
const isLoopbackHttp = ({ scheme, host }: UriParts): boolean => scheme === 'http' && isLoopback(host)
export const isPrivateHttp = ({ scheme, host }: UriParts): boolean => scheme === 'http' && isOnPrivateNetwork(host)

// OpenID Registration §2: web clients with the implicit grant use https and a host other than localhost
const webFault = (parts: UriParts, implicit: boolean): MetadataRuleId | undefined => {
  if (implicit) return isHttps(parts) && !isLoopback(parts.host) ? undefined : 'redirect-uri-implicit'
  return isHttps(parts) || isLoopbackHttp(parts) ? undefined : 'redirect-uri-web'
}

// OpenID Registration §2: native clients use custom schemes or loopback http; RFC 8252 §7.2 adds claimed https
const nativeFault = (parts: UriParts, { schemes, implicit, privateHttp }: RedirectUse): MetadataRuleId | undefined => {
  // RFC 8252 §7.1 writes private-use schemes with one slash; applications use one or two, and the system follows the
  // scheme
  if (!isWebScheme(parts.scheme)) return isPrivateUse(schemes, parts.scheme) ? undefined : 'redirect-uri-private-use'
  // OpenID Registration §2, RFC 9700 §2.6: none of the standards, so that the operator alone takes it. A response in
  // clear text has a code, which is of no use to others, and no token.
  if (isPrivateHttp(parts)) return privateHttp && !implicit ? undefined : 'redirect-uri-private-network'
  return isLoopbackHttp(parts) || (isHttps(parts) && !isLoopback(parts.host)) ? undefined : 'redirect-uri-native'
}

// RFC 6749 §4.1.2 and §4.1.2.1, JARM §2.3: the URI must not contain parameters that the response adds
export const answerOfAuthorization: ReadonlySet<string> = new Set(['code', 'state', 'response', 'error'])
// OpenID RP-Initiated Logout §3, UMA Grant §3.3.3
export const answerWithState: ReadonlySet<string> = new Set(['state'])

// The decoded octets of a name: %63ode is code
const octetsOf = (text: string): string =>
  text.includes('%')
    ? text.replace(/%([0-9A-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)))
    : text

const hasParameter = (query: string, names: ReadonlySet<string>): boolean =>
  query !== '' &&
  query
    .replace(/=[^&]*/g, '')
    .split('&')
    .some((name) => names.has(octetsOf(name)))

/** The use of a redirection URI. */
type RedirectUse = {
  readonly applicationType: ApplicationType
  /** Whether the implicit grant delivers tokens to it. */
  readonly implicit: boolean
  /** The parameters that the response adds. */
  readonly answer: ReadonlySet<string>
  readonly schemes: PrivateUseSchemes
  /** Whether a native client may have http on hosts of private networks. */
  readonly privateHttp: boolean
}

/** The rule that a well-formed URI violates as a redirection URI of this use. */
export const redirectUriFault =
  (use: RedirectUse) =>
  (uri: string): MetadataRuleId | undefined => {
    const parts = uriParts(uri)
    if (isRefusedScheme(parts.scheme)) return 'uri-scheme'
    if (hasWildcard(parts)) return 'redirect-uri-wildcard'
    if (hasParameter(parts.query, use.answer)) return 'redirect-uri-query'
    if (use.applicationType === 'native') return nativeFault(parts, use)
    return isUniqueLocal(parts.host) ? 'uri-host' : webFault(parts, use.implicit)
  }

// The redirection URI of an authorization request against the registered ones: RFC 6749 §3.1.2.3, RFC 9700 §2.1.

/** The registered facts on which the match depends: those of the effective metadata. */
export type RegisteredRedirects = {
  readonly application_type: ApplicationType
  readonly redirect_uris?: ReadonlyArray<string>
}

// http on a loopback host, its port apart; the host in any case, the port as RFC 3986 §3.2.3 writes a number
const loopbackUri = /^(http:\/\/(?:localhost|127\.0\.0\.1|\[::1\]))(?::([1-9][0-9]{0,4}))?([/?].*)?$/i

// The URI without its port; undefined for a URI that is not http on a loopback host.
const withoutPort = (uri: string): string | undefined => {
  const [, origin, port = '1', rest = ''] = loopbackUri.exec(uri) ?? []
  return origin === undefined || Number(port) > 65_535 ? undefined : `${origin}${rest}`
}

const registeredOn = (uris: ReadonlyArray<string>, requested: string): O.Option<string> => {
  const plain = withoutPort(requested)
  return plain === undefined ? O.none : O.fromNullable(uris.find((uri) => withoutPort(uri) === plain))
}

/**
 * The registered redirection URI that an authorization request asks for, given its `redirect_uri`: none where no
 * registered one matches. URIs are compared byte for byte. Of native clients, `http` URIs on `127.0.0.1`, `[::1]` and
 * `localhost` match on any port, with or without one; the three hosts are not the same. The response goes to the URI
 * that was requested for, never to the registered one.
 *
 * @example
 * const registered = { application_type: 'native', redirect_uris: ['http://127.0.0.1/callback'] } as const
 * matchRedirectUri(registered, 'http://127.0.0.1:51004/callback') // O.some('http://127.0.0.1/callback')
 */
export const matchRedirectUri = (
  { application_type, redirect_uris = [] }: RegisteredRedirects,
  requested: unknown,
): O.Option<string> => {
  if (typeof requested !== 'string' || requested.length > maxUriLength) return O.none
  if (redirect_uris.includes(requested)) return O.some(requested)
  // RFC 8252 §7.3, RFC 9700 §2.1: an application on a device gets its port when the request is made
  return application_type === 'native' ? registeredOn(redirect_uris, requested) : O.none
}
