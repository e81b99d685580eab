import type { RuleId } from '@clientele/domain/kernel'
import { choiceLists, redirectUris } from './member-kinds.js'
import type { SentMetadata } from '../json-values.js'
import { type Spoiling, plainClient, spoiling } from './spoiling.js'

const implicitClient = {
  ...plainClient,
  grant_types: ['authorization_code', 'implicit'],
  response_types: ['code id_token'],
}
const nativeClient = { ...plainClient, application_type: 'native' }
const serviceClient = { token_endpoint_auth_method: 'client_secret_basic', grant_types: ['client_credentials'] }
const keyClient = { ...plainClient, token_endpoint_auth_method: 'private_key_jwt', jwks_uri: 'https://rp.example/keys' }

const badRedirectUris: ReadonlyArray<readonly [RuleId, string, SentMetadata]> = [
  ['uri', 'java\nscript:alert(1)', plainClient],
  ['uri-fragment', 'https://rp.example/cb#', plainClient],
  ['uri-user-info', 'https://rp.example@evil.example/cb', nativeClient],
  ['uri-host', 'https:rp.example', plainClient],
  ['uri-dot-segment', 'https://rp.example/a/../cb', plainClient],
  ['redirect-uri-web', 'http://rp.example/cb', plainClient],
  ['redirect-uri-web', 'com.example:/cb', plainClient],
  ['uri-scheme', 'javascript:alert(1)', plainClient],
  ['uri-scheme', 'JaVaScRiPt:alert(1)', nativeClient],
  ['uri-scheme', 'ms-settings:privacy', nativeClient],
  ['redirect-uri-private-use', 'my-application:/cb', nativeClient],
  ['redirect-uri-private-use', 'my-application://cb', nativeClient],
  ['redirect-uri-native', 'https://localhost/cb', nativeClient],
  ['redirect-uri-native', 'http://rp.example/cb', nativeClient],
  ['redirect-uri-wildcard', 'https://rp.example/*', plainClient],
  ['redirect-uri-wildcard', 'com.example:/*', nativeClient],
  ['redirect-uri-wildcard', 'https://*.rp.example/cb', plainClient],
  ['redirect-uri-wildcard', 'http://localhost:*/cb', nativeClient],
  ['redirect-uri-query', 'https://rp.example/cb?a=b&state', plainClient],
  ['redirect-uri-query', 'https://rp.example/cb?st%61te=1', plainClient],
]
// Parameters that only an authorization response adds
const answeredUris: typeof badRedirectUris = [
  ['redirect-uri-query', 'https://rp.example/cb?code=1', plainClient],
  ['redirect-uri-query', 'https://rp.example/cb?a&%63ode', plainClient],
  ['redirect-uri-query', 'https://rp.example/cb?response=x', plainClient],
  ['redirect-uri-query', 'com.example:/cb?error=x', nativeClient],
]

