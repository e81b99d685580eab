// All members by the kind of their values, independent of the table under test.
import type { MemberName } from '@clientele/domain/client'
import type { RuleId } from '@clientele/domain/kernel'

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
export const choiceLists = [
  'subject_types_supported',
  'token_endpoint_auth_methods_supported',
  'token_endpoint_auth_signing_alg_values_supported',
  'id_token_signing_alg_values_supported',
  'id_token_encryption_alg_values_supported',
  'id_token_encryption_enc_values_supported',
  'userinfo_signing_alg_values_supported',
  'userinfo_encryption_alg_values_supported',
  'userinfo_encryption_enc_values_supported',
  'request_object_signing_alg_values_supported',
  'request_object_encryption_alg_values_supported',
  'request_object_encryption_enc_values_supported',
  'authorization_signing_alg_values_supported',
  'authorization_encryption_alg_values_supported',
  'authorization_encryption_enc_values_supported',
  'introspection_signing_alg_values_supported',
  'introspection_encryption_alg_values_supported',
  'introspection_encryption_enc_values_supported',
  'backchannel_token_delivery_modes_supported',
  'backchannel_authentication_request_signing_alg_values_supported',
] as const
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

export const choices = {
  application_type: 'application-type',
  subject_type: 'subject-type',
  token_endpoint_auth_method: 'auth-method',
  backchannel_token_delivery_mode: 'token-delivery-mode',
  id_token_signed_response_alg: 'signing-algorithm-or-none',
  request_object_signing_alg: 'signing-algorithm-or-none',
  userinfo_signed_response_alg: 'signing-algorithm',
  token_endpoint_auth_signing_alg: 'signing-algorithm',
  authorization_signed_response_alg: 'signing-algorithm',
  introspection_signed_response_alg: 'signing-algorithm',
  nfv_token_signed_response_alg: 'signing-algorithm',
  backchannel_authentication_request_signing_alg: 'asymmetric-algorithm',
  id_token_encrypted_response_alg: 'encryption-algorithm',
  userinfo_encrypted_response_alg: 'encryption-algorithm',
  request_object_encryption_alg: 'encryption-algorithm',
  authorization_encrypted_response_alg: 'encryption-algorithm',
  introspection_encrypted_response_alg: 'encryption-algorithm',
  nfv_token_encrypted_response_alg: 'encryption-algorithm',
  id_token_encrypted_response_enc: 'content-encryption',
  userinfo_encrypted_response_enc: 'content-encryption',
  request_object_encryption_enc: 'content-encryption',
  authorization_encrypted_response_enc: 'content-encryption',
  introspection_encrypted_response_enc: 'content-encryption',
  nfv_token_encrypted_response_enc: 'content-encryption',
} as const satisfies Readonly<Partial<Record<MemberName, RuleId>>>

export const isChoice = (name: string): name is keyof typeof choices => Object.hasOwn(choices, name)
