// A valid value for each member of client metadata; members that exclude each other are separate.

export const publicKey = {
  kty: 'EC',
  crv: 'P-256',
  kid: 'key-1',
  use: 'sig',
  alg: 'ES256',
  x: 'MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4',
  y: '4Etl6SRW2YiLUrN5vfvVHuhp7x8PxltmWWlbbM4IFyM',
}

const encryption = 'ECDH-ES+A256KW'
const content = 'A256GCM'

export const oauthMembers = {
  redirect_uris: ['https://rp.example/callback', 'https://rp.example/other?q=%20x+y'],
  token_endpoint_auth_method: 'private_key_jwt',
  grant_types: ['authorization_code', 'implicit', 'refresh_token', 'urn:openid:params:grant-type:ciba'],
  response_types: ['code', 'code id_token', 'id_token token'],
  application_type: 'web',
  client_name: 'Example',
  'client_name#ja-Jpan-JP': 'クライアント名',
  client_uri: 'https://rp.example/',
  'client_uri#fr': 'https://rp.example/fr',
  logo_uri: 'https://rp.example/logo.png',
  'logo_uri#fr': 'https://rp.example/fr.png',
  scope: 'openid email offline_access',
  contacts: ['ops@rp.example', '+49 30 1234'],
  tos_uri: 'https://rp.example/tos',
  'tos_uri#fr': 'https://rp.example/cgu',
  policy_uri: 'http://rp.example/policy',
  'policy_uri#fr': 'https://rp.example/donnees',
  jwks: { keys: [publicKey] },
  software_id: '4NRB1-0XZABZI9E6-5SM3R',
  software_version: '2.2',
  data: { tier: 3, list: [1, null, 'x'] },
}

export const openidMembers = {
  subject_type: 'pairwise',
  id_token_signed_response_alg: 'ES256',
  id_token_encrypted_response_alg: encryption,
  id_token_encrypted_response_enc: content,
  userinfo_signed_response_alg: 'PS256',
  userinfo_encrypted_response_alg: encryption,
  userinfo_encrypted_response_enc: content,
  request_object_signing_alg: 'EdDSA',
  request_object_encryption_alg: 'RSA-OAEP-256',
  request_object_encryption_enc: content,
  token_endpoint_auth_signing_alg: 'ES256',
  default_max_age: 0,
  require_auth_time: false,
  default_acr_values: ['urn:example:acr:2', '1'],
  initiate_login_uri: 'https://rp.example/login',
  request_uris: ['https://rp.example/request.jwt#vmrwqyGBQKxMYTFtcC7zWkaWsOKTVvTVpfVjNzBN1O0'],
  post_logout_redirect_uris: ['https://rp.example/bye', 'https://other.example/bye'],
  frontchannel_logout_uri: 'https://rp.example/front',
  frontchannel_logout_session_required: true,
  backchannel_logout_uri: 'https://rp.example/back',
  backchannel_logout_session_required: true,
}

export const extensionMembers = {
  tls_client_certificate_bound_access_tokens: true,
  use_mtls_endpoint_aliases: true,
  require_signed_request_object: true,
  require_pushed_authorization_requests: true,
  authorization_details_types: ['payment_initiation'],
  dpop_bound_access_tokens: true,
  response_modes: ['query', 'form_post', 'jwt'],
  authorization_signed_response_alg: 'ES256',
  authorization_encrypted_response_alg: encryption,
  authorization_encrypted_response_enc: content,
  introspection_signed_response_alg: 'ES256',
  introspection_encrypted_response_alg: encryption,
  introspection_encrypted_response_enc: content,
  backchannel_token_delivery_mode: 'ping',
  backchannel_client_notification_endpoint: 'https://rp.example/notify',
  backchannel_authentication_request_signing_alg: 'ES256',
  backchannel_user_code_parameter: false,
  client_registration_types: ['automatic', 'explicit'],
  organization_name: 'Example Ltd.',
  'organization_name#de': 'Beispiel GmbH',
  organization_uri: 'https://example.example/',
  description: 'Orders things, and tells where they are',
  'description#de': 'Bestellt Dinge',
  keywords: ['orders', 'shipping'],
  'keywords#de': ['Bestellungen'],
  information_uri: 'https://rp.example/about',
  signed_jwks_uri: 'https://rp.example/signed-jwks',
  claims_redirect_uris: ['https://rp.example/claims'],
  nfv_token_signed_response_alg: 'ES256',
  nfv_token_encrypted_response_alg: encryption,
  nfv_token_encrypted_response_enc: content,
  vp_formats_supported: { 'dc+sd-jwt': { 'sd-jwt_alg_values': ['ES256', 'ES384'] }, mso_mdoc: {} },
  encrypted_response_enc_values_supported: ['A128GCM', 'A256GCM'],
  credential_offer_endpoint: 'openid-credential-offer://',
}

/** OpenID RP Metadata Choices §2: each list contains the value of its member above, and unknown ones. */
export const choiceMembers = {
  subject_types_supported: ['public', 'pairwise'],
  token_endpoint_auth_methods_supported: ['private_key_jwt', 'some_future_method'],
  token_endpoint_auth_signing_alg_values_supported: ['ES256', 'ML-DSA-44'],
  id_token_signing_alg_values_supported: ['RS256', 'ES256'],
  id_token_encryption_alg_values_supported: [encryption],
  id_token_encryption_enc_values_supported: [content],
  userinfo_signing_alg_values_supported: ['PS256'],
  userinfo_encryption_alg_values_supported: [encryption],
  userinfo_encryption_enc_values_supported: [content],
  request_object_signing_alg_values_supported: ['EdDSA', 'ES256'],
  request_object_encryption_alg_values_supported: ['RSA-OAEP-256'],
  request_object_encryption_enc_values_supported: [content],
  authorization_signing_alg_values_supported: ['ES256'],
  authorization_encryption_alg_values_supported: [encryption],
  authorization_encryption_enc_values_supported: [content],
  introspection_signing_alg_values_supported: ['ES256'],
  introspection_encryption_alg_values_supported: [encryption],
  introspection_encryption_enc_values_supported: [content],
  backchannel_token_delivery_modes_supported: ['poll', 'ping'],
  backchannel_authentication_request_signing_alg_values_supported: ['ES256'],
}

/** RFC 8705 §2.1.2: one of them, with tls_client_auth. */
export const certificateMembers = {
  tls_client_auth_subject_dn: 'CN=rp.example,O=Example,C=DE',
  tls_client_auth_san_dns: 'rp.example',
  tls_client_auth_san_uri: 'spiffe://rp.example/client',
  tls_client_auth_san_ip: '2001:db8::7',
  tls_client_auth_san_email: 'ops@rp.example',
}

/** All members that one body may contain. */
export const allMembers: Readonly<Record<string, unknown>> = {
  ...oauthMembers,
  ...openidMembers,
  ...extensionMembers,
  ...choiceMembers,
}
