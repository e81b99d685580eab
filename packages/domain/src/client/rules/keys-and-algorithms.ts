import { fault } from '../../codec/fault.js'
import type { MetadataRule } from './rule.js'

// RFC 7591 §2: jwks_uri and jwks must not both be present
export const jwksExclusive: MetadataRule = {
  members: ['jwks', 'jwks_uri'],
  faultsOf: ({ jwks, jwks_uri }) =>
    jwks !== undefined && jwks_uri !== undefined ? [fault('jwks-exclusive')('jwks_uri')] : [],
}

// OpenID Registration §2: none must not be used unless no ID token comes from the authorization endpoint
export const unsignedIdToken: MetadataRule = {
  members: ['id_token_signed_response_alg', 'response_types'],
  faultsOf: ({ id_token_signed_response_alg, response_types }) =>
    id_token_signed_response_alg === 'none' && response_types.some((responseType) => responseType !== 'code')
      ? [fault('id-token-unsigned')('id_token_signed_response_alg')]
      : [],
}

// OpenID Core §10.1: the key of a symmetric signature is the client_secret, which a public client has not
export const symmetricSignature: MetadataRule = {
  members: ['id_token_signed_response_alg', 'token_endpoint_auth_method'],
  faultsOf: ({ id_token_signed_response_alg, token_endpoint_auth_method }) =>
    id_token_signed_response_alg.startsWith('HS') && token_endpoint_auth_method === 'none'
      ? [fault('secret-algorithm')('id_token_signed_response_alg')]
      : [],
}
