import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { isMemberName } from '../../src/client/members.js'

const Registered = suite('members that are registered')

// https://www.iana.org/assignments/oauth-parameters, OAuth Dynamic Client Registration Metadata, with the members that
// final specifications register there: FAPI 2 Message Signing, OpenID for Verifiable Credential Issuance
const registered = `
redirect_uris token_endpoint_auth_method grant_types response_types client_name client_uri logo_uri scope contacts tos_uri
policy_uri jwks_uri jwks software_id software_version
application_type sector_identifier_uri subject_type id_token_signed_response_alg id_token_encrypted_response_alg
id_token_encrypted_response_enc userinfo_signed_response_alg userinfo_encrypted_response_alg userinfo_encrypted_response_enc
request_object_signing_alg request_object_encryption_alg request_object_encryption_enc token_endpoint_auth_signing_alg
default_max_age require_auth_time default_acr_values initiate_login_uri request_uris
claims_redirect_uris
nfv_token_signed_response_alg nfv_token_encrypted_response_alg nfv_token_encrypted_response_enc
tls_client_certificate_bound_access_tokens tls_client_auth_subject_dn tls_client_auth_san_dns tls_client_auth_san_uri
tls_client_auth_san_ip tls_client_auth_san_email
require_signed_request_object require_pushed_authorization_requests
introspection_signed_response_alg introspection_encrypted_response_alg introspection_encrypted_response_enc
frontchannel_logout_uri frontchannel_logout_session_required backchannel_logout_uri backchannel_logout_session_required
post_logout_redirect_uris
authorization_details_types dpop_bound_access_tokens
client_registration_types signed_jwks_uri organization_name description keywords information_uri organization_uri
use_mtls_endpoint_aliases response_modes
encrypted_response_enc_values_supported vp_formats_supported credential_offer_endpoint
`

// Members that only the server issues: RFC 7591 §3.2.1, RFC 7592 §3
const issued = `
client_id client_secret client_id_issued_at client_secret_expires_at registration_access_token registration_client_uri
`

const namesIn = (text: string): ReadonlyArray<string> => text.trim().split(/\s+/)

Registered('every member that IANA registers is kept', () => {
  assert.equal(
    namesIn(registered).filter((name) => !isMemberName(name)),
    [],
  )
})

Registered('what the server issues is no member', () => {
  assert.equal(namesIn(issued).filter(isMemberName), [])
})

Registered.run()
