// What each route does, and what it asks and answers beyond what its declaration says: docs/use/register.md.
import { connectionParameters } from '@clientele/domain/provider'
import { parameterTexts, refusalParameters } from '@clientele/domain/managing'
import { auditParameters } from '@clientele/domain/operations'
import { type Schema, type SchemaName, either, listOf, named, object, text, time, truth } from './schemas.js'

export type Sent = { readonly schema: Schema; readonly example: unknown }

type Ungrouped = {
  readonly summary: string
  /** The parameters of the query, each with what it must be. */
  readonly query?: Readonly<Record<string, string>>
  readonly headers?: ReadonlyArray<'If-Match' | 'Idempotency-Key'>
  readonly body?: Sent
  /** What the answers that are no refusals have, by their status; undefined for no content. */
  readonly answers: Readonly<Record<number, Schema | 'page' | 'text' | undefined>>
  /** The refusals of this operation, beside those of the privilege, the transport and the store, and the 400 of an operator's change. */
  readonly refusals?: ReadonlyArray<number>
  /** The token of a client that is taken as well. */
  readonly token?: 'initial_access_token' | 'registration_access_token'
}

const client = { redirect_uris: ['https://app.example/callback'], client_name: 'Shop' }
const metadata: Sent = { schema: named('ClientMetadata'), example: client }
const registration: Sent = { schema: named('RegistrationRequest'), example: client }
const kid: Sent = { schema: object({ kid: text }), example: { kid: 'key-1' } }
const jwks: Sent = {
  schema: named('JwkSet'),
  example: { keys: [{ kty: 'OKP', crv: 'Ed25519', kid: 'key-1', x: '...' }] },
}
const refusalQuery = Object.fromEntries(Object.entries(refusalParameters).map(([name, { text: what }]) => [name, what]))
const page = { limit: parameterTexts['limit'] ?? '', after: parameterTexts['after'] ?? '' }

const one = (
  summary: string,
  answer: SchemaName | undefined,
  refusals: ReadonlyArray<number> = [],
  more: Partial<Ungrouped> = {},
): Ungrouped => ({
  summary,
  answers: answer === undefined ? { 204: undefined } : { 200: named(answer) },
  refusals,
  ...more,
})

/** A change of one client, in the version that the request may name: RFC 9110 §13.1.1, RFC 6585 §3. */
const ofVersion = (
  summary: string,
  answer: SchemaName | undefined,
  { refusals = [], ...more }: Partial<Ungrouped> = {},
): Ungrouped => one(summary, answer, [404, 412, 428, ...refusals], { headers: ['If-Match'], ...more })

/** A page for people, who send forms. */
const forPeople = (summary: string, statuses: ReadonlyArray<number> = []): Ungrouped => ({
  summary,
  answers: Object.fromEntries([200, ...statuses].map((status) => [status, 'page'])),
  refusals: [],
})

const published = (summary: string, schema: Schema | 'page'): Ungrouped => ({
  summary,
  answers: { 200: schema, 304: undefined },
})

/** A page of a sign-in, or of the end-user who is signed in. */
const ofSignIn = (summary: string): Ungrouped => forPeople(summary, [303, 400, 403, 429, 503])

/** An operation on all clients or connections that a filter selects. */
const many = (summary: string, filter: object = { origin: 'open', never_used: true }): Ungrouped => ({
  summary,
  body: { schema: named('BulkRequest'), example: { filter, dry_run: true } },
  answers: { 200: named('BulkAnswer'), 503: named('InterruptedBulk') },
  refusals: [409],
})

