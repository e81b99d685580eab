import { fault } from '../../codec/fault.js'
import type { MetadataRule } from './rule.js'

const holdsIdToken = (responseTypes: ReadonlyArray<string>): boolean =>
  responseTypes.some((responseType) => responseType.split(' ').includes('id_token'))

// OpenID Registration §2: none must not be used if the authorization endpoint returns an ID token
export const unsignedIdToken: MetadataRule = {
  members: ['id_token_signed_response_alg', 'response_types'],
  faultsOf: ({ id_token_signed_response_alg, response_types }) =>
    id_token_signed_response_alg === 'none' && holdsIdToken(response_types)
      ? [fault('id-token-unsigned')('id_token_signed_response_alg')]
      : [],
}

// OpenID RP-Initiated Logout §2: the provider verifies that it issued the hint; Back-Channel Logout §2.6: never none
export const unsignedLogout: MetadataRule = {
  members: [...unsignedIdToken.members, 'post_logout_redirect_uris', 'backchannel_logout_uri'],
  faultsOf: ({ id_token_signed_response_alg, response_types, post_logout_redirect_uris, backchannel_logout_uri }) => {
    if (id_token_signed_response_alg !== 'none' || holdsIdToken(response_types)) return []
    const usesLogout = (post_logout_redirect_uris ?? []).length > 0 || backchannel_logout_uri !== undefined
    return usesLogout ? [fault('id-token-unsigned-logout')('id_token_signed_response_alg')] : []
  },
}
