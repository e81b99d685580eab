// The texts of the rules of client metadata, by their names: each says what holds, where a standard says so, and the remedy.
/**
 * What a rule is for. `safety`: nothing that breaks it comes in, at any door. `capability`: what breaks it cannot be done
 * here. `looks`: what breaks it cannot be shown. A document is written for all services, and loses what breaks the latter two.
 */
export type RuleKind = 'safety' | 'capability' | 'looks'

/**
 * A rule for input: its text, which ends with the remedy and never contains a value, the section that imposes it, and what
 * it is for.
 */
export type RuleText = { readonly text: string; readonly reference: string; readonly kind: RuleKind }

const ruleFor =
  (kind: RuleKind) =>
  (text: string, reference: string): RuleText => ({ text, reference, kind })

// The text is ASCII and follows the name of the member that violates the rule.
export const safety = ruleFor('safety')
const capability = ruleFor('capability')
const looks = ruleFor('looks')

const registration = 'OpenID Registration §2'
export const ownBound = 'a bound of this service'

export const policy = 'the registration policy of the operator'

export const registrationRules = {
  'response-type-grant': capability(
    'needs the matching grant: code needs authorization_code, token and id_token need implicit, in grant_types',
    'RFC 7591 §2.1',
  ),
  'confidential-grant': capability(
    'must not be none while grant_types holds client_credentials or urn:openid:params:grant-type:ciba: choose another method',
    'RFC 6749 §4.4, CIBA §7.1',
  ),
  'response-types-required': capability(
    'must not be empty while grant_types holds authorization_code or implicit',
    'RFC 7591 §2.1',
  ),

  'pairwise-sector': safety(
    'pairwise needs redirect_uris of one host that is not loopback, or a sector_identifier_uri',
    'OpenID Core §8.1',
  ),
  'sector-identifier-off': safety(
    'cannot be checked, because this service fetches nothing: leave it out, or ask the operator to turn on outbound-fetches',
    'OpenID Registration §5',
  ),
  'sector-identifier': safety(
    'must lead to a JSON array of strings (https on a public address or one in outbound-allowed-networks, at most 64 KiB, within 2.5 seconds, without redirect) that holds every one of redirect_uris',
    'OpenID Registration §5',
  ),

  'ciba-delivery-mode': capability(
    'is required for the grant type urn:openid:params:grant-type:ciba: send poll, ping or push',
    'CIBA §4',
  ),
  'ciba-notification-endpoint': capability(
    'is required for the delivery modes ping and push: send an https URI',
    'CIBA §4',
  ),

  'software-statement': safety(
    'must be a JWT in compact form that its issuer signed with one of its published keys, that is in force, and whose claims have no repeated names and no numbers that lose digits as a double (IEEE 754)',
    'RFC 7591 §2.3',
  ),
  'software-statement-unapproved': safety(
    'is not from an issuer that this service trusts: leave it out, or ask the operator to add the issuer to software-statement-issuers',
    'RFC 7591 §2.3',
  ),
  'software-statement-member': safety(
    'must not stand in a software statement: ask its issuer for one without it',
    'RFC 7591 §2.3',
  ),

  'policy-redirect-host': safety(
    'must be on a host, or have a private-use scheme, that the registration policy allows: use one of those, or ask the operator to add it to allowed_redirect_hosts',
    policy,
  ),
  'policy-required': safety('is required by the registration policy: send it', policy),
  'policy-auth-method': safety(
    'is not among the authentication methods that the registration policy allows: choose one of them',
    policy,
  ),
  'policy-response-type': safety(
    'is not among the response types that the registration policy allows: choose one of them',
    policy,
  ),
  'policy-statement': safety(
    'is required by the registration policy: send a software statement of an issuer that this service trusts',
    policy,
  ),
  'policy-software': safety(
    'is not that of software that the registration policy admits: ask the operator to add it to software_statements',
    policy,
  ),
  'policy-software-asserted': safety(
    'must stand in a software statement of an issuer that the registration policy names for this software: ask that issuer for a statement with it',
    policy,
  ),
  'policy-software-version': safety(
    'is not a version of this software that the registration policy admits: update the software',
    policy,
  ),
  'policy-algorithm': safety(
    'is not among the algorithms that the registration policy allows: choose one of them',
    policy,
  ),

  'preferred-client-id': safety(
    'must be 1 to 128 characters of A-Z a-z 0-9 . _ ~ -, but not . or .. or a name that every JavaScript object has, such as constructor',
    ownBound,
  ),
  'preferred-client-id-taken': safety('is not available: choose another or leave it out', 'RFC 7591 §3.2.1'),
  'preferred-client-secret': safety('must be 32 to 256 printable ASCII characters', 'RFC 6749 §A.2'),
  'preferred-client-secret-unused': safety(
    'is only for a client that has a secret: choose another token_endpoint_auth_method or leave it out',
    'RFC 7591 §3.2.1',
  ),
  'create-only': safety('can be set only when the client is registered: leave it out of an update', 'RFC 7592 §2.2'),
  'server-issued': safety('is issued by the server and cannot be set: leave it out', 'RFC 7592 §2.2'),
  'client-id-mismatch': safety(
    'must be the client_id of the registration being updated, or be left out',
    'RFC 7592 §2.2',
  ),
  'client-secret-mismatch': safety('must be the current client_secret, or be left out', 'RFC 7592 §2.2'),
  lifetime: safety('must be a whole number of seconds from 1 to 2592000 (30 days)', ownBound),
  'registration-scope': safety(
    'is required: client-reg or client-reg:* values separated by one space; client-reg:scope: needs a scope value after it',
    'RFC 6749 §3.3',
  ),
} as const

