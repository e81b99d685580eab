// docs/decisions/registration-policy.md: defaults of other settings, as data.
import type { JsonObject } from '@clientele/domain/kernel'
import type { ProfileName, SettingName } from './settings.js'

type Profile = {
  /** The clients that it suits; the text follows "for". */
  readonly about: string
  /** The settings as texts, as a file would give them. */
  readonly settings: Readonly<Partial<Record<SettingName, string>>>
  /** The registration policy. */
  readonly policy?: JsonObject
}

// RFC 7591 §3.2.1: clients that follow it insist on 201
const open = { 'allow-open-registration': 'true', 'registration-status': '201' }
const managed = { 'allow-open-registration': 'false', 'registration-status': '201' }

// Pages of any origin register; registration takes no cookie.
const anyOrigin = { 'cors-origins': '*' }

const withoutImplicitAndPassword = {
  open: { grant_types: ['authorization_code', 'refresh_token'] },
  managed: { grant_types: ['authorization_code', 'refresh_token', 'client_credentials'] },
}

export const profiles: Readonly<Record<ProfileName, Profile>> = {
  mcp: {
    about:
      'clients of the Model Context Protocol, such as assistants, editors and command lines, which register on their own',
    settings: {
      ...open,
      ...anyOrigin,
      // all of scopes_supported, because some clients register with them
      'open-registration-scopes': 'openid profile email address phone offline_access',
      // docs/decisions/tokens.md: these clients refresh in several processes, and repeat a refresh whose answer was lost
      'refresh-token-grace': '60',
      // OAuth 2.1 §4.1.1, which the specification of the protocol names
      'require-pkce': 'all',
      // the operator registers the protected servers; applications register on their own
      'introspection-clients': '*',
    },
    policy: {
      // OAuth 2.1 has no response type but this one.
      allowed_response_types: ['code'],
      replace_contradicted_application_type: true,
      reuse_unused_registrations: true,
    },
  },
  // https://spec.matrix.org/latest/client-server-api/#client-registration
  matrix: {
    about: 'Matrix clients in browsers and on devices (MSC2966)',
    settings: { ...open, ...anyOrigin },
    policy: { required_members: ['client_uri'], allowed_private_use_schemes: [] },
  },
  // https://datatracker.ietf.org/doc/draft-ietf-mailmaint-oauth-public/
  mail: {
    about: 'mail, calendar and contacts clients (IETF mailmaint, OAuth Profile for Open Public Clients)',
    settings: {
      ...open,
      'open-registration-scopes':
        'offline_access urn:ietf:params:oauth:scope:mail urn:ietf:params:oauth:scope:contacts urn:ietf:params:oauth:scope:calendars',
    },
  },
  // https://openfinancebrasil.atlassian.net, Dynamic Client Registration: the client keeps its token, and PS256 alone
  'openbanking-br': {
    about:
      'receivers of Open Finance Brasil. Set software-statement-issuers to the issuer and the keys of the directory. If their tokens are bound to certificates, or their request objects are encrypted by RSA-OAEP, use an authorization server of your own: set engine to none, and provider-metadata to its metadata. The authorization server of this service decrypts by RSA-OAEP-256, and binds no token to a certificate',
    settings: {
      ...managed,
      'rotate-registration-access-token-on-update': 'false',
      'rotate-client-secret-on-update': 'false',
      'signing-algorithms': 'PS256',
    },
    policy: {
      allowed_token_endpoint_auth_methods: ['private_key_jwt', 'tls_client_auth'],
      // RSA-OAEP-256 is that of the key of this service.
      allowed_algorithms: ['PS256', 'RSA-OAEP', 'RSA-OAEP-256', 'A256GCM'],
      allowed_private_use_schemes: [],
    },
  },
  // https://openid.net/specs/fapi-security-profile-2_0-final.html
  fapi2: {
    about:
      'clients of the FAPI 2.0 Security Profile that authenticate by private_key_jwt and bind their tokens by DPoP. The authorization server of this service does not support mutual TLS, the other way of that profile: no client authenticates by a certificate, and no token is bound to one',
    settings: {
      ...managed,
      // §5.4.1
      'signing-algorithms': 'PS256,ES256,EdDSA',
      // §5.3.2.1
      'require-dpop': 'true',
      'assertion-audience': 'issuer',
      'rotate-refresh-tokens': 'false',
      // §5.3.2.2
      'require-par': 'true',
      'require-pkce': 'all',
    },
    policy: {
      allowed_token_endpoint_auth_methods: ['private_key_jwt'],
      // §5.3.2.2
      allowed_response_types: ['code'],
      allowed_algorithms: [
        ...['PS256', 'ES256', 'EdDSA'],
        ...['RSA-OAEP', 'RSA-OAEP-256', 'ECDH-ES', 'ECDH-ES+A128KW', 'ECDH-ES+A256KW', 'A128GCM', 'A256GCM'],
      ],
      ceilings: withoutImplicitAndPassword,
    },
  },
  // RFC 9700 §2.1.2, §2.4, §2.5: no implicit and no password grant, and no shared secret
  strict: {
    about: 'clients that have keys or certificates of their own, and are registered with a token',
    settings: { ...managed, playground: 'false' },
    policy: {
      allowed_token_endpoint_auth_methods: [
        'private_key_jwt',
        'tls_client_auth',
        'self_signed_tls_client_auth',
        'none',
      ],
      allowed_response_types: ['code'],
      allowed_private_use_schemes: [],
      ceilings: withoutImplicitAndPassword,
    },
  },
  // https://openid.net/certification/: docs/conformance.md
  'conformance-dynamic': {
    about:
      'the plan for Dynamic OP of the conformance suite of the OpenID Foundation, and for applications that need what this plan tests: access tokens in authorization responses, requests by reference, and links on the consent page to applications for which nobody vouches',
    settings: {
      ...open,
      'outbound-fetches': 'true',
      'implicit-access-tokens': 'true',
      'request-uris': 'true',
      'consent-details': 'all',
    },
  },
}