/** By group, in the order of the pages; each by method and path. */
const described: Readonly<Record<string, Readonly<Record<string, Ungrouped>>>> = {
  Registration: {
    'POST /clients': {
      summary: 'Registers a client (RFC 7591).',
      headers: ['Idempotency-Key'],
      body: registration,
      answers: { 200: either(named('Client'), named('ClientPreview')), 201: named('Client') },
      refusals: [400, 409, 422],
      token: 'initial_access_token',
    },
    'GET /clients/{id}': one('Reads a registration (RFC 7592).', 'Client', [404], {
      token: 'registration_access_token',
    }),
    'PUT /clients/{id}': ofVersion('Replaces the metadata of a registration (RFC 7592).', 'Client', {
      body: metadata,
      answers: { 200: either(named('Client'), named('ClientPreview')) },
      token: 'registration_access_token',
    }),
    'DELETE /clients/{id}': ofVersion('Deletes a registration, with its tokens (RFC 7592).', undefined, {
      token: 'registration_access_token',
    }),
  },
  Published: {
    'GET /jwks.json': published('The public keys of the service (RFC 7517).', named('JwkSet')),
    'GET /.well-known/openid-configuration': published('The metadata of the provider (OpenID Discovery).', {
      type: 'object',
    }),
    'GET /.well-known/oauth-authorization-server': published('The same metadata (RFC 8414).', { type: 'object' }),
    'GET /rules': published('The list of the rules of a registration.', 'page'),
    'GET /rules/{id}': {
      ...published('The page of a rule, to which the faults of a refusal lead.', 'page'),
      refusals: [404],
    },
    'GET /openapi.json': published('This document.', { type: 'object' }),
    'GET /reference': published('The list of the operations.', 'page'),
    'GET /reference/{id}': { ...published('The page of an operation.', 'page'), refusals: [404] },
  },
  Clients: {
    'GET /clients': {
      summary: 'Lists all clients, with their credentials for those who may see them.',
      answers: { 200: listOf(either(named('Client'), named('UnreadableClient'))) },
      refusals: [400],
    },
    'GET /manage/v1/clients': one('Lists clients, page by page, that a filter selects.', 'ClientPage', [400], {
      query: parameterTexts,
    }),
    'GET /manage/v1/clients/{id}': one(
      'Reads a client, without its credentials, and what the registration policy says of it alone.',
      'ReadClient',
      [404],
    ),
    'GET /manage/v1/clients/{id}/secrets': one(
      'Reads the credentials of a client, which the audit log records.',
      'ClientSecrets',
      [404],
    ),
    'GET /manage/v1/clients/{id}/client-secrets': one(
      'Lists the client_secrets that count, the newest first, without their values.',
      'ListedSecrets',
      [404],
    ),
    'POST /manage/v1/clients/{id}/client-secrets': ofVersion(
      'Adds a second client_secret, which the answer shows; the first one counts until it is dropped or ends.',
      'AddedSecret',
      {
        body: { schema: object({ 'preceding_ends_at?': time }), example: { preceding_ends_at: 1830297600 } },
        refusals: [409],
      },
    ),
    'PUT /manage/v1/clients/{id}/client-secrets/preceding': ofVersion(
      'Lets the first of two client_secrets end at a time.',
      'ChangedClient',
      { body: { schema: object({ ends_at: time }), example: { ends_at: 1830297600 } }, refusals: [409] },
    ),
    'DELETE /manage/v1/clients/{id}/client-secrets/preceding': ofVersion(
      'Drops the first of two client_secrets: it authenticates nobody from then on.',
      'ChangedClient',
      { refusals: [409] },
    ),
    'PATCH /manage/v1/clients/{id}': ofVersion(
      'Changes members of a client, which keeps its credentials (RFC 7396).',
      'Client',
      {
        body: { schema: named('ClientMetadata'), example: { client_name: 'Shop', contacts: null } },
        answers: { 200: either(named('Client'), named('PatchPreview')) },
      },
    ),
    'DELETE /manage/v1/clients/{id}': ofVersion('Removes a client, with all that is recorded for it.', undefined),
    'POST /clients/{id}/suspension': ofVersion('Suspends a client: nothing of it is answered.', 'ChangedClient'),
    'DELETE /clients/{id}/suspension': ofVersion('Resumes a suspended client.', 'ChangedClient'),
    'POST /clients/{id}/renewal': ofVersion('Makes a new client_secret and registration access token.', 'Client', {
      refusals: [400],
    }),
    'POST /manage/v1/clients/{id}/approval': ofVersion('Approves a client that waits for it.', 'ChangedClient'),
    'POST /manage/v1/clients/{id}/refusal': ofVersion(
      'Refuses a client that waits for an approval, with a reason.',
      'ChangedClient',
      {
        body: { schema: object({ reason: text }), example: { reason: 'Please send a policy_uri.' } },
        refusals: [409],
      },
    ),
    'POST /manage/v1/clients/{id}/restoration': one(
      'Registers a client again that the service removed by itself.',
      'RestoredClient',
      [404, 409],
    ),
    'GET /manage/v1/refusals': one(
      'Tells how often each rule refused which software lately, and the last refusals.',
      'RefusalList',
      [400],
      { query: { ...refusalQuery, limit: parameterTexts['limit'] ?? '' } },
    ),
    'GET /manage/v1/removals': one(
      'Lists the clients that the service removed by itself, and that can be restored.',
      'RemovalPage',
      [400],
      {
        query: page,
      },
    ),
    'POST /manage/v1/clients/suspension': many('Counts or suspends the clients that a filter selects.'),
    'POST /manage/v1/clients/resumption': many('Counts or resumes the clients that a filter selects.'),
    'POST /manage/v1/clients/approval': many('Counts or approves the clients that a filter selects.'),
    'POST /manage/v1/clients/refusal': many('Counts or refuses the clients that a filter selects.'),
    'POST /manage/v1/clients/removal': many('Counts or removes the clients that a filter selects.'),
    'POST /imported-clients': one('Imports a batch of clients of another server.', 'ImportOutcomes', [400], {
      body: {
        schema: object({
          replace: truth,
          clients: listOf({ type: 'object' }),
          'declares?': object({ set: text, adopt: truth }),
        }),
        example: { replace: false, clients: [{ client_id: 'shop', metadata: client }] },
      },
    }),
    'GET /exported-clients': {
      summary: 'All clients in the format of an export.',
      query: { secrets: 'true, for the credentials of the clients; false without it' },
      answers: { 200: listOf(either(named('ExportedClient'), named('UnreadableClient'))) },
      refusals: [400],
    },
    'POST /registration-policy/judgement': {
      summary: 'All clients under a registration policy, with what would be refused of them.',
      body: { schema: { type: 'object' }, example: { allowed_redirect_hosts: ['app.example'] } },
      answers: { 200: listOf(either(named('JudgedClient'), named('UnreadableClient'))) },
      refusals: [400],
    },
  },
  Connections: {
    'GET /manage/v1/connections': one(
      'Lists what end-users granted to applications, page by page.',
      'ConnectionPage',
      [400],
      {
        query: {
          ...Object.fromEntries(Object.entries(connectionParameters).map(([name, { text: must }]) => [name, must])),
          ...page,
        },
      },
    ),
    'GET /manage/v1/connections/{id}': one('Reads a connection.', 'Connection', [404]),
    'DELETE /manage/v1/connections/{id}': one('Revokes a connection, with its tokens.', undefined, [404]),
    'POST /manage/v1/connections/revocation': many('Counts or revokes the connections that a filter selects.', {
      sub: 'alice',
    }),
  },
  Tokens: {
    'POST /direct-authz': one('Issues an initial access token, which registers one client.', 'IssuedToken', [400], {
      body: {
        schema: object({ scope: text, 'lifetime?': time }),
        example: { scope: 'client-reg:grant:code', lifetime: 3600 },
      },
    }),
    'GET /initial-access-tokens': one('Lists the initial access tokens in force.', 'InitialAccessTokenList'),
    'DELETE /initial-access-tokens/{id}': one('Revokes an initial access token.', undefined, [404]),
    'GET /operator-tokens': one('Lists the operator tokens in force.', 'OperatorTokenList'),
    'POST /operator-tokens': one(
      'Issues an operator token, with a part of the privileges of the master token.',
      'IssuedToken',
      [400],
      {
        body: {
          schema: object({ scope: text, 'name?': text, 'lifetime?': time }),
          example: { scope: 'clients:read', name: 'nightly backup', lifetime: 86_400 },
        },
      },
    ),
    'POST /console/links': one(
      'Issues a ticket, which signs in to the console once, within ten minutes.',
      'ConsoleTicket',
      [400],
      { body: { schema: object({ scope: text }), example: { scope: 'clients:read audit' } } },
    ),
    'DELETE /operator-tokens/{id}': one('Revokes an operator token.', undefined, [404]),
  },
  Sessions: {
    'POST /sessions': {
      summary: 'Begins the session of an end-user in one browser.',
      body: {
        schema: object({ sub: text, 'lifetime?': time, 'idle_lifetime?': time }),
        example: { sub: 'alice', lifetime: 86_400 },
      },
      answers: { 201: named('StartedSession') },
      refusals: [400],
    },
    'GET /sessions': one('Lists the sessions of an end-user.', 'SessionList', [400], {
      query: { sub: 'the end-user' },
    }),
    'POST /sessions/find': one('Finds the session of a browser by the value of its cookie.', 'Session', [400, 404], {
      body: { schema: object({ cookie: text }), example: { cookie: 'a1b2c3' } },
    }),
    'POST /sessions/{sid}/clients': one(
      'Records a client that signed in the end-user of a session.',
      'SessionClient',
      [400, 404, 409],
      {
        body: {
          schema: object({ client_id: text, 'sub?': text, 'sid?': text }),
          example: { client_id: 'shop' },
        },
      },
    ),
    'DELETE /sessions/{sid}': one('Ends a session, and notifies its applications.', undefined, [404]),
  },
  Keys: {
    'GET /keys': one('Lists the keys of the service, with what each does next.', 'KeyList'),
    'POST /keys/roll-over': one('Announces the next key of one algorithm, or of all.', 'KeyList', [400, 409], {
      body: { schema: object({ 'alg?': text }), example: { alg: 'RS256' } },
    }),
    'POST /keys/compromise': one(
      'Revokes a key at once; another one signs in its place.',
      'RevokedKeyList',
      [400, 404],
      {
        body: kid,
      },
    ),
    'POST /keys/import': one(
      'Takes the private keys of another server: all of them, or none.',
      'KeyList',
      [400, 404, 409],
      {
        body: jwks,
      },
    ),
    'POST /keys/foreign': one(
      'Publishes the public keys of another signer: all of them, or none.',
      'KeyList',
      [400, 409],
      {
        body: jwks,
      },
    ),
    'POST /keys/foreign/remove': one('Removes the key of another signer.', 'KeyList', [400, 404], {
      body: kid,
    }),
    'POST /keys/sign': {
      summary: 'Signs a token for a provider in another process (RFC 7515).',
      body: {
        schema: object({ alg: text, typ: text, claims: { type: 'object' }, expires_at: time, 'kid?': text }),
        example: { alg: 'RS256', typ: 'at+jwt', claims: { sub: 'alice' }, expires_at: 1_900_000_000 },
      },
      answers: { 200: object({ token: text }) },
      refusals: [400, 404],
    },
    'POST /keys/decrypt': {
      summary: 'Decrypts an object that a client encrypted to the published key (RFC 9101).',
      body: { schema: object({ object: text }), example: { object: 'eyJhbGciOiJSU0EtT0FFUC0yNTYifQ...' } },
      answers: { 200: object({ text }) },
      refusals: [400],
    },
    'GET /encryption/keys': one('The encryption keys of stored values, by their fingerprints.', 'EncryptionKeyList'),
    'POST /encryption/keys': one('Makes an encryption key, which seals from then on.', 'EncryptionKeyList', [400]),
    'POST /encryption/keys/drop': one('Removes all encryption keys but the first.', 'EncryptionKeyList', [400]),
    'POST /encryption/re-seal': one(
      'Seals some stored values with the present encryption key.',
      'SealedValues',
      [400],
      {
        body: { schema: object({ 'after?': text, 'dry_run?': truth }), example: { dry_run: true } },
      },
    ),
  },
  Operation: {
    'GET /manage/v1/audit': one('Reads the audit log, page by page, the latest rows first.', 'AuditList', [400], {
      query: Object.fromEntries(auditParameters.map((name) => [name, 'see docs/operate/operators.md#audit-log'])),
    }),
    'GET /manage/v1/audit/verification': one('Verifies a part of the audit log.', 'AuditVerification', [400], {
      query: { digest: 'the digest of a checkpoint', after: 'next of the step before' },
    }),
    'GET /logouts': one('Lists the pending logout notifications.', 'NotificationList'),
    'POST /logouts/retry': one(
      'Makes one failed logout notification, or all of them, due now.',
      'RetriedNotifications',
      [400, 404],
      {
        body: { schema: object({ 'id?': text }), example: {} },
      },
    ),
    'POST /reload': one('Reads the settings again.', 'Reloaded', [409]),
    'GET /metrics': {
      summary: 'The metrics, in the format of Prometheus.',
      answers: { 200: 'text' },
    },
    'GET /health/live': one('Whether the process answers requests.', 'Live'),
    'GET /health/ready': {
      summary: 'Whether requests can be answered now, and which checks fail.',
      answers: { 200: named('Readiness'), 503: named('Readiness') },
    },
  },
  Pages: {
    'GET /logout': forPeople('Asks the end-user whether to sign out (OpenID RP-Initiated Logout).', [429, 503]),
    'POST /logout': forPeople('The same, with the parameters in a form.', [429, 503]),
    'GET /logout/confirm': forPeople('There is no answer to take here.', [405]),
    'POST /logout/confirm': forPeople('Takes the answer of the end-user.', [303, 400, 503]),
    'GET /interaction/{id}': ofSignIn('Asks the end-user to sign in, or to consent.'),
    'POST /interaction/{id}/login': ofSignIn(
      'Takes name and password, for development, or that the end-user does not sign in.',
    ),
    'POST /interaction/{id}/consent': ofSignIn('Takes the answer of the end-user.'),
    'GET /interaction/{id}/callback': ofSignIn('Goes on after a login at another provider.'),
    'GET /login/callback': ofSignIn('Takes the answer of another provider.'),
    'GET /login/callback/{id}': ofSignIn('Takes the answer of the provider of that id.'),
    'GET /consents': ofSignIn('Shows the end-user the applications with access.'),
    'POST /consents': ofSignIn('Removes the access of an application.'),
  },
}

export const groups = Object.keys(described)

export type Operation = Ungrouped & { readonly group: string }

/** By method and path. */
export const operations: Readonly<Record<string, Operation>> = Object.fromEntries(
  Object.entries(described).flatMap(([group, of]) =>
    Object.entries(of).map(([name, operation]) => [name, { group, ...operation }]),
  ),
)