export const valueRules = {
  'more-faults': safety('There are more faults than are listed here: correct these first', ownBound),
  'unknown-member': looks('is not client metadata: leave it out, or correct its name', 'RFC 7591 §2'),
  'json-object': safety('The body must be a JSON object', 'RFC 7591 §3.1'),

  number: safety(
    'A number must keep its value when it is read as a double (IEEE 754) and written again: send it as a string',
    'RFC 8259 §6',
  ),
  'repeated-name': safety('An object must not have two members of the same name: send each once', 'RFC 8259 §4'),

  string: capability('must be a string', 'RFC 7591 §2'),
  boolean: capability('must be true or false, without quotation marks', registration),
  seconds: capability('must be a whole number of seconds, 0 or more, without quotation marks', registration),
  array: capability('must be a JSON array', 'RFC 7591 §2'),
  'array-size': capability('has too many entries: 32 are the limit (256 for redirection URIs)', ownBound),
  'array-empty': capability('must have at least one entry: send one, or leave the member out', 'RFC 7591 §2'),
  'unique-items': capability('must not repeat an entry: send each once', ownBound),
  text: looks('must be 1 to 200 characters, not all blank, without control or format characters', 'RFC 7591 §2'),
  contact: looks('must be 1 to 254 characters, not all blank, without control or format characters', 'RFC 7591 §2'),
  'long-text': looks(
    'must be 1 to 1000 characters, not all blank, without control or format characters',
    'OpenID Federation §5.2.2',
  ),
  'distinguished-name': capability(
    'must be 1 to 2048 characters, not all blank, without control or format characters',
    'RFC 8705 §2.1.2',
  ),
  token: capability('must be 1 to 256 visible ASCII characters without quotation mark or backslash', 'RFC 6749 §A.4'),
  scope: capability('must be scope values separated by one space, at most 2048 characters', 'RFC 6749 §3.3'),
  data: capability(
    'must be a JSON object of at most 16384 bytes, nested at most 32 levels, with no integer beyond 2^53 - 1: send such an integer as a string',
    ownBound,
  ),
  'credential-formats': capability(
    'must be a JSON object of at most 4096 bytes, with a JSON object for each credential format',
    'OpenID for Verifiable Presentations §11.1',
  ),
  'language-tag': looks('must have a language tag (BCP 47) after #, at most 35 characters', 'RFC 7591 §2.2'),
  'language-tag-repeated': looks(
    'must not have the same language twice: tags that differ only in case are the same',
    'RFC 5646 §2.1.1',
  ),
  'language-tags': looks('has too many language variants: 64 in all are the limit', ownBound),

  'application-type': capability('must be web or native', registration),
  'subject-type': capability('must be public or pairwise', registration),
  'auth-method': capability(
    'must be none, client_secret_basic, client_secret_post, client_secret_jwt, private_key_jwt, tls_client_auth or self_signed_tls_client_auth',
    'RFC 7591 §2, RFC 8705 §2',
  ),
  'signing-algorithm': capability(
    'must be RS, PS, ES or HS followed by 256, 384 or 512, such as RS256, or be EdDSA',
    'RFC 7518 §3.1, RFC 8037 §3.1',
  ),
  'signing-algorithm-or-none': capability(
    'must be RS, PS, ES or HS followed by 256, 384 or 512, such as RS256, or be EdDSA or none',
    'RFC 7518 §3.1, RFC 8037 §3.1',
  ),
  'asymmetric-algorithm': capability(
    'must be RS, PS or ES followed by 256, 384 or 512, such as RS256, or be EdDSA',
    'RFC 7518 §3.1, RFC 8037 §3.1',
  ),
  'encryption-algorithm': capability(
    'must be RSA-OAEP, RSA-OAEP-256, RSA-OAEP-384, RSA-OAEP-512, ECDH-ES, ECDH-ES+A128KW, ECDH-ES+A192KW, ECDH-ES+A256KW, A128KW, A192KW, A256KW, A128GCMKW, A192GCMKW, A256GCMKW or dir',
    'RFC 7518 §4.1',
  ),
  'content-encryption': capability(
    'must be A128CBC-HS256, A192CBC-HS384, A256CBC-HS512, A128GCM, A192GCM or A256GCM',
    'RFC 7518 §5.1',
  ),
  'unsupported-algorithm': capability(
    'names an algorithm that the provider does not support: choose one that its metadata list, or ask the operator to add it to signing-algorithms or, where the setting engine is none, to provider-metadata',
    registration,
  ),
  'response-mode': capability(
    'must be query, fragment, form_post, jwt, query.jwt, fragment.jwt or form_post.jwt',
    'OAuth Multiple Response Types §2.1, JARM §2.3',
  ),
  'token-delivery-mode': capability('must be poll, ping or push', 'CIBA §4'),
  'registration-type': capability('must be automatic or explicit', 'OpenID Federation §5.1.2'),
  'grant-type': capability(
    'must be 1 to 256 visible ASCII characters without quotation mark or backslash',
    'RFC 7591 §2',
  ),
  'response-type': capability(
    'must be made of code, id_token and token, each once, separated by one space, or be none',
    'RFC 7591 §2.1, OAuth Multiple Response Types §3, §4',
  ),
} as const