const redirectRules: ReadonlyArray<Spoiling> = [
  ...redirectUris.flatMap((member) =>
    (member === 'redirect_uris' ? [...badRedirectUris, ...answeredUris] : badRedirectUris).map(([rule, uri, client]) =>
      spoiling(rule, `/${member}/1`, { [member]: ['https://rp.example/', uri] }, client),
    ),
  ),
  ...['http://rp.example/cb', 'http://localhost/cb', 'https://localhost/cb', 'com.example:/cb'].map((uri) =>
    spoiling('redirect-uri-implicit', '/redirect_uris/0', { redirect_uris: [uri] }, implicitClient),
  ),
  spoiling('redirect-uris-required', '/redirect_uris', { redirect_uris: undefined }),
  spoiling('redirect-uris-required', '/redirect_uris', { redirect_uris: [] }, implicitClient),
  spoiling('redirect-uris-required', '/redirect_uris', { response_types: ['none'] }, serviceClient),
  ...[[], ['client_credentials'], ['password', 'refresh_token'], ['urn:ietf:params:oauth:grant-type:device_code']].map(
    (grant_types) =>
      spoiling(
        'redirect-uris-unused',
        '/redirect_uris',
        { redirect_uris: ['https://rp.example/'], grant_types },
        serviceClient,
      ),
  ),
  ...['client_credentials', 'urn:openid:params:grant-type:ciba'].map((grant) =>
    spoiling('confidential-grant', '/token_endpoint_auth_method', {
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', grant],
      backchannel_token_delivery_mode: 'poll',
    }),
  ),
  spoiling('frontchannel-scheme', '/frontchannel_logout_uri', { frontchannel_logout_uri: 'http://rp.example/bye' }),
  ...['https://evil.example/bye', 'https://rp.example:444/bye', 'http://localhost/bye'].map((uri) =>
    spoiling('frontchannel-origin', '/frontchannel_logout_uri', { frontchannel_logout_uri: uri }),
  ),
  spoiling('pairwise-sector', '/subject_type', {
    subject_type: 'pairwise',
    redirect_uris: ['https://rp.example/', 'https://two.example/'],
  }),
  spoiling('pairwise-sector', '/subject_type', { subject_type: 'pairwise' }, serviceClient),
  spoiling(
    'pairwise-sector',
    '/subject_type',
    { subject_type: 'pairwise', redirect_uris: ['com.example:/cb'] },
    nativeClient,
  ),
  spoiling(
    'pairwise-sector',
    '/subject_type',
    { subject_type: 'pairwise', redirect_uris: ['com.example://rp.example/cb'] },
    nativeClient,
  ),
  spoiling(
    'pairwise-sector',
    '/subject_type',
    { subject_type: 'pairwise', redirect_uris: ['http://127.0.0.1/cb'] },
    nativeClient,
  ),
  ...['https://127.0.0.2/cb', 'https://app.localhost/cb'].map((uri) =>
    spoiling('pairwise-sector', '/subject_type', { subject_type: 'pairwise', redirect_uris: [uri] }),
  ),
]

const grantRules: ReadonlyArray<Spoiling> = [
  spoiling('response-types-required', '/response_types', { response_types: [] }),
  spoiling('response-types-required', '/response_types', { response_types: undefined, grant_types: ['implicit'] }),
  ...['token', 'code id_token'].map((type) =>
    spoiling('response-type-grant', '/response_types/1', { response_types: ['none', type] }),
  ),
  spoiling('response-type-grant', '/response_types/0', { response_types: ['code'] }, serviceClient),
  spoiling('ciba-delivery-mode', '/backchannel_token_delivery_mode', {
    grant_types: ['authorization_code', 'urn:openid:params:grant-type:ciba'],
  }),
  ...['ping', 'push'].map((mode) =>
    spoiling('ciba-notification-endpoint', '/backchannel_client_notification_endpoint', {
      backchannel_token_delivery_mode: mode,
    }),
  ),
]

const responses = ['id_token', 'userinfo', 'authorization', 'introspection', 'nfv_token'] as const
const signedBySecret = responses.map((each) => `${each}_signed_response_alg`)
const encryptions = [...responses.map((each) => `${each}_encrypted_response`), 'request_object_encryption']

const keyRules: ReadonlyArray<Spoiling> = [
  spoiling('jwks-exclusive', '/jwks_uri', { jwks: { keys: [] }, jwks_uri: 'https://rp.example/keys' }),
  ...['private_key_jwt', 'self_signed_tls_client_auth'].map((method) =>
    spoiling('keys-required', '/token_endpoint_auth_method', { token_endpoint_auth_method: method }),
  ),
  spoiling('keys-required', '/token_endpoint_auth_method', {
    token_endpoint_auth_method: 'private_key_jwt',
    jwks: { keys: [] },
  }),
  ...['RS256', 'EdDSA'].map((alg) =>
    spoiling('keys-required', '/request_object_signing_alg', { request_object_signing_alg: alg }),
  ),
  spoiling('keys-required', '/backchannel_authentication_request_signing_alg', {
    backchannel_authentication_request_signing_alg: 'ES256',
  }),
  ...encryptions
    .filter((name) => name !== 'request_object_encryption')
    .map((name) => spoiling('keys-required', `/${name}_alg`, { [`${name}_alg`]: 'ECDH-ES+A128KW' })),
]

