import { fault } from '../../codec/fault.js'
import type { MetadataRule } from './rule.js'

// RFC 9101 §10.5: require_signed_request_object excludes none
export const signedRequests: MetadataRule = {
  members: ['require_signed_request_object', 'request_object_signing_alg'],
  faultsOf: ({ require_signed_request_object, request_object_signing_alg }) =>
    require_signed_request_object === true && request_object_signing_alg === 'none'
      ? [fault('signed-request-required')('request_object_signing_alg')]
      : [],
}
