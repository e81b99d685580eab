// Attack catalogue, B2 row 56 and B3: keys, algorithms, consistency.
import { redirect_uris } from '../requests.js'
import { type Attack, bodies, values } from './attack.js'
import { publicKey } from './members.js'

const modulus = (bytes: number): string => Buffer.alloc(bytes, 0xa5).toString('base64url')
const rsa = { kty: 'RSA', n: modulus(256), e: 'AQAB' }
const jwks_uri = 'https://rp.example/jwks.json'
const code = 'invalid_client_metadata'

const keyFault = (row: string, at: string, rule: string, ...keys: ReadonlyArray<unknown>): Attack =>
  bodies(
    `56 ${row}`,
    code,
    `/jwks/keys/0${at} ${rule}`,
  )(...keys.map((key) => ({ redirect_uris, jwks: { keys: [key] } })))

const { x, y, ...withoutPoint } = publicKey
const some = (count: number): unknown => ({ keys: Array.from({ length: count }, (_, i) => ({ ...rsa, kid: `k${i}` })) })

export const keyAttacks: ReadonlyArray<Attack> = [
  ...['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k', 'priv'].map((member) =>
    keyFault(`the private member ${member}`, `/${member}`, 'jwk-private', { ...rsa, [member]: modulus(128) }),
  ),
  keyFault('a private EC key', '/d', 'jwk-private', { ...publicKey, d: '870MB6gfuTJ4HtUnUvYMyJpr5eUZNP4Bk43bVdj3eAE' }),
  keyFault('a symmetric key', '/k', 'jwk-private', { kty: 'oct', k: modulus(32) }),
  keyFault('a symmetric key without k', '/kty', 'jwk-private', { kty: 'oct' }),
  keyFault('RSA of the wrong size', '/n', 'jwk-rsa-size', { ...rsa, n: modulus(128) }, { ...rsa, n: modulus(2_100) }),
  keyFault('RSA that begins with zeros', '/n', 'jwk-rsa-size', {
    ...rsa,
    n: Buffer.concat([Buffer.alloc(200), Buffer.alloc(56, 0xa5)]).toString('base64url'),
  }),
  keyFault('a long RSA modulus', '/n', 'jwk-rsa-size', { ...rsa, n: modulus(8_000) }),
  keyFault(
    'a weak RSA exponent',
    '/e',
    'jwk-rsa-exponent',
    ...['AQ', 'Aw', 'BQ', 'AAAB', 'AQAA', modulus(64)].map((e) => ({ ...rsa, e })),
  ),
  keyFault('RSA without e', '/e', 'jwk-member', { kty: 'RSA', n: modulus(256) }),
  keyFault('padding', '/n', 'jwk-member', { ...rsa, n: `${modulus(256)}==` }, { ...rsa, n: 7 }),
  keyFault('an EC coordinate of the wrong length', '/x', 'jwk-member', { ...publicKey, x: modulus(31) }),
  keyFault('an EC key without y', '/y', 'jwk-member', { ...withoutPoint, x }),
  keyFault('an EC key without crv', '/crv', 'jwk-member', { kty: 'EC', x, y }),
  keyFault('an Ed25519 key of the wrong length', '/x', 'jwk-member', { kty: 'OKP', crv: 'Ed25519', x: modulus(33) }),
  keyFault('x5c that is no certificate', '/x5c', 'jwk-member', { ...rsa, x5c: ['../x'] }, { ...rsa, x5c: 'MII=' }),
  keyFault('too many certificates', '/x5c', 'jwk-member', { ...rsa, x5c: Array.from({ length: 11 }, () => 'TUlJ') }),
  keyFault(
    'a kid that leads elsewhere',
    '/kid',
    'jwk-kid',
    ...['../../x', 'a b', '', 7, 'k'.repeat(257), 'k'.repeat(10_000), "k'\n"].map((kid) => ({ ...rsa, kid })),
  ),
  keyFault('use that is no text', '/use', 'jwk-member', { ...rsa, use: ['sig'] }),
  keyFault('no key', '', 'jwk', 7, null, [], 'key', {}, { kty: 7 }, { n: modulus(256) }),
  bodies(
    '56 a kid twice',
    code,
    '/jwks/keys/1/kid jwk-kid-repeated',
  )({
    redirect_uris,
    jwks: {
      keys: [
        { ...rsa, kid: 'same' },
        { ...publicKey, kid: 'same' },
      ],
    },
  }),
  values('56 no set', 'jwks', 'jwk-set')([], 'x', 7, null, {}, { keys: {} }, { keys: 'x' }, { keys: null }),
  values('56 too many keys', 'jwks', 'jwk-set')(some(33), some(150)),
  values(
    '56 too many parts',
    'jwks',
    'jwk-set',
  )({
    keys: [{ kty: 'X', parts: Array.from({ length: 25_000 }, () => 1) }],
  }),
  values(
    '56 too many bytes',
    'jwks',
    'jwk-set-size',
  )({ keys: [{ ...rsa, x5c: ['A'.repeat(16_384)] }] }, { keys: [{ kty: 'X', parts: 'x'.repeat(17_000) }] }),
  values('56 both', 'jwks_uri', 'jwks-exclusive', { jwks: { keys: [rsa] } })(jwks_uri),

  ...['rs256', 'RS256 ', 'RS1', 'none ', 'ES256K', ['RS256'], {}, null, 1, ''].map((value) =>
    values(`58 ${JSON.stringify(value)}`, 'id_token_signed_response_alg', 'signing-algorithm-or-none')(value),
  ),
  values('58 unsigned from the authorization endpoint', 'id_token_signed_response_alg', 'id-token-unsigned', {
    grant_types: ['authorization_code', 'implicit'],
    response_types: ['code', 'code id_token'],
  })('none'),
  values('58 a secret for a public client', 'id_token_signed_response_alg', 'secret-algorithm', {
    token_endpoint_auth_method: 'none',
  })('HS256', 'HS384', 'HS512'),
  values('58 a secret to wrap for a public client', 'id_token_encrypted_response_alg', 'secret-algorithm', {
    token_endpoint_auth_method: 'none',
  })('dir', 'A128KW', 'A256GCMKW'),
  values('58 a secret that is too short', 'id_token_signed_response_alg', 'secret-length')('HS384', 'HS512'),
  values('58 unsigned UserInfo', 'userinfo_signed_response_alg', 'signing-algorithm')('none', 'None', 'RSA-OAEP'),
  values('58 unsigned authorization response', 'authorization_signed_response_alg', 'signing-algorithm')('none'),
  values('58 unsigned introspection', 'introspection_signed_response_alg', 'signing-algorithm')('none'),
  values('58 unsigned requests', 'request_object_signing_alg', 'signed-request-required', {
    require_signed_request_object: true,
  })('none'),
  values(
    '58 symmetric CIBA',
    'backchannel_authentication_request_signing_alg',
    'asymmetric-algorithm',
  )('HS256', 'none'),

  values('59 an unsigned assertion', 'token_endpoint_auth_signing_alg', 'signing-algorithm')('none'),
  values('59 HMAC with private_key_jwt', 'token_endpoint_auth_signing_alg', 'auth-signing-algorithm', {
    jwks_uri,
    token_endpoint_auth_method: 'private_key_jwt',
  })('HS256'),
  values('59 a signature with client_secret_jwt', 'token_endpoint_auth_signing_alg', 'auth-signing-algorithm', {
    jwks_uri,
    token_endpoint_auth_method: 'client_secret_jwt',
  })('RS256', 'ES256', 'EdDSA'),
  values('59 an assertion that no method signs', 'token_endpoint_auth_signing_alg', 'auth-signing-algorithm', {
    jwks_uri,
  })('HS256', 'RS256'),

  values('60 no keys', 'token_endpoint_auth_method', 'keys-required')('private_key_jwt', 'self_signed_tls_client_auth'),
  values('60 an empty key set', 'token_endpoint_auth_method', 'keys-required', { jwks: { keys: [] } })(
    'private_key_jwt',
  ),
  values('60 nothing to encrypt with', 'id_token_encrypted_response_alg', 'keys-required')('RSA-OAEP', 'ECDH-ES'),
  values('60 nothing to verify with', 'request_object_signing_alg', 'keys-required')('RS256'),
  ...['id_token_encrypted_response', 'userinfo_encrypted_response', 'request_object_encryption'].flatMap((prefix) => [
    values('60 enc without alg', `${prefix}_enc`, 'encryption-needs-algorithm')('A128GCM'),
    values('60 a weak alg', `${prefix}_alg`, 'encryption-algorithm')('RSA1_5', 'PBES2-HS256+A128KW', 'rsa-oaep'),
  ]),
  values('60 an unknown enc', 'id_token_encrypted_response_enc', 'content-encryption', {
    jwks_uri,
    id_token_encrypted_response_alg: 'RSA-OAEP',
  })('A128CBC', 'none', 'XC20P'),

  bodies(
    '61 a code without its grant',
    'invalid_redirect_uri',
    '/redirect_uris redirect-uris-unused',
    '/response_types/0 response-type-grant',
  )({ redirect_uris, grant_types: ['client_credentials'], response_types: ['code'] }),
  bodies(
    '61 redirection URIs that no grant uses',
    'invalid_redirect_uri',
    '/redirect_uris redirect-uris-unused',
  )({ redirect_uris, grant_types: [] }, { redirect_uris, grant_types: ['client_credentials'] }),
  bodies('61 a token without its grant', code, '/response_types/0 response-type-grant')(
    { redirect_uris, grant_types: ['authorization_code'], response_types: ['token'] },
    { redirect_uris, grant_types: ['authorization_code'], response_types: ['id_token code'] },
    { redirect_uris, grant_types: ['implicit'], response_types: ['code'] },
  ),
  bodies(
    '61 words that are none',
    code,
    '/response_types/0 response-type',
  )(
    ...['code code', 'code  token', ' code', 'none code', 'CODE', ''].map((each) => ({
      redirect_uris,
      response_types: [each],
    })),
  ),
  values('61 no response type', 'response_types', 'response-types-required')([]),
]