const algorithmRules: ReadonlyArray<Spoiling> = [
  spoiling(
    'id-token-unsigned',
    '/id_token_signed_response_alg',
    { id_token_signed_response_alg: 'none' },
    implicitClient,
  ),
  ...[
    { post_logout_redirect_uris: ['https://rp.example/bye'] },
    { backchannel_logout_uri: 'https://rp.example/told' },
  ].map((wanted) =>
    spoiling('id-token-unsigned-logout', '/id_token_signed_response_alg', {
      id_token_signed_response_alg: 'none',
      ...wanted,
    }),
  ),
  ...[...signedBySecret, 'request_object_signing_alg'].flatMap((member) => [
    spoiling('secret-algorithm', `/${member}`, { [member]: 'HS256', token_endpoint_auth_method: 'none' }),
    ...['HS384', 'HS512'].map((alg) => spoiling('secret-length', `/${member}`, { [member]: alg })),
  ]),
  ...encryptions.map((name) =>
    spoiling('secret-algorithm', `/${name}_alg`, { [`${name}_alg`]: 'dir', token_endpoint_auth_method: 'none' }),
  ),
  ...encryptions.map((name) =>
    spoiling('encryption-needs-algorithm', `/${name}_enc`, { [`${name}_enc`]: 'A128GCM' }, keyClient),
  ),
  ...['none', 'client_secret_basic', 'client_secret_post', 'private_key_jwt'].map((method) =>
    spoiling(
      'auth-signing-algorithm',
      '/token_endpoint_auth_signing_alg',
      {
        token_endpoint_auth_signing_alg: method === 'private_key_jwt' ? 'HS256' : 'RS256',
        token_endpoint_auth_method: method,
      },
      keyClient,
    ),
  ),
  spoiling(
    'auth-signing-algorithm',
    '/token_endpoint_auth_signing_alg',
    { token_endpoint_auth_signing_alg: 'ES256', token_endpoint_auth_method: 'client_secret_jwt' },
    keyClient,
  ),
  spoiling('signed-request-required', '/request_object_signing_alg', {
    require_signed_request_object: true,
    request_object_signing_alg: 'none',
  }),
]

const certificateRules: ReadonlyArray<Spoiling> = [
  spoiling('tls-client-auth', '/token_endpoint_auth_method', { token_endpoint_auth_method: 'tls_client_auth' }),
  spoiling('tls-client-auth', '/token_endpoint_auth_method', {
    token_endpoint_auth_method: 'tls_client_auth',
    tls_client_auth_san_dns: 'rp.example',
    tls_client_auth_san_ip: '2001:db8::1',
  }),
  ...Object.entries({
    tls_client_auth_subject_dn: 'CN=rp',
    tls_client_auth_san_dns: 'rp.example',
    tls_client_auth_san_uri: 'urn:rp:1',
    tls_client_auth_san_ip: '203.0.113.7',
    tls_client_auth_san_email: 'ops@rp.example',
  }).map(([member, value]) => spoiling('tls-client-auth-unused', `/${member}`, { [member]: value })),
]

const choiceRules: ReadonlyArray<Spoiling> = [
  ...choiceLists.map((list) => spoiling('no-known-choice', `/${list}`, { [list]: ['of-tomorrow'] }, keyClient)),
  spoiling('no-known-choice', '/subject_types_supported', { subject_types_supported: [] }),
  spoiling('value-not-chosen', '/id_token_signed_response_alg', { id_token_signing_alg_values_supported: ['ES256'] }),
  spoiling('value-not-chosen', '/token_endpoint_auth_method', { token_endpoint_auth_methods_supported: ['none'] }),
]

export const crossRules: ReadonlyArray<Spoiling> = [
  ...redirectRules,
  ...grantRules,
  ...keyRules,
  ...algorithmRules,
  ...certificateRules,
  ...choiceRules,
]