export const keyRules = {
  'jwk-set': safety('must be a JSON Web Key set: an object with an array of at most 32 keys', 'RFC 7517 §5'),
  'jwk-set-size': safety(
    'must be at most 16384 bytes as JSON: leave out certificates and keys that are not used, or publish the set at jwks_uri',
    ownBound,
  ),
  jwk: safety('must be a JSON Web Key: an object with kty', 'RFC 7517 §4'),
  'jwk-private': safety(
    'must hold public keys only: leave out d, p, q, dp, dq, qi, oth, k, priv and keys of the type oct',
    'RFC 7591 §2',
  ),
  'jwk-member': safety(
    'must have the form that its key type requires: unpadded base64url of the right length, or text',
    'RFC 7518 §6, RFC 8037 §2',
  ),
  'jwk-rsa-size': safety('must be an odd RSA modulus of 2048 to 16384 bits', 'RFC 7518 §3.3'),
  'jwk-rsa-exponent': safety('must be an odd RSA exponent of 65537 or more, such as AQAB', 'FIPS 186-5 §5.1'),
  'jwk-kid': safety('must be a kid of 1 to 256 visible ASCII characters, without two dots in a row', 'RFC 7517 §4.5'),
  'jwk-kid-repeated': safety('must not repeat a kid: give each key its own', 'RFC 7517 §4.5'),
  'jwks-exclusive': safety('must not be sent together with jwks: choose one', 'RFC 7591 §2'),
  'keys-required': safety(
    'needs the public keys of the client: send jwks with at least one key, or jwks_uri',
    registration,
  ),

  'id-token-unsigned': safety(
    'may be none only when no response type holds id_token: choose another algorithm, or leave those response types out',
    registration,
  ),
  'id-token-unsigned-logout': safety(
    'must not be none together with post_logout_redirect_uris or backchannel_logout_uri: choose an algorithm that signs, or leave those out',
    'OpenID RP-Initiated Logout §2, OpenID Back-Channel Logout §2.6',
  ),
  'logout-token-algorithm': capability(
    'must be an algorithm by which this service signs, because backchannel_logout_uri is sent: choose such an algorithm, or ask the operator to add this one to signing-algorithms',
    'OpenID Back-Channel Logout §2.6',
  ),
  'secret-algorithm': safety(
    'names an algorithm whose key is the client_secret, and a client with token_endpoint_auth_method none has no secret: choose another algorithm, or another method',
    'OpenID Core §10.1, §10.2',
  ),
  'secret-length': safety(
    'needs a longer client_secret: 32 bytes for HS256, 48 for HS384, 64 for HS512. Choose an algorithm that needs fewer, or ask the operator for a greater client-secret-length',
    'RFC 7518 §3.2',
  ),
  'auth-signing-algorithm': capability(
    'must be an HS algorithm for client_secret_jwt, an asymmetric one for private_key_jwt, and left out for any other token_endpoint_auth_method',
    registration,
  ),
  'tls-client-auth': safety(
    'is tls_client_auth, which needs exactly one of tls_client_auth_subject_dn, _san_dns, _san_uri, _san_ip and _san_email',
    'RFC 8705 §2.1.2',
  ),
  'tls-client-auth-unused': capability(
    'is only for the token_endpoint_auth_method tls_client_auth: leave it out',
    'RFC 8705 §2.1.2',
  ),
  'encryption-needs-algorithm': safety(
    'needs the member that names the key algorithm: send the same name with _alg',
    registration,
  ),
  'signed-request-required': safety('must not be none while require_signed_request_object is true', 'RFC 9101 §10.5'),
  'value-not-chosen': safety(
    'must be one of the values that the client lists as supported: add it to the list, or choose from it',
    'OpenID RP Metadata Choices §2',
  ),
  'no-known-choice': safety(
    'must hold at least one value that this service supports: see the same list in the metadata of the provider',
    'OpenID RP Metadata Choices §2',
  ),
} as const

