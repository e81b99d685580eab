// All members by the kind of their values, which their names tell, independent of the kinds in the table under test.
import { type MemberName, members } from '@clientele/domain/client'
import type { RuleId } from '@clientele/domain/kernel'

const isMember = (name: string): name is MemberName => Object.hasOwn(members, name)
const membersNamed = (pattern: RegExp): ReadonlyArray<MemberName> =>
  Object.keys(members)
    .filter(isMember)
    .filter((name) => pattern.test(name))

export const texts = ['client_name', 'software_id', 'software_version', 'organization_name'] as const
export const pageUris = [
  'client_uri',
  'logo_uri',
  'tos_uri',
  'policy_uri',
  'organization_uri',
  'information_uri',
] as const
export const webUris = [...pageUris, 'frontchannel_logout_uri'] as const
export const httpsUris = [
  'jwks_uri',
  'sector_identifier_uri',
  'initiate_login_uri',
  'backchannel_logout_uri',
  'backchannel_client_notification_endpoint',
  'signed_jwks_uri',
] as const
export const fetchedUris = ['sector_identifier_uri', 'backchannel_logout_uri'] as const
export const urisWithoutFragment = [
  'frontchannel_logout_uri',
  ...httpsUris,
  'tls_client_auth_san_uri',
  'credential_offer_endpoint',
] as const
export const uris = [...pageUris, ...urisWithoutFragment] as const
export const redirectUris = ['redirect_uris', 'post_logout_redirect_uris', 'claims_redirect_uris'] as const
// OpenID RP Metadata Choices §2
export const choiceLists = membersNamed(/_(?:types|methods|modes|alg_values|encryption_enc_values)_supported$/)
export const tokenLists = [
  'default_acr_values',
  'authorization_details_types',
  'encrypted_response_enc_values_supported',
  ...choiceLists,
] as const
export const choiceListMembers = ['response_modes', 'client_registration_types'] as const
export const lists = [
  ...redirectUris,
  ...tokenLists,
  ...choiceListMembers,
  'contacts',
  'grant_types',
  'response_types',
  'request_uris',
  'keywords',
] as const
export const booleans = [
  'require_auth_time',
  'frontchannel_logout_session_required',
  'backchannel_logout_session_required',
  'require_signed_request_object',
  'require_pushed_authorization_requests',
  'dpop_bound_access_tokens',
  'tls_client_certificate_bound_access_tokens',
  'use_mtls_endpoint_aliases',
  'backchannel_user_code_parameter',
] as const

/** The members with one value of a closed set, by the rule of the set. */
export const choices: Readonly<Partial<Record<RuleId, ReadonlyArray<MemberName>>>> = {
  'application-type': ['application_type'],
  'subject-type': ['subject_type'],
  'auth-method': ['token_endpoint_auth_method'],
  'token-delivery-mode': ['backchannel_token_delivery_mode'],
  'signing-algorithm-or-none': ['id_token_signed_response_alg', 'request_object_signing_alg'],
  'signing-algorithm': [
    'token_endpoint_auth_signing_alg',
    ...membersNamed(/^(?:userinfo|authorization|introspection|nfv_token)_signed_response_alg$/),
  ],
  'asymmetric-algorithm': ['backchannel_authentication_request_signing_alg'],
  'encryption-algorithm': membersNamed(/_(?:encrypted_response|encryption)_alg$/),
  'content-encryption': membersNamed(/_(?:encrypted_response|encryption)_enc$/),
}
