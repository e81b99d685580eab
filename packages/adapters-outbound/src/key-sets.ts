import { type SignedBodies, keySetUnavailable } from '@clientele/domain/ports'
import { createFetchJson } from './fetch-json.js'
import type { OutboundOptions } from './outbound-options.js'

const keySet = {
  member: 'software_jwks_endpoint',
  accept: 'application/jwk-set+json, application/json',
  refuse: keySetUnavailable,
}

/** RFC 7517 §8.5.2: fetches the key sets that software statements name, from allowed addresses only. */
export const createKeySets = (options: Partial<OutboundOptions> = {}): Required<Pick<SignedBodies, 'fetchKeySet'>> => ({
  fetchKeySet: createFetchJson(keySet, options),
})
