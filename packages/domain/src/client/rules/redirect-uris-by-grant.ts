import { fault } from '../../codec/fault.js'
import { usesRedirects } from '../client-metadata.js'
import type { MetadataRule } from './rule.js'

// RFC 7591 §2: clients of redirect-based flows must register redirection URIs; response type none redirects, too
export const redirectUrisRequired: MetadataRule = {
  members: ['redirect_uris', 'grant_types'],
  faultsOf: ({ redirect_uris = [], grant_types, response_types }) =>
    redirect_uris.length === 0 && (usesRedirects(grant_types) || response_types.includes('none'))
      ? [fault('redirect-uris-required')('redirect_uris')]
      : [],
}

// RFC 6749 §4.3, §4.4, §6, RFC 7523, RFC 7522, RFC 8628, RFC 8693, CIBA: none of them redirects
const grantsWithoutRedirect: ReadonlySet<string> = new Set([
  'refresh_token',
  'password',
  'client_credentials',
  'urn:ietf:params:oauth:grant-type:jwt-bearer',
  'urn:ietf:params:oauth:grant-type:saml2-bearer',
  'urn:ietf:params:oauth:grant-type:device_code',
  'urn:ietf:params:oauth:grant-type:token-exchange',
  'urn:openid:params:grant-type:ciba',
])

// An unknown grant type may redirect; a client without grant types does not.
const neverRedirects = (grantTypes: ReadonlyArray<string>): boolean =>
  grantTypes.every((grantType) => grantsWithoutRedirect.has(grantType))

export const redirectUrisUnused: MetadataRule = {
  members: ['redirect_uris', 'grant_types', 'response_types'],
  faultsOf: ({ redirect_uris = [], grant_types, response_types }) =>
    redirect_uris.length > 0 && !response_types.includes('none') && neverRedirects(grant_types)
      ? [fault('redirect-uris-unused')('redirect_uris')]
      : [],
}
