// The texts of the rules of documents, signed requests, sessions and operator tokens, and all rules. A program that only
// registers clients has none of these texts.
import { metadataRules, ownBound, policy, safety } from './rule-texts.js'

const section = (of02: string, of00: string): string => `CIMD -02 §${of02}, -00 §${of00}`

/** Rules for clients whose client_id is the URL of their metadata. */
export const documentRules = {
  'client-id-url-path': safety(
    'must have a path after its host: write the whole URL, such as https://app.example/client.json',
    section('3', '3'),
  ),
  'client-id-url-spelling': safety(
    'must have one spelling: https:// and host in lower case, no port 443, no ; // %2F %5C or %25 in the path, no percent-encoding of a character that needs none, and no apostrophe in the query',
    ownBound,
  ),
  'document-not-accepted': safety(
    'is not the URL of a document that the registration policy accepts: register with POST, or ask the operator to add it to metadata_documents',
    policy,
  ),
  'document-withdrawn': safety(
    'must lead to a document: its server answers that there is none (404 or 410)',
    section('5.1', '4.3'),
  ),
  'document-unreachable': safety(
    'must lead to a document: its server must answer with 200, without redirect',
    section('5, 5.1', '4.3'),
  ),
  'document-json': safety(
    'must lead to a JSON object, of the media type application/json or one that ends with +json',
    section('4', '4.1'),
  ),
  'document-client-id': safety(
    'must be the URL of the document, byte by byte: write the URL under which it is published',
    section('4', '4.1'),
  ),
  'document-secret': safety('must not stand in a document, which is public: leave it out', section('4.1', '4.1')),
  'document-auth-method': safety(
    'must not be a method with a client_secret, because a published document can hold none: use none, or private_key_jwt with jwks_uri or jwks',
    section('4.1', '4.1'),
  ),
  'document-secret-algorithm': safety(
    'needs a client_secret, which a published document cannot hold: name an algorithm with a key pair',
    section('4.1', '4.1'),
  ),
  'document-sector': safety(
    'needs a sector at the host of client_id, because a document proves no other host: publish the list of sector_identifier_uri there, use redirect_uris there, or send subject_type public',
    ownBound,
  ),
  'document-privilege': safety(
    'contains nothing that the registration policy grants to clients with a document: ask the operator to extend the ceiling named open, or metadata_documents',
    policy,
  ),
} as const

// Rules of registration requests that are signed as a whole: docs/use/register.md#open-banking.

const request = 'Open Banking DCR 3.3, OBClientRegistrationRequest1'
const keys = 'Open Banking DCR 3.3, Of JWS & JWKS'

export const signedBodyRules = {
  'signed-body': safety(
    'The body must be a JWT in compact form, with a header and claims that every reader of JSON reads alike',
    request,
  ),
  'signed-body-algorithm': safety(
    'The body must be signed by PS256: sign it so, and say so in alg of its header',
    request,
  ),
  'signed-body-kid': safety(
    'The body must name its key in kid of its header: send the kid of the signing key',
    request,
  ),
  'signed-body-header': safety(
    'The body must not have jwk, jku, x5c, x5u or crit in its header: leave them out, because the keys are those that the software statement names',
    keys,
  ),
  'signed-body-signature': safety(
    'The body must be signed by a key of the software: sign with a key that is in the key set of its software statement',
    'RFC 7515 §5.2',
  ),
  'signed-body-keys': safety(
    'The body cannot be verified, because software_jwks_endpoint of the software statement leads to no key set: publish the keys there, at a public https address without redirect, and repeat the request',
    keys,
  ),
  'signed-body-keys-off': safety(
    'The body cannot be verified, because the setting outbound-fetches is off: send a software statement with software_jwks, or ask the operator to turn it on',
    keys,
  ),
  'signed-body-audience': safety(
    'must be the identifier of this service at the directory: send the one that its operator publishes',
    request,
  ),
  'signed-body-expired': safety('must be a time in seconds that is not past: sign a new request', request),
  'signed-body-not-yet': safety('must be a time in seconds that is not in the future: correct the clock', request),
  'signed-body-id': safety('must be a UUID of version 4: send a new one with each request', request),
  'signed-body-issuer': safety(
    'must be the software_id of the software statement: send that, with the statement of the same software',
    request,
  ),
  'signed-body-software': safety('must be that of the software statement, or be left out', request),
  'signed-body-other-software': safety(
    'must be that of the registered client: register the other software as a client of its own',
    request,
  ),
  'signed-body-redirect-uri': safety(
    'must be among software_redirect_uris of the software statement: register it at the directory, and send a new statement',
    request,
  ),
  'signed-body-own-keys': safety(
    'must be left out of a signed request: the keys are those that the software statement names',
    keys,
  ),
} as const

/** Rules for the end-user sessions that a login system records. */
export const sessionRules = {
  subject: safety('must be 1 to 255 printable ASCII characters', 'OpenID Core §2'),
  'session-lifetime': safety('must be a whole number of seconds from 1 to 31536000 (a year)', ownBound),
  'session-client': safety('must be the client_id of a registered client', 'OpenID Registration §3.2'),
  'session-cookie': safety('must be the value of the session cookie', ownBound),
  'session-member': safety('is not a member of this request: leave it out', ownBound),
} as const

export const operatorRules = {
  'operator-scope': safety(
    'must be privileges separated by one space, of clients:read, clients:secrets, clients:write, tokens, keys, sessions, connections:read, connections:write, deliveries, audit, metrics',
    'RFC 6749 §3.3',
  ),
  'operator-token-name': safety('must be 1 to 80 characters, without control characters', ownBound),
  'operator-token-lifetime': safety('must be a whole number of seconds from 1 to 31536000 (a year)', ownBound),
} as const

/** All rules for input, by stable id. */
export const ruleTexts = {
  ...metadataRules,
  ...sessionRules,
  ...documentRules,
  ...operatorRules,
  ...signedBodyRules,
}

export type RuleId = keyof typeof ruleTexts

export const isRuleId = (rule: string): rule is RuleId => Object.hasOwn(ruleTexts, rule)
