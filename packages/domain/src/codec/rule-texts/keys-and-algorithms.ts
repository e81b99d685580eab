import { ownBound, registration, rule } from './rule-text.js'

export const keyRules = {
  'jwk-set': rule('must be a JSON Web Key set: an object with an array of at most 32 keys', 'RFC 7517 §5'),
  'jwk-set-size': rule(
    'must be at most 16384 bytes as JSON: leave out certificates and keys that are not used, or publish the set at jwks_uri',
    ownBound,
  ),
  jwk: rule('must be a JSON Web Key: an object with kty', 'RFC 7517 §4'),
  'jwk-private': rule(
    'must hold public keys only: leave out d, p, q, dp, dq, qi, oth, k, priv and keys of the type oct',
    'RFC 7591 §2',
  ),
  'jwk-member': rule(
    'must be what its key type says: unpadded base64url of the right length, or text',
    'RFC 7518 §6, RFC 8037 §2',
  ),
  'jwk-rsa-size': rule('must be an RSA modulus of 2048 to 16384 bits, which is odd', 'RFC 7518 §3.3'),
  'jwk-rsa-exponent': rule('must be an odd RSA exponent of 65537 or more, such as AQAB', 'FIPS 186-5 §5.1'),
  'jwk-kid': rule('must be a kid of 1 to 256 visible ASCII characters, without two dots in a row', 'RFC 7517 §4.5'),
  'jwk-kid-repeated': rule('must not repeat a kid: give each key its own', 'RFC 7517 §4.5'),
  'jwks-exclusive': rule('must not be sent together with jwks: choose one', 'RFC 7591 §2'),
  'keys-required': rule(
    'needs the public keys of the client: send jwks with at least one key, or jwks_uri',
    registration,
  ),

  'id-token-unsigned': rule(
    'may be none only when no response type holds id_token: choose another algorithm, or leave those response types out',
    registration,
  ),
  'id-token-unsigned-logout': rule(
    'must not be none together with post_logout_redirect_uris or backchannel_logout_uri: choose an algorithm that signs, or leave those out',
    'OpenID RP-Initiated Logout §2, OpenID Back-Channel Logout §2.6',
  ),
  'logout-token-algorithm': rule(
    'must be one that this service signs with while backchannel_logout_uri is sent: choose such a one, or ask the operator to add it to signing-algorithms',
    'OpenID Back-Channel Logout §2.6',
  ),
  'secret-algorithm': rule(
    'of the HS family, dir and the A...KW algorithms need a client that can have a secret: choose another token_endpoint_auth_method than none',
    'OpenID Core §10.1, §10.2',
  ),
  'secret-length': rule(
    'needs a longer client_secret: 32 bytes for HS256, 48 for HS384, 64 for HS512. Choose a shorter one, or ask the operator for a greater client-secret-length',
    'RFC 7518 §3.2',
  ),
  'auth-signing-algorithm': rule(
    'must be an HS algorithm for client_secret_jwt, an asymmetric one for private_key_jwt, and left out for any other token_endpoint_auth_method',
    registration,
  ),
  'tls-client-auth': rule(
    'of tls_client_auth needs exactly one of tls_client_auth_subject_dn, _san_dns, _san_uri, _san_ip and _san_email',
    'RFC 8705 §2.1.2',
  ),
  'tls-client-auth-unused': rule(
    'is only for the token_endpoint_auth_method tls_client_auth: leave it out',
    'RFC 8705 §2.1.2',
  ),
  'encryption-needs-algorithm': rule(
    'needs the member that names the key algorithm: send the same name with _alg',
    registration,
  ),
  'signed-request-required': rule('must not be none while require_signed_request_object is true', 'RFC 9101 §10.5'),
  'unsupported-algorithm': rule(
    'names an algorithm that nothing here serves: choose one of the metadata, or ask the operator to add it to signing-algorithms or, where the setting engine is none, to provider-metadata',
    registration,
  ),
  'value-not-chosen': rule(
    'must be one of the values that the client lists as supported: add it to the list, or choose from it',
    'OpenID RP Metadata Choices §2',
  ),
  'no-known-choice': rule(
    'must hold at least one value that this service supports: see the same list in the metadata of the provider',
    'OpenID RP Metadata Choices §2',
  ),
} as const
