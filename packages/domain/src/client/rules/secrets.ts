import { fault } from '../../codec/fault.js'
import { neededSecretLength, usesSecret } from '../algorithms.js'
import { membersOfAlgorithms } from '../client-metadata.js'
import type { MetadataRule } from './rule.js'

// OpenID Core §10.1, §10.2: the key is the client_secret or derived from it, and a public client has none
export const secretAlgorithm: MetadataRule = {
  members: ['token_endpoint_auth_method'],
  faultsOf: (metadata) =>
    metadata.token_endpoint_auth_method === 'none'
      ? membersOfAlgorithms(metadata, usesSecret).map((member) => fault('secret-algorithm')(member))
      : [],
}

// RFC 7518 §3.2: the key must be at least as long as the hash
export const secretLength: MetadataRule = {
  members: ['token_endpoint_auth_method'],
  faultsOf: (metadata, context) =>
    metadata.token_endpoint_auth_method === 'none'
      ? []
      : membersOfAlgorithms(metadata, (algorithm) => neededSecretLength(algorithm) > context.secretLength).map(
          (member) => fault('secret-length')(member),
        ),
}
