import { fault } from '../../codec/fault.js'
import { isSymmetricSignature } from '../algorithms.js'
import { certificateMembers } from '../members.js'
import type { MetadataRule } from './rule.js'

// OpenID Core §9: client_secret_jwt takes an HMAC, private_key_jwt a signature; the other methods sign nothing
const isSigningMethod = (method: string, algorithm: string): boolean =>
  method === (isSymmetricSignature(algorithm) ? 'client_secret_jwt' : 'private_key_jwt')

export const assertionAlgorithm: MetadataRule = {
  members: ['token_endpoint_auth_signing_alg', 'token_endpoint_auth_method'],
  faultsOf: ({ token_endpoint_auth_signing_alg: algorithm, token_endpoint_auth_method: method }) =>
    algorithm === undefined || isSigningMethod(method, algorithm)
      ? []
      : [fault('auth-signing-algorithm')('token_endpoint_auth_signing_alg')],
}

const confidentialGrants = ['client_credentials', 'urn:openid:params:grant-type:ciba']

// RFC 6749 §4.4, CIBA §7.1: a client that uses these grants must authenticate
export const confidentialGrant: MetadataRule = {
  members: ['grant_types', 'token_endpoint_auth_method'],
  faultsOf: ({ grant_types, token_endpoint_auth_method }) =>
    token_endpoint_auth_method === 'none' && grant_types.some((grant) => confidentialGrants.includes(grant))
      ? [fault('confidential-grant')('token_endpoint_auth_method')]
      : [],
}

// RFC 8705 §2.1.2: exactly one of them identifies the certificate
export const certificateSubject: MetadataRule = {
  members: ['token_endpoint_auth_method', ...certificateMembers],
  faultsOf: (metadata) => {
    const present = certificateMembers.filter((member) => metadata[member] !== undefined)
    if (metadata.token_endpoint_auth_method !== 'tls_client_auth')
      return present.map((member) => fault('tls-client-auth-unused')(member))
    return present.length === 1 ? [] : [fault('tls-client-auth')('token_endpoint_auth_method')]
  },
}
