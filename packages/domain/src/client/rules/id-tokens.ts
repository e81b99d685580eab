import { fault } from '../../codec/fault.js'
import type { MetadataRule } from './rule.js'

// OpenID Registration §2: none must not be used unless no ID token comes from the authorization endpoint
export const unsignedIdToken: MetadataRule = {
  members: ['id_token_signed_response_alg', 'response_types'],
  faultsOf: ({ id_token_signed_response_alg, response_types }) =>
    id_token_signed_response_alg === 'none' &&
    response_types.some((responseType) => responseType.split(' ').includes('id_token'))
      ? [fault('id-token-unsigned')('id_token_signed_response_alg')]
      : [],
}
