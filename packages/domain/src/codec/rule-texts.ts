/** The rules that input can break, by their stable ids, each with its text: ASCII, with the remedy, without the value. */
export const ruleTexts = {
  'json-object': 'The body must be a JSON object',
  string: 'must be a string',
  array: 'must be a JSON array',
  'array-size': 'has too many entries: 32 are the limit (10 for contacts)',
  'unique-items': 'must not repeat an entry: send each once',
  text: 'must be 1 to 200 characters, not all blank, without control or format characters',
  contact: 'must be 1 to 254 characters, not all blank, without control or format characters',
  uri: 'must be an absolute URI of at most 2048 ASCII characters, without blank, backslash or control character',
  'uri-fragment': 'must not have a fragment: leave out # and what follows',
  'uri-user-info': 'must not carry user information: leave out what stands before @',
  'uri-host': 'must name its host plainly: a domain name, a dotted IPv4 address or [::1], without wildcard',
  'web-uri': 'must begin with https:// or http://',
  'https-uri': 'must begin with https://',
  'redirect-uri-web': 'of a web client must begin with https://, or with http:// on localhost, 127.0.0.1 or [::1]',
  'redirect-uri-implicit': 'of a web client with the implicit grant must begin with https:// and not name localhost',
  'redirect-uri-native':
    'of a native client must be http:// on localhost, 127.0.0.1 or [::1], https:// on another host, or a private-use scheme with a dot',
  'redirect-uri-wildcard': 'must not have * in its host or path: register each URI in full',
  'redirect-uris-required': 'is required for the grant types authorization_code and implicit: register at least one',
  'application-type': 'must be web or native',
  'subject-type': 'must be public or pairwise',
  'auth-method':
    'must be none, client_secret_basic, client_secret_post, client_secret_jwt, private_key_jwt, tls_client_auth or self_signed_tls_client_auth',
  'signing-algorithm': 'must be RS, PS, ES or HS with 256, 384 or 512, EdDSA or none',
  'grant-type': 'must be 1 to 256 visible ASCII characters without quote or backslash',
  'response-type': 'must be made of code, id_token and token, each once, separated by one space',
  'response-type-grant':
    'needs the matching grant: code needs authorization_code, token and id_token need implicit, in grant_types',
  'response-types-required': 'must not be empty while grant_types holds authorization_code or implicit',
  'id-token-unsigned': 'may be none only when every response type is code',
  'secret-algorithm':
    'of the HS family needs a client that can have a secret: choose another token_endpoint_auth_method than none',
  scope: 'must be scope values separated by one space, at most 2048 characters',
  jwk: 'must be a public JSON Web Key: an object with kty, and without d, p, q, dp, dq, qi, oth and k',
  'jwk-set': 'must be a JSON Web Key set: an object with an array of keys',
  'jwks-exclusive': 'must not be sent together with jwks: choose one',
  data: 'must be a JSON object of at most 16384 bytes, nested at most 32 levels',
  'language-tag': 'must have a language tag (BCP 47) after #, at most 35 characters',
  'language-tags': 'has too many language variants: 64 in all are the limit',
  'preferred-client-id': 'must be 1 to 128 characters of A-Z a-z 0-9 . _ ~ - and neither . nor ..',
  'preferred-client-id-taken': 'is not available: choose another or leave it out',
  'preferred-client-secret': 'must be 32 to 256 printable ASCII characters',
  'preferred-client-secret-unused':
    'is only for a client that has a secret: choose another token_endpoint_auth_method or leave it out',
  'create-only': 'can be set only when the client is registered: leave it out of an update',
  'server-issued': 'is issued by the server and cannot be set: leave it out',
  'client-id-mismatch': 'must be the client_id of the registration being updated, or be left out',
  'client-secret-mismatch': 'must be the current client_secret, or be left out',
  lifetime: 'must be a whole number of seconds from 1 to 2592000 (30 days)',
  'registration-scope':
    'is required: client-reg or client-reg:* values separated by one space; client-reg:scope: needs a scope value after it',
} as const

export type RuleId = keyof typeof ruleTexts

export const isRuleId = (text: string): text is RuleId => Object.hasOwn(ruleTexts, text)
