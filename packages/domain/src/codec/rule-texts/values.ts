import { ownBound, registration, rule } from './rule-text.js'

export const valueRules = {
  'more-faults': rule('There are more faults than are told here: mend these first', ownBound),
  'unknown-member': rule('is not client metadata: leave it out, or correct its name', 'RFC 7591 §2'),
  'json-object': rule('The body must be a JSON object', 'RFC 7591 §3.1'),

  number: rule(
    'A number must keep its value when it is read as a double (IEEE 754) and written again: send it as a string',
    'RFC 8259 §6',
  ),
  'repeated-name': rule('An object must not have two members of the same name: send each once', 'RFC 8259 §4'),

  string: rule('must be a string', 'RFC 7591 §2'),
  boolean: rule('must be true or false, without quotation marks', registration),
  seconds: rule('must be a whole number of seconds, 0 or more, without quotation marks', registration),
  array: rule('must be a JSON array', 'RFC 7591 §2'),
  'array-size': rule('has too many entries: 32 are the limit (10 for contacts)', ownBound),
  'array-empty': rule('must have at least one entry: send one, or leave the member out', 'RFC 7591 §2'),
  'unique-items': rule('must not repeat an entry: send each once', ownBound),
  text: rule('must be 1 to 200 characters, not all blank, without control or format characters', 'RFC 7591 §2'),
  contact: rule('must be 1 to 254 characters, not all blank, without control or format characters', 'RFC 7591 §2'),
  'long-text': rule(
    'must be 1 to 1000 characters, not all blank, without control or format characters',
    'OpenID Federation §5.2.2',
  ),
  'distinguished-name': rule(
    'must be 1 to 2048 characters, not all blank, without control or format characters',
    'RFC 8705 §2.1.2',
  ),
  token: rule('must be 1 to 256 visible ASCII characters without quotation mark or backslash', 'RFC 6749 §A.4'),
  scope: rule('must be scope values separated by one space, at most 2048 characters', 'RFC 6749 §3.3'),
  data: rule(
    'must be a JSON object of at most 16384 bytes, nested at most 32 levels, with no integer beyond 2^53 - 1: send that as a string',
    ownBound,
  ),
  'credential-formats': rule(
    'must be a JSON object of at most 4096 bytes, with a JSON object for each credential format',
    'OpenID for Verifiable Presentations §11.1',
  ),
  'language-tag': rule('must have a language tag (BCP 47) after #, at most 35 characters', 'RFC 7591 §2.2'),
  'language-tag-repeated': rule(
    'must not have the same language twice: tags that differ only in case are the same',
    'RFC 5646 §2.1.1',
  ),
  'language-tags': rule('has too many language variants: 64 in all are the limit', ownBound),

  'application-type': rule('must be web or native', registration),
  'subject-type': rule('must be public or pairwise', registration),
  'auth-method': rule(
    'must be none, client_secret_basic, client_secret_post, client_secret_jwt, private_key_jwt, tls_client_auth or self_signed_tls_client_auth',
    'RFC 7591 §2, RFC 8705 §2',
  ),
  'signing-algorithm': rule('must be RS, PS, ES or HS with 256, 384 or 512, or EdDSA', 'RFC 7518 §3.1, RFC 8037 §3.1'),
  'signing-algorithm-or-none': rule(
    'must be RS, PS, ES or HS with 256, 384 or 512, EdDSA or none',
    'RFC 7518 §3.1, RFC 8037 §3.1',
  ),
  'asymmetric-algorithm': rule('must be RS, PS or ES with 256, 384 or 512, or EdDSA', 'RFC 7518 §3.1, RFC 8037 §3.1'),
  'encryption-algorithm': rule(
    'must be RSA-OAEP, RSA-OAEP-256, -384 or -512, ECDH-ES, alone or with +A128KW, +A192KW or +A256KW, A128KW, A192KW, A256KW, A128GCMKW, A192GCMKW, A256GCMKW or dir',
    'RFC 7518 §4.1',
  ),
  'content-encryption': rule(
    'must be A128CBC-HS256, A192CBC-HS384, A256CBC-HS512, A128GCM, A192GCM or A256GCM',
    'RFC 7518 §5.1',
  ),
  'response-mode': rule(
    'must be query, fragment, form_post, jwt, query.jwt, fragment.jwt or form_post.jwt',
    'OAuth Multiple Response Types §2.1, JARM §2.3',
  ),
  'token-delivery-mode': rule('must be poll, ping or push', 'CIBA §4'),
  'registration-type': rule('must be automatic or explicit', 'OpenID Federation §5.1.2'),
  'grant-type': rule('must be 1 to 256 visible ASCII characters without quotation mark or backslash', 'RFC 7591 §2'),
  'response-type': rule(
    'must be made of code, id_token and token, each once, separated by one space, or be none',
    'RFC 7591 §2.1, OAuth Multiple Response Types §3, §4',
  ),
} as const
