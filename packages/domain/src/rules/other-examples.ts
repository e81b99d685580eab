import type { documentRules, operatorRules, sessionRules, signedBodyRules } from '../kernel/all-rules.js'
import type { JsonObject } from '../kernel/json-object.js'
import { type RuleExample, requesting } from './example.js'

const beginning = requesting('POST /sessions', { sub: 'alice' })
const finding = requesting('POST /sessions/find')
const recording = requesting('POST /sessions/{sid}/clients')

/** Examples of the rules for the sessions that a login system records. */
export const sessionExamples: Readonly<Record<keyof typeof sessionRules, RuleExample>> = {
  subject: beginning(
    '/sub',
    'The value is the sub of ID tokens, which is at most 255 characters of ASCII.',
    { sub: 'Zoë' },
    { sub: 'zoe' },
  ),
  'session-lifetime': beginning(
    '/lifetime',
    'A session that never ends would stay open on a device that somebody else has by then.',
    { lifetime: 0 },
    { lifetime: 86_400 },
  ),
  'session-client': recording(
    '/client_id',
    'Only a registered client can be notified of the logout.',
    { client_id: 'not registered' },
    { client_id: 'shop' },
    { given: 'A client with the client_id shop is registered.' },
  ),
  'session-cookie': finding(
    '/cookie',
    'The cookie has letters and digits only: another value was made by somebody else.',
    { cookie: 'session=a1b2c3' },
    { cookie: 'a1b2c3' },
  ),
  'session-member': beginning(
    '/life_time',
    'If a misspelt name were dropped, the default would count, and nobody would be told.',
    { life_time: 86_400 },
    { life_time: null, lifetime: 86_400 },
  ),
}

const issuing = requesting('POST /operator-tokens', { scope: 'clients:read' })

/** Examples of the rules of operator tokens. */
export const operatorExamples: Readonly<Record<keyof typeof operatorRules, RuleExample>> = {
  'operator-scope': issuing(
    '/scope',
    'A token permits what its scope names, and a misspelt privilege permits nothing.',
    { scope: 'clients:all' },
    { scope: 'clients:read clients:write' },
  ),
  'operator-token-name': issuing(
    '/name',
    'People find the token by its name when they list and revoke tokens.',
    { name: '' },
    { name: 'nightly backup' },
  ),
  'operator-token-lifetime': issuing(
    '/lifetime',
    'A token that never ends is in force when nobody remembers who has it.',
    { lifetime: 0 },
    { lifetime: 7_776_000 },
  ),
}

const url = 'https://app.example/client.json'
const publishing = requesting('a document at a client_id', {
  client_id: url,
  redirect_uris: ['https://app.example/callback'],
})
const anyDocument = { policy: { metadata_documents: { accept: 'any' } } } as const
const document = `{ "client_id": "${url}", "redirect_uris": ["https://app.example/callback"] }`
const answer = (status: string, type: string, body: string): string =>
  `HTTP/1.1 ${status}\nContent-Type: ${type}\n\n${body}`

/** An answer of the server of the document, and the answer that is expected of it. */
const answering = (reason: string, bad: string): RuleExample => ({
  request: 'a document at a client_id',
  reason,
  at: '/client_id',
  bad,
  good: answer('200 OK', 'application/json', document),
  ...anyDocument,
})

/** Examples of the rules of clients whose client_id is the URL of their metadata. */
export const documentExamples: Readonly<Record<keyof typeof documentRules, RuleExample>> = {
  'client-id-url-path': publishing(
    '/client_id',
    'A host alone names no document, and its front page is for people.',
    { client_id: 'https://app.example' },
    { client_id: url },
    anyDocument,
  ),
  'client-id-url-spelling': publishing(
    '/client_id',
    'The URL is compared letter by letter: with two spellings, one application would be two clients.',
    { client_id: 'https://App.example/client.json' },
    { client_id: url },
    anyDocument,
  ),
  'document-not-accepted': publishing(
    '/client_id',
    'The operator says of which hosts documents are accepted.',
    { client_id: 'https://other.example/client.json' },
    { client_id: url },
    { policy: { metadata_documents: { accept: 'listed', allowed_hosts: ['app.example'] } } },
  ),
  'document-withdrawn': answering(
    'Whoever publishes the document has removed it, so that the client is no more.',
    answer('404 Not Found', 'text/plain', 'Not found'),
  ),
  'document-unreachable': answering(
    'A redirect could lead to a document of somebody else.',
    answer('302 Found', 'text/plain', 'See https://www.app.example/client.json'),
  ),
  'document-json': answering(
    'A page for people holds no client metadata; a server that answers with one for every address would publish it by accident.',
    answer('200 OK', 'text/html', '<h1>App</h1>'),
  ),
  'document-client-id': publishing(
    '/client_id',
    'The document says which client it describes: a copy at another address must not become a second client.',
    { client_id: 'https://app.example/other.json' },
    { client_id: url },
    { ...anyDocument, given: `The document stands at ${url}.` },
  ),
  'document-secret': publishing(
    '/client_secret',
    'Everybody can read the document, and with it the secret.',
    { client_secret: 'everybody-can-read-this-secret-here' },
    { client_secret: null },
    anyDocument,
  ),
  'document-auth-method': publishing(
    '/token_endpoint_auth_method',
    'These methods take a secret, which no published document can hold.',
    { token_endpoint_auth_method: 'client_secret_basic' },
    { token_endpoint_auth_method: 'none' },
    anyDocument,
  ),
  'document-secret-algorithm': publishing(
    '/id_token_signed_response_alg',
    'The key of such an algorithm is a client_secret, which no published document can hold.',
    {
      token_endpoint_auth_method: 'private_key_jwt',
      jwks_uri: 'https://app.example/keys.json',
      id_token_signed_response_alg: 'HS256',
    },
    { id_token_signed_response_alg: 'RS256' },
    anyDocument,
  ),
  'document-sector': publishing(
    '/sector_identifier_uri',
    'Whoever publishes a document vouches for its own host alone: another sector would show the subjects of somebody else.',
    { sector_identifier_uri: 'https://other.example/redirects.json' },
    { sector_identifier_uri: null },
    anyDocument,
  ),
  'document-privilege': publishing(
    '/grant_types',
    'A document has no token, so that it gets what everybody gets.',
    {
      grant_types: ['client_credentials'],
      redirect_uris: null,
      jwks_uri: 'https://app.example/keys.json',
      token_endpoint_auth_method: 'private_key_jwt',
    },
    { grant_types: ['authorization_code'], redirect_uris: ['https://app.example/callback'] },
    anyDocument,
  ),
}

