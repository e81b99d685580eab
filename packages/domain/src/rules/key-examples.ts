import type { keyRules } from '../kernel/rule-texts.js'
import { type RuleExample, registering } from './example.js'

// RFC 7517 §A.1, RFC 8037 §A.2
const ec = {
  kty: 'EC',
  crv: 'P-256',
  x: 'MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4',
  y: '4Etl6SRW2YiLUrN5vfvVHuhp7x8PxltmWWlbbM4IFyM',
}
const okp = { kty: 'OKP', crv: 'Ed25519', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo' }
const rsa = { kty: 'RSA', n: `u${'A'.repeat(340)}Q`, e: 'AQAB' }
const keySet = 'https://app.example/keys.json'
const implicit = { grant_types: ['authorization_code', 'implicit'], response_types: ['code id_token'] }

/** Examples of the rules of keys and algorithms. */
export const keyExamples: Readonly<Record<keyof typeof keyRules, RuleExample>> = {
  'jwk-set': registering(
    '/jwks',
    'Keys stand in a set, in which they are found by their names.',
    { jwks: { key: ec } },
    { jwks: { keys: [ec] } },
  ),
  'jwk-set-size': registering(
    '/jwks',
    'Everybody may register where registration is open, so that what one client stores is bounded.',
    { jwks: { keys: [ec], note: 'x'.repeat(16_384) } },
    { jwks: null, jwks_uri: keySet },
  ),
  jwk: registering(
    '/jwks/keys/0',
    'Without its type, nobody knows how to use a key.',
    { jwks: { keys: [{ crv: ec.crv, x: ec.x, y: ec.y }] } },
    { jwks: { keys: [ec] } },
  ),
  'jwk-private': registering(
    '/jwks/keys/0/d',
    'Whoever has the private key is the client. It has left the client with this request: make another one.',
    { jwks: { keys: [{ ...ec, d: '870MB6gfuTJ4HtUnUvYMyJpr5eUZNP4Bk43bVdj3eAE' }] } },
    { jwks: { keys: [ec] } },
  ),
  'jwk-member': registering(
    '/jwks/keys/0/x',
    'With a coordinate of another length this is no key of the curve, and every verification would fail.',
    { jwks: { keys: [{ ...ec, x: 'MKBCTNIcKUSDii11' }] } },
    { jwks: { keys: [ec] } },
  ),
  'jwk-rsa-size': registering(
    '/jwks/keys/0/n',
    'Shorter moduli can be factored, and much longer ones cost the service too much at each verification.',
    { jwks: { keys: [{ ...rsa, n: `u${'A'.repeat(169)}Q` }] } },
    { jwks: { keys: [rsa] } },
  ),
  'jwk-rsa-exponent': registering(
    '/jwks/keys/0/e',
    'Small exponents have helped to forge signatures.',
    { jwks: { keys: [{ ...rsa, e: 'Aw' }] } },
    { jwks: { keys: [rsa] } },
  ),
  'jwk-kid': registering(
    '/jwks/keys/0/kid',
    'The name of a key stands in headers, logs and some file names.',
    { jwks: { keys: [{ ...ec, kid: '../key 1' }] } },
    { jwks: { keys: [{ ...ec, kid: 'key-1' }] } },
  ),
  'jwk-kid-repeated': registering(
    '/jwks/keys/1/kid',
    'A signature names its key: with two of that name, some programs try the wrong one.',
    {
      jwks: {
        keys: [
          { ...ec, kid: 'key-1' },
          { ...okp, kid: 'key-1' },
        ],
      },
    },
    {
      jwks: {
        keys: [
          { ...ec, kid: 'key-1' },
          { ...okp, kid: 'key-2' },
        ],
      },
    },
  ),
  'jwks-exclusive': registering(
    '/jwks_uri',
    'Two places for keys can differ, and nobody knows which of them counts.',
    { jwks: { keys: [ec] }, jwks_uri: keySet },
    { jwks: null },
  ),
  'keys-required': registering(
    '/token_endpoint_auth_method',
    'The service verifies the client, or encrypts for it, with its public keys.',
    { token_endpoint_auth_method: 'private_key_jwt' },
    { jwks_uri: keySet },
  ),
  'id-token-unsigned': registering(
    '/id_token_signed_response_alg',
    'An ID token that comes through the browser proves nothing unless it is signed.',
    { ...implicit, id_token_signed_response_alg: 'none' },
    { id_token_signed_response_alg: 'RS256' },
  ),
  'id-token-unsigned-logout': registering(
    '/id_token_signed_response_alg',
    'At a logout, the service recognizes its own ID tokens by their signature; anybody could write one without it.',
    { post_logout_redirect_uris: ['https://app.example/bye'], id_token_signed_response_alg: 'none' },
    { id_token_signed_response_alg: 'RS256' },
  ),
  'logout-token-algorithm': registering(
    '/id_token_signed_response_alg',
    'This service signs the logout tokens, as ID tokens are signed, and needs a key for the algorithm.',
    { backchannel_logout_uri: 'https://app.example/logout', id_token_signed_response_alg: 'ES256' },
    { id_token_signed_response_alg: 'RS256' },
    {
      given:
        'The setting signing-algorithms is RS256, outbound-fetches is on, and the metadata of the provider list ES256.',
    },
  ),
  'secret-algorithm': registering(
    '/userinfo_signed_response_alg',
    'The key of such an algorithm is the client_secret, and a public client has none.',
    { token_endpoint_auth_method: 'none', userinfo_signed_response_alg: 'HS256' },
    { token_endpoint_auth_method: 'client_secret_basic' },
  ),
  'secret-length': registering(
    '/id_token_signed_response_alg',
    'A secret that is shorter than the hash is easier to guess than the signature is to forge.',
    { id_token_signed_response_alg: 'HS512' },
    { id_token_signed_response_alg: 'HS256' },
    { given: 'The setting client-secret-length is 43.' },
  ),
  'auth-signing-algorithm': registering(
    '/token_endpoint_auth_signing_alg',
    'The method says which key signs, and the algorithm must be one of that kind of key.',
    {
      token_endpoint_auth_method: 'client_secret_jwt',
      token_endpoint_auth_signing_alg: 'ES256',
      jwks_uri: keySet,
    },
    { token_endpoint_auth_method: 'private_key_jwt' },
  ),
  'tls-client-auth': registering(
    '/token_endpoint_auth_method',
    'The service recognizes the certificate by one name: without one it cannot, and with two nobody knows which counts.',
    { token_endpoint_auth_method: 'tls_client_auth' },
    { tls_client_auth_san_dns: 'app.example' },
  ),
  'tls-client-auth-unused': registering(
    '/tls_client_auth_san_dns',
    'The client would not authenticate by its certificate, although it says so here.',
    { tls_client_auth_san_dns: 'app.example' },
    { token_endpoint_auth_method: 'tls_client_auth' },
  ),
  'encryption-needs-algorithm': registering(
    '/id_token_encrypted_response_enc',
    'The cipher of the content says nothing of how its key reaches the client, so that nothing would be encrypted.',
    { jwks_uri: keySet, id_token_encrypted_response_enc: 'A128GCM' },
    { id_token_encrypted_response_alg: 'RSA-OAEP-256' },
  ),
  'signed-request-required': registering(
    '/request_object_signing_alg',
    'The client demands signed requests, and names the algorithm that signs nothing.',
    { require_signed_request_object: true, request_object_signing_alg: 'none' },
    { request_object_signing_alg: 'ES256', jwks_uri: keySet },
  ),
  'value-not-chosen': registering(
    '/id_token_signed_response_alg',
    'The list says what the client supports, and the value in use is not in it.',
    { id_token_signing_alg_values_supported: ['ES256'], id_token_signed_response_alg: 'RS256' },
    { id_token_signed_response_alg: 'ES256' },
  ),
  'no-known-choice': registering(
    '/subject_types_supported',
    'Nothing in the list can be done here, so that the client could not be served.',
    { subject_types_supported: ['secret'] },
    { subject_types_supported: ['public', 'secret'] },
  ),
}
