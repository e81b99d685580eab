import { fault } from '../../codec/fault.js'
import { usesKeyPair } from '../algorithms.js'
import { type ClientMetadata, membersOfAlgorithms } from '../client-metadata.js'
import { keyCount } from '../json-web-key-set.js'
import { members } from '../members.js'
import type { MetadataRule } from './rule.js'

// RFC 7591 §2: jwks_uri and jwks must not both be present
export const jwksExclusive: MetadataRule = {
  members: ['jwks', 'jwks_uri'],
  faultsOf: ({ jwks, jwks_uri }) =>
    jwks !== undefined && jwks_uri !== undefined ? [fault('jwks-exclusive')('jwks_uri')] : [],
}

const keyMethods: ReadonlySet<string> = new Set(['private_key_jwt', 'self_signed_tls_client_auth'])

const hasKeys = ({ jwks, jwks_uri, signed_jwks_uri }: ClientMetadata): boolean =>
  keyCount(jwks) > 0 || jwks_uri !== undefined || signed_jwks_uri !== undefined

const membersThatNeedKeys = (metadata: ClientMetadata): ReadonlyArray<string> => [
  ...(keyMethods.has(metadata.token_endpoint_auth_method) ? ['token_endpoint_auth_method'] : []),
  ...membersOfAlgorithms(metadata, usesKeyPair).filter((member) => members[member].keyOf === 'client'),
]

export const keysRequired: MetadataRule = {
  members: ['jwks', 'jwks_uri', 'signed_jwks_uri'],
  faultsOf: (metadata) =>
    hasKeys(metadata) ? [] : membersThatNeedKeys(metadata).map((member) => fault('keys-required')(member)),
}