const header = { alg: 'PS256', kid: 'key-1' }
const claims = {
  iss: 'shop',
  aud: '0015800001041RHAAY',
  iat: 1_700_000_000,
  exp: 1_700_000_300,
  jti: '0b9d2f3e-6a5c-4d21-9b1f-3a2c5d7e8f90',
  software_statement: 'e30.e30.c2lnbmF0dXJl',
  redirect_uris: ['https://app.example/callback'],
}
const demanding = {
  policy: { signed_bodies: { format: 'uk', audience: ['0015800001041RHAAY'] } },
} as const
const ofStatement =
  'The software statement has the software_id shop, and https://app.example/callback as its only software_redirect_uris.'

/** A request of which one part breaks the rule. */
const signing = requesting('a signed request of POST /clients', { header, claims })
const inHeader = (reason: string, broken: JsonObject): RuleExample =>
  signing('', reason, { header: { ...header, ...broken } }, { header }, demanding)
const inClaims = (at: string, reason: string, broken: JsonObject, given = ofStatement): RuleExample =>
  signing(at, reason, { claims: { ...claims, ...broken } }, { claims }, { ...demanding, given })

/** The same request at two times: what is refused is no part of it. */
const elsewhere = (reason: string, given: string): RuleExample => signing('', reason, {}, {}, { ...demanding, given })

/** Examples of the rules of requests that are signed as a whole. */
export const signedBodyExamples: Readonly<Record<keyof typeof signedBodyRules, RuleExample>> = {
  'signed-body': {
    request: 'a signed request of POST /clients',
    reason: 'A request that is signed as a whole is a JWT: a header, claims and a signature, separated by dots.',
    at: '',
    bad: '{"redirect_uris":["https://app.example/callback"]}',
    good: 'eyJhbGciOiJQUzI1NiIsImtpZCI6ImtleS0xIn0.eyJpc3MiOiJzaG9wIn0.c2lnbmF0dXJl',
    ...demanding,
  },
  'signed-body-algorithm': inHeader('The directory demands this algorithm.', { alg: 'RS256' }),
  'signed-body-kid': inHeader('The service looks up the key of the signature by its name.', { kid: '' }),
  'signed-body-header': inHeader('A key that comes with the request proves nothing: everybody can send one.', {
    jku: 'https://app.example/keys.json',
  }),
  'signed-body-signature': elsewhere(
    'Without a signature of the software, everybody could register in its name.',
    'The bad request is signed by a key that is not in the key set of the software; the good one by a key that is.',
  ),
  'signed-body-keys': elsewhere(
    'The keys of the software stand where its statement says, and nowhere else.',
    'At the bad request, software_jwks_endpoint answers with no key set; at the good one it does.',
  ),
  'signed-body-keys-off': elsewhere(
    'The keys of the software must be read, and this service sends no requests.',
    'At the bad request, the setting outbound-fetches is off; at the good one it is on.',
  ),
  'signed-body-audience': inClaims('/aud', 'A request that was made for another service must not be used here.', {
    aud: 'https://other.example',
  }),
  'signed-body-expired': inClaims('/exp', 'Whoever finds an old request must not be able to send it again.', {
    exp: 1_600_000_000,
  }),
  'signed-body-not-yet': inClaims(
    '/iat',
    'A request from the future comes from a clock that is wrong, and would be in force for too long.',
    { iat: 1_800_000_000 },
  ),
  'signed-body-id': inClaims('/jti', 'Each request has a name of its own, by which it is known.', { jti: '1' }),
  'signed-body-issuer': inClaims(
    '/iss',
    'The software signs for itself: a statement about another software does not count.',
    { iss: 'bank' },
  ),
  'signed-body-software': inClaims('/software_id', 'The request and its statement are about one software.', {
    software_id: 'bank',
  }),
  'signed-body-other-software': inClaims(
    '/software_statement',
    'An update does not hand a client over to another software.',
    {},
    'The bad request updates a client of the software bank; the good one updates a client of the software shop.',
  ),
  'signed-body-redirect-uri': inClaims(
    '/redirect_uris/0',
    'The directory says where the software receives its answers.',
    { redirect_uris: ['https://other.example/callback'] },
  ),
  'signed-body-own-keys': inClaims(
    '/jwks',
    'The keys of the software stand where its statement says, and nowhere else.',
    { jwks: { keys: [] } },
  ),
}
