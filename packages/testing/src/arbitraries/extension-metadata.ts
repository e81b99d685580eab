import * as fc from 'fast-check'
import { type SentMetadata, humanReadableText } from './json-values.js'
import { list, someOf, together } from './record-parts.js'
import { fetchedUri, httpsUri, privateUseUri, webUri } from './redirect-uri.js'

const word = (): fc.Arbitrary<string> => fc.constantFrom('payment', 'urn:acr:two-factors', 'https://rp.example/type')

const openid = (): fc.Arbitrary<SentMetadata> =>
  someOf({
    default_max_age: fc.nat(),
    require_auth_time: fc.boolean(),
    default_acr_values: list(word(), 0),
    initiate_login_uri: httpsUri(),
    request_uris: list(
      fc.oneof(
        httpsUri(),
        httpsUri().map((uri) => `${uri}#${'h-_'.repeat(14)}A`),
      ),
      0,
    ),
    backchannel_logout_uri: fetchedUri(),
    backchannel_logout_session_required: fc.boolean(),
    frontchannel_logout_session_required: fc.boolean(),
  })

const extended = (): fc.Arbitrary<SentMetadata> =>
  someOf({
    tls_client_certificate_bound_access_tokens: fc.boolean(),
    use_mtls_endpoint_aliases: fc.boolean(),
    require_signed_request_object: fc.constant(false),
    require_pushed_authorization_requests: fc.boolean(),
    dpop_bound_access_tokens: fc.boolean(),
    authorization_details_types: list(word(), 0),
    response_modes: fc.subarray(['query', 'fragment', 'form_post', 'jwt', 'query.jwt', 'form_post.jwt']),
    client_registration_types: fc.subarray(['automatic', 'explicit']),
    organization_name: humanReadableText(),
    organization_uri: webUri(),
    description: humanReadableText(),
    keywords: list(humanReadableText(), 1),
    information_uri: webUri(),
    vp_formats_supported: fc.constantFrom({}, { mso_mdoc: {}, 'dc+sd-jwt': { 'sd-jwt_alg_values': ['ES256'] } }),
    encrypted_response_enc_values_supported: fc.constantFrom(['A128GCM'], ['A256GCM', 'of-tomorrow']),
    credential_offer_endpoint: fc.oneof(httpsUri(), privateUseUri(), fc.constant('openid-credential-offer://')),
    signed_jwks_uri: httpsUri(),
    backchannel_user_code_parameter: fc.boolean(),
  })

const delivery = (): fc.Arbitrary<SentMetadata> =>
  fc.oneof(
    { withCrossShrink: true },
    someOf({ backchannel_token_delivery_mode: fc.constant('poll') }),
    httpsUri().chain((uri) =>
      fc.constantFrom('ping', 'push').map((mode) => ({
        backchannel_token_delivery_mode: mode,
        backchannel_client_notification_endpoint: uri,
      })),
    ),
  )

// Lists that contain the other choices of the body, and unknown values.
const choices = (): fc.Arbitrary<SentMetadata> =>
  someOf({
    subject_types_supported: fc.constant(['pairwise', 'public', 'of-tomorrow']),
    userinfo_encryption_enc_values_supported: fc.constant(['A128CBC-HS256', 'A256CBC-HS512', 'A256GCM', 'A512GCM']),
    backchannel_token_delivery_modes_supported: fc.constant(['push', 'poll', 'ping', 'telepathy']),
  })

/** Members of the extensions that do not restrict the kind of the client. */
export const extensions = (): fc.Arbitrary<SentMetadata> => together(openid(), extended(), delivery(), choices())
