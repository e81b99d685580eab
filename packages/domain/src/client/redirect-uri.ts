import type { RuleId } from '../codec/rule-texts.js'
import { type PrivateUseSchemes, isPrivateUse, isRefusedScheme } from './private-use-scheme.js'
import { type UriParts, hasWildcard, isLoopback, isWebScheme, uriParts } from './uri.js'

export type ApplicationType = 'web' | 'native'

const isHttps = ({ scheme }: UriParts): boolean => scheme === 'https'
const isLoopbackHttp = ({ scheme, host }: UriParts): boolean => scheme === 'http' && isLoopback(host)

// OpenID Registration §2: web clients with the implicit grant use https and a host other than localhost
const webFault = (parts: UriParts, implicit: boolean): RuleId | undefined => {
  if (implicit) return isHttps(parts) && !isLoopback(parts.host) ? undefined : 'redirect-uri-implicit'
  return isHttps(parts) || isLoopbackHttp(parts) ? undefined : 'redirect-uri-web'
}

// OpenID Registration §2: native clients use custom schemes or loopback http; RFC 8252 §7.2 adds claimed https
const nativeFault = (parts: UriParts, schemes: PrivateUseSchemes): RuleId | undefined => {
  // RFC 8252 §7.1 writes private-use schemes with one slash; applications use one or two, and the system follows the
  // scheme
  if (!isWebScheme(parts.scheme)) return isPrivateUse(schemes, parts.scheme) ? undefined : 'redirect-uri-private-use'
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
export type RedirectUse = {
  readonly applicationType: ApplicationType
  /** Whether the implicit grant delivers tokens to it. */
  readonly implicit: boolean
  /** The parameters that the response adds. */
  readonly answer: ReadonlySet<string>
  readonly schemes: PrivateUseSchemes
}

/** The rule that a well-formed URI violates as a redirection URI of this use. */
export const redirectUriFault =
  ({ applicationType, implicit, answer, schemes }: RedirectUse) =>
  (uri: string): RuleId | undefined => {
    const parts = uriParts(uri)
    if (isRefusedScheme(parts.scheme)) return 'uri-scheme'
    if (hasWildcard(parts)) return 'redirect-uri-wildcard'
    if (hasParameter(parts.query, answer)) return 'redirect-uri-query'
    return applicationType === 'web' ? webFault(parts, implicit) : nativeFault(parts, schemes)
  }