export const uriRules = {
  uri: capability(
    'must be an absolute URI of at most 2048 ASCII characters, without blank, backslash or control character',
    'RFC 3986 §4.3',
  ),
  'uri-fragment': safety('must not have a fragment: leave out # and what follows', 'RFC 6749 §3.1.2'),
  'uri-user-info': safety('must not carry user information: leave out what stands before @', 'RFC 9110 §4.2.4'),
  'uri-host': safety(
    'must name its host plainly: a domain name, a dotted IPv4 address or [::1], without wildcard',
    'RFC 3986 §3.2.2',
  ),
  'uri-dot-segment': safety(
    'must not have . or .. as a segment of its path: write the path without such segments',
    'RFC 3986 §6.2.2.3',
  ),
  'web-uri': capability('must begin with https:// or http://', registration),
  'https-uri': capability('must begin with https://', registration),
  'fetched-port': capability(
    'must name port 443 or one from 1024 to 65535, because this service sends requests to it: serve it at such a port',
    ownBound,
  ),
  'request-uri': capability(
    'must begin with https://, and may end with # and the base64url SHA-256 of the request object (43 characters)',
    'OpenID Core §6.2',
  ),
  'host-name': capability('must be a domain name of at most 253 ASCII characters', 'RFC 8705 §2.1.2'),
  'ip-address': capability('must be an IPv4 address, or an IPv6 address without brackets and zone', 'RFC 8705 §2.1.2'),
  'uri-scheme': safety(
    'must not have a scheme that browsers or operating systems act upon by themselves, such as javascript, file or intent: use https, or a private-use scheme with a period, such as com.example.app',
    'RFC 8252 §8.4',
  ),
  'redirect-uri-web': capability(
    'of a web client must begin with https://, or http:// on localhost, 127.0.0.1 or [::1]: for another scheme, or http on a private network with allow_http_on_private_networks, use application_type native',
    registration,
  ),
  'redirect-uri-implicit': capability(
    'of a web client with the implicit grant must begin with https:// and not name localhost',
    registration,
  ),
  'redirect-uri-native': capability(
    'of a native client must be http:// on localhost, 127.0.0.1 or [::1], https:// on another host, or have a private-use scheme',
    `${registration}, RFC 8252 §7`,
  ),
  'redirect-uri-private-network': capability(
    'is http on a private network, which the policy must allow, and then only native clients without the implicit grant may have: use https, or ask the operator to set allow_http_on_private_networks',
    ownBound,
  ),
  'redirect-uri-private-use': capability(
    'must have a private-use scheme with a period, such as com.example.app, or one that the operator allows: choose such a scheme, or ask the operator to add it to allowed_private_use_schemes',
    'RFC 8252 §7.1, §8.4',
  ),
  'redirect-uri-wildcard': safety('must not have * in its host or path: register each URI in full', 'RFC 9700 §2.1'),
  'redirect-uri-query': safety(
    'must not have code, state, response or error in its query, because the answer adds them: leave them out',
    'RFC 6749 §4.1.2',
  ),
  'redirect-uris-required': safety(
    'is required, because grant_types holds authorization_code (its default) or implicit, or response_types holds none: register at least one',
    'RFC 7591 §2',
  ),
  'redirect-uris-unused': capability(
    'is only for clients that are answered by a redirect: leave it out, add authorization_code or implicit to grant_types, or ask for the response type none',
    'RFC 7591 §2',
  ),
  'frontchannel-origin': capability(
    'must have the scheme, host and port of one of redirect_uris',
    'OpenID Front-Channel Logout §2',
  ),
  'frontchannel-scheme': capability(
    'must begin with https://, or with http:// on localhost, 127.0.0.1 or [::1]',
    'OpenID Front-Channel Logout §2',
  ),
} as const

/** The rules of client metadata and of its registration. */
export const metadataRules = { ...valueRules, ...uriRules, ...keyRules, ...registrationRules }

export type MetadataRuleId = keyof typeof metadataRules
