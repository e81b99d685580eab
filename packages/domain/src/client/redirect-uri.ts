import type { RuleId } from '../codec/rule-texts.js'
import type { UriParts } from './uri.js'
import { isLoopback, uriParts } from './uri.js'

export type ApplicationType = 'web' | 'native'

const isHttps = ({ scheme }: UriParts): boolean => scheme === 'https'
const isLoopbackHttp = ({ scheme, host }: UriParts): boolean => scheme === 'http' && isLoopback(host)

// RFC 8252 §7.1: private-use schemes are reverse domain names, so that none is javascript, data, file or the like
const isPrivateUse = ({ scheme, authority }: UriParts): boolean => scheme.includes('.') && (authority ?? '') === ''

// OpenID Registration §2: web clients with the implicit grant use https and no localhost
const webFault = (parts: UriParts, implicit: boolean): RuleId | undefined => {
  if (implicit) return isHttps(parts) && !isLoopback(parts.host) ? undefined : 'redirect-uri-implicit'
  return isHttps(parts) || isLoopbackHttp(parts) ? undefined : 'redirect-uri-web'
}

// OpenID Registration §2: native clients use custom schemes or loopback http; RFC 8252 §7.2 adds claimed https
const nativeFault = (parts: UriParts): RuleId | undefined =>
  isLoopbackHttp(parts) || (isHttps(parts) && !isLoopback(parts.host)) || isPrivateUse(parts)
    ? undefined
    : 'redirect-uri-native'

// RFC 6749 §4.1.2 and §4.1.2.1, JARM §2.3: what an answer adds must not stand there already
const answerParameter = /(?:^|&)(?:code|state|response|error)(?:[=&]|$)/

/** Why a well-formed URI is no redirection URI for this kind of client. */
export const redirectUriFault =
  (applicationType: ApplicationType, implicit: boolean) =>
  (uri: string): RuleId | undefined => {
    const parts = uriParts(uri)
    if (`${parts.authority ?? ''}${parts.path}`.includes('*')) return 'redirect-uri-wildcard'
    if (answerParameter.test(parts.query)) return 'redirect-uri-query'
    return applicationType === 'web' ? webFault(parts, implicit) : nativeFault(parts)
  }
