import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { authorizeOperator, operatorOfTheStore } from '../../src/authorization/credential.js'
import { needsSecret } from '../../src/client/metadata.js'
import { members } from '../../src/client/members.js'
import { type EpochSeconds, epochSeconds, secondsAfter } from '../../src/kernel/time.js'
import { type JudgedImport, type ReadRecord, ClientDraft, judgeDraft } from '../../src/importing/drafts.js'
import { decideImport, exportedClient, readExportedClient } from '../../src/importing/decide.js'
import { decideRegistration } from '../../src/registration/decide.js'
import { requestedPrivileges } from '../../src/registration/permit.js'
import { type Secrets, secretAdded, secretsInForce } from '../../src/registration/client-secrets.js'
import type { Provenance } from '../../src/registration/provenance.js'
import {
  type RegisteredClient,
  approvedClient,
  resumedClient,
  suspendedClient,
  withSecrets,
} from '../../src/registration/registered-client.js'
import {
  exampleClient,
  epochSecond,
  exampleHash,
  issued,
  law,
  oneSample,
  operatorToken,
  registeredClient,
  registrationSettings,
  validClientMetadata,
  unapproved,
} from '@clientele/testing'

const Imports = suite('the decision about an imported client')
const it = law(Imports)

const fetching = registrationSettings().map((settings) => ({ ...settings, outboundFetches: true }))
const hashToken = (token: string) => exampleHash(token.slice(0, 43))
const operator = operatorOfTheStore()

const draftIn = (read: ReadRecord): ClientDraft => {
  if (read.kind !== 'client') throw new Error(`no client: ${JSON.stringify(read)}`)
  return read.draft
}
const exported = (client: RegisteredClient, secrets: boolean, last_use?: EpochSeconds): ClientDraft =>
  draftIn(readExportedClient(JSON.parse(JSON.stringify(exportedClient({ secrets })({ client, last_use })))))

const valid = (judged: ReturnType<ReturnType<typeof judgeDraft>>): JudgedImport => {
  if (E.isLeft(judged)) throw new Error(JSON.stringify(judged.left))
  return judged.right
}

// The token of the service as its hash knows it; the time of the import is another one.
const time = fc.option(epochSecond(), { nil: undefined })
const approval = fc.option(unapproved(), { nil: undefined })
const known = fc.tuple(registeredClient(), time, approval).map(([client, suspended_at, waits]) => ({
  ...client,
  ...(suspended_at === undefined ? {} : { suspended_at }),
  ...(waits === undefined ? {} : { approval: waits }),
  registration_access_token: {
    token: client.registration_access_token.token,
    hash: hashToken(client.registration_access_token.token),
  },
}))

it(
  'an exported client with its secrets is imported as the same client, with its suspension and its last use',
  [fetching, known, issued(), time],
  (settings, client, now, use) => {
    const judged = valid(judgeDraft({ settings, hashToken })(operator, exported(client, true, use), now))
    const { registration_id } = now
    assert.is(judged.last_use, use)
    assert.equal(judged.client, {
      ...client,
      registration_id,
      version: 1,
      ...(now.at > client.client_id_issued_at ? { waits_since: now.at } : {}),
      provenance: { ...client.provenance, imported: true },
    })
  },
)

it(
  'it is equal to itself, with and without its secrets',
  [fetching, known, issued(), fc.boolean()],
  (settings, client, now, secrets) => {
    const judged = valid(judgeDraft({ settings, hashToken })(operator, exported(client, secrets), now))
    assert.equal(decideImport({ replace: false })(judged, client), E.right({ kind: 'equal' }))
  },
)

it(
  'an import of what was imported changes nothing',
  [fetching, validClientMetadata(), issued(), issued()],
  (settings, metadata, now, later) => {
    const judge = judgeDraft({ settings, hashToken })
    const draft: ClientDraft = { client_id: 'imported', metadata: { ...metadata } }
    const first = judge(operator, draft, now)
    if (E.isLeft(first)) return
    const again = valid(judge(operator, draft, later))
    assert.equal(decideImport({ replace: true })(again, first.right.client), E.right({ kind: 'equal' }))
  },
)

it(
  'a client that differs is refused by its members, or replaced in its registration',
  [fetching, known, known, issued()],
  (settings, client, stored, now) => {
    const judged = valid(judgeDraft({ settings, hashToken })(operator, exported(client, true), now))
    const there = { ...stored, client_id: client.client_id }
    const refused = decideImport({ replace: false })(judged, there)
    assert.ok(E.isLeft(refused) && refused.left.every(({ rule }) => rule === 'import-differs'))
    const replaced = decideImport({ replace: true })(judged, there)
    if (E.isLeft(replaced) || replaced.right.kind !== 'replaced') throw new Error('not replaced')
    const { registration_id, client_id_issued_at, version } = there
    const suspended_at = there.suspended_at ?? client.suspended_at
    // What the stored client was registered with stays.
    const expected = {
      ...client,
      registration_id,
      client_id_issued_at,
      version: version + 1,
      // Its wait begins anew, and it is one that an operator brought.
      waits_since: now.at > client.client_id_issued_at ? now.at : client.client_id_issued_at,
      provenance: { ...there.provenance, imported: true },
      suspended_at,
      approval: there.approval ?? client.approval,
      // Another secret, or a first one, is as old as the import.
      ...(client.secret === undefined ? {} : { secret_created_at: now.at }),
    }
    if (client.secret?.client_secret === there.secret?.client_secret && client.secret !== undefined) return
    assert.equal({ suspended_at: undefined, approval: undefined, ...replaced.right.client }, expected)
    assert.equal(decideImport({ replace: false })(judged, replaced.right.client), E.right({ kind: 'equal' }))
  },
)

it(
  'a set of declared clients touches its own, and those of no set where it adopts them; then nothing differs',
  [fetching, known, fc.option(known, { nil: undefined }), fc.constantFrom(undefined, 'a', 'b'), fc.boolean(), issued()],
  (settings, client, found, owner, adopt, now) => {
    const judged = valid(
      judgeDraft({ settings, hashToken })(operator, { ...exported(client, true), approval: undefined }, now),
    )
    const of: Provenance = { imported: true, ...(owner === undefined ? {} : { declared: owner }) }
    const stored = found === undefined ? undefined : { ...found, client_id: client.client_id, provenance: of }
    const decide = decideImport({ replace: true, declares: { set: 'a', adopt } })
    const decided = decide(judged, stored)
    const isTouched = stored === undefined || owner === 'a' || (adopt && owner === undefined)
    assert.is(E.isRight(decided), isTouched)
    if (E.isLeft(decided))
      return assert.equal(
        decided.left.map(({ rule }) => rule),
        ['import-not-declared'],
      )
    const result = decided.right.kind === 'equal' ? stored : decided.right.client
    if (result === undefined) throw new Error('nothing is stored')
    assert.is(result.provenance?.declared, 'a')
    if (owner !== 'a') assert.is(result.approval, undefined)
    assert.equal(decide(judged, result), E.right({ kind: 'equal' }))
    const taking = decideImport({ replace: false, declares: { set: 'a', adopt: true } })
    const refused = taking(judged, { ...result, provenance: { imported: true } })
    assert.equal(E.isLeft(refused) && refused.left.map(({ pointer, rule }) => `${pointer} ${rule}`), [
      '/provenance import-differs',
    ])
  },
)

it(
  'a replacement that keeps the client_secret keeps its age and the one before it, until each ends',
  [fetching, known, issued(), fc.boolean(), fc.nat(100)],
  (settings, client, now, isGiven, after) => {
    const end = secondsAfter(now.at, 50)
    const two = E.map((secrets: Secrets) => withSecrets(client, secrets))(
      secretAdded({ clientSecretLifetime: 0, rotateClientSecretOnUpdate: true }, now, client, end),
    )
    if (E.isLeft(two)) return
    const stored = two.right
    const record = { ...exported(stored, isGiven), metadata: { ...client.metadata, client_name: 'Another name' } }
    const judged = valid(judgeDraft({ settings, hashToken })(operator, record, now))
    const replaced = decideImport({ replace: true })(judged, stored)
    if (E.isLeft(replaced) || replaced.right.kind !== 'replaced') throw new Error('not replaced')
    const next = replaced.right.client
    const at = secondsAfter(now.at, after)
    assert.equal(secretsInForce(next, at), secretsInForce(stored, at))
    assert.is(next.secret_created_at, stored.secret_created_at)
  },
)

it(
  'a replacement with the same client_secret begins no lifetime anew, unless the record names an expiry',
  [fetching, known, issued(), fc.boolean()],
  (settings, client, now, names) => {
    const secret = { client_secret: 'x'.repeat(64), client_secret_expires_at: secondsAfter(now.at, 7) }
    const stored = { ...client, secret }
    const { client_secret_expires_at: kept, ...record } = exported(stored, true)
    const metadata = { ...client.metadata, client_name: 'Another name' }
    const expiry = names ? { client_secret_expires_at: secondsAfter(now.at, 9) } : {}
    const judged = valid(judgeDraft({ settings, hashToken })(operator, { ...record, ...expiry, metadata }, now, stored))
    const replaced = decideImport({ replace: true })(judged, stored)
    if (E.isLeft(replaced) || replaced.right.kind !== 'replaced') throw new Error('not replaced')
    if (judged.client.secret === undefined) return
    assert.is(replaced.right.client.secret?.client_secret_expires_at, names ? secondsAfter(now.at, 9) : kept)
  },
)

it(
  'the client_secret that the client will have is long enough for its algorithm (RFC 7518 §3.2), or that is a fault',
  [fetching, issued(), fc.integer({ min: 1, max: 80 }), fc.constantFrom(256, 384, 512), fc.boolean()],
  (settings, now, length, bits, isGiven) => {
    const secret = { client_secret: 'x'.repeat(length), client_secret_expires_at: epochSeconds(0) }
    const stored = { ...exampleClient('a'), secret }
    const metadata = {
      redirect_uris: ['https://rp.example/cb'],
      token_endpoint_auth_method: 'client_secret_jwt',
      token_endpoint_auth_signing_alg: `HS${bits}`,
    }
    const draft = { client_id: 'a', metadata, ...(isGiven ? secret : {}) }
    const judged = judgeDraft({ settings, hashToken })(operator, draft, now, stored)
    assert.equal(
      (E.isLeft(judged) ? judged.left : []).map(({ rule }) => rule),
      length * 8 < bits ? ['secret-length'] : [],
    )
  },
)

it(
  'an import gives no client more authority than the registrations of its operator have',
  [fetching, known, issued(), operatorToken()],
  (settings, client, now, { hash, privileges }) => {
    const credential = { kind: 'operator_token', hash, privileges } as const
    const byToken = authorizeOperator(credential, false, [])
    if (E.isLeft(byToken)) throw new Error('no privilege is needed')
    const judged = valid(judgeDraft({ settings, hashToken })(byToken.right, exported(client, true), now))
    const { registered_by } = client
    assert.is(judged.client.registered_by, registered_by === 'master' ? 'operator_token' : registered_by)
  },
)

it(
  'a client whose record names no authority has the privileges that its metadata need, and not those of the operator',
  [fetching, validClientMetadata(), issued()],
  (settings, metadata, now) => {
    const judged = judgeDraft({ settings, hashToken })(
      operator,
      { client_id: 'imported', metadata: { ...metadata } },
      now,
    )
    if (E.isLeft(judged)) return
    const { client } = judged.right
    assert.is(client.registered_by, 'token')
    assert.equal(client.privileges, requestedPrivileges(client.metadata))
  },
)

it(
  'a record that says suspended differs from a client in force, and one that does not ends no suspension',
  [fetching, known, epochSecond(), issued()],
  (settings, client, at, now) => {
    const inForce = resumedClient(at)(client)
    const suspended = suspendedClient(at)(client)
    const judge = (from: RegisteredClient): JudgedImport =>
      valid(judgeDraft({ settings, hashToken })(operator, exported(from, true), now))
    const decided = decideImport({ replace: false })(judge(suspended), inForce)
    assert.equal(
      (E.isLeft(decided) ? decided.left : []).map(({ pointer }) => pointer),
      ['/suspended_at'],
    )
    assert.equal(decideImport({ replace: true })(judge(inForce), suspended), E.right({ kind: 'equal' }))
  },
)

it(
  'a record of a client without an approval differs from one in force, and an import approves no client',
  [fetching, known, unapproved(), epochSecond(), issued()],
  (settings, client, waits, at, now) => {
    const inForce = approvedClient(at)(client)
    const waiting = { ...client, approval: waits }
    const judge = (from: RegisteredClient): JudgedImport =>
      valid(judgeDraft({ settings, hashToken })(operator, exported(from, true), now))
    const decided = decideImport({ replace: false })(judge(waiting), inForce)
    assert.equal(
      (E.isLeft(decided) ? decided.left : []).map(({ pointer }) => pointer),
      ['/approval'],
    )
    assert.equal(decideImport({ replace: true })(judge(inForce), waiting), E.right({ kind: 'equal' }))
    // An earlier release, which does not know the member, refuses the record.
    assert.is(exportedClient({ secrets: false })({ client: waiting, last_use: undefined }).clientele_client, 3)
    assert.is(exportedClient({ secrets: false })({ client: inForce, last_use: undefined }).clientele_client, 2)
  },
)

const anyDraft = fc.record(
  {
    client_id: fc.anything(),
    metadata: fc.dictionary(fc.string(), fc.anything()),
    client_secret: fc.anything(),
    client_secret_expires_at: fc.anything(),
    registration_access_token: fc.anything(),
    client_id_issued_at: fc.anything(),
    registered_by: fc.anything(),
    privileges: fc.anything(),
    suspended_at: fc.anything(),
    approval: fc.anything(),
    last_used_at: fc.anything(),
  },
  { requiredKeys: ['metadata'] },
)

it(
  'any draft has faults or is a client; a client that needs a secret has one, and no other',
  [fetching, anyDraft, issued()],
  (settings, draft, now) => {
    const judged = judgeDraft({ settings, hashToken })(operator, draft, now)
    if (E.isLeft(judged)) assert.ok(judged.left.length > 0)
    else assert.is(judged.right.client.secret !== undefined, needsSecret(judged.right.client.metadata))
  },
)

// An import does not verify software statements.
const judgedMembers = Object.keys(members).filter((name) => name !== 'software_statement')

it(
  'the faults of metadata are reported as those of a registration: in the order of the members, and as many at most',
  [fetching, fc.dictionary(fc.constantFrom(...judgedMembers), fc.anything()), issued()],
  (settings, body, now) => {
    const facts = { credential: { kind: 'master' }, token: O.none, statement: O.none, body: E.right(body) } as const
    const registered = decideRegistration(settings)({ ...facts, issued: now })
    const judged = judgeDraft({ settings, hashToken })(operator, { client_id: 'imported', metadata: body }, now)
    const faults = E.isLeft(registered) && 'errors' in registered.left ? registered.left.errors : []
    assert.equal(E.isLeft(judged) ? judged.left : [], faults)
  },
)

Imports('an export of another version is refused with the versions that are read', () => {
  const read = readExportedClient({ clientele_client: 4, client_id: 'later', metadata: {} })
  assert.equal(read.kind === 'broken' ? read.faults.map(({ description }) => description) : read, [
    'clientele_client must be 1, 2 or 3: export the clients with a version of Clientele that writes one of these formats',
  ])
})

const almostExported = fc.record(
  {
    clientele_client: fc.constantFrom(1, 2, 3),
    client_id: fc.oneof(fc.constant('imported'), fc.jsonValue()),
    client_secret: fc.jsonValue(),
    registered_by: fc.jsonValue(),
    suspended_at: fc.jsonValue(),
    approval: fc.oneof(unapproved(), fc.jsonValue()),
    last_used_at: fc.jsonValue(),
    metadata: fc.oneof(fc.constant({ redirect_uris: ['https://rp.example/cb'] }), fc.jsonValue()),
  },
  { requiredKeys: ['clientele_client'] },
)

// A running service receives drafts as JSON.
it('a draft is judged alike after it was JSON', [fetching, almostExported, issued()], (settings, record, now) => {
  const read = readExportedClient(record)
  if (read.kind !== 'client') return
  const received: unknown = JSON.parse(JSON.stringify(read.draft))
  assert.ok(ClientDraft.is(received), JSON.stringify(received))
  const judge = judgeDraft({ settings, hashToken })
  assert.equal(judge(operator, received, now), judge(operator, read.draft, now))
})

const judgeOne = (draft: Omit<ClientDraft, 'metadata'> & { readonly metadata?: Readonly<Record<string, unknown>> }) =>
  judgeDraft({ settings: oneSample(fetching), hashToken })(
    operator,
    { metadata: { redirect_uris: ['https://rp.example/cb'] }, ...draft },
    oneSample(issued()),
  )

Imports('all faults are reported at once, by member, without their values', () => {
  const judged = judgeOne({
    client_id: 'with space',
    client_secret: 'ä',
    client_secret_expires_at: -1,
    registration_access_token: 'short',
    client_id_issued_at: 1.5,
    registered_by: 'somebody',
    privileges: {},
    approval: { state: 'refused' },
    suspended_at: 'yesterday',
    last_used_at: -1,
    metadata: { redirect_uris: ['https://rp.example/*'] },
  })
  const faults = E.isLeft(judged) ? judged.left : []
  assert.equal(
    faults.map(({ pointer, rule }) => `${pointer} ${rule}`),
    [
      '/client_id preferred-client-id',
      '/client_secret import-secret',
      '/client_secret_expires_at import-time',
      '/client_id_issued_at import-time',
      '/suspended_at import-time',
      '/last_used_at import-time',
      '/registration_access_token import-token',
      '/registered_by import-authority',
      '/privileges import-authority',
      '/approval import-approval',
      '/redirect_uris/0 redirect-uri-wildcard',
    ],
  )
  assert.not.ok(JSON.stringify(faults).includes('with space'))
})

Imports('times in milliseconds are no times in seconds, and a use before the registration is noted', () => {
  const times = {
    client_secret_expires_at: 1_790_000_000_000,
    client_id_issued_at: 1_700_000_000_000,
    suspended_at: 1_700_000_000_000,
    last_used_at: 1_700_000_000_000,
  }
  const judged = judgeOne({ client_id: 'mistimed', ...times })
  assert.equal(
    (E.isLeft(judged) ? judged.left : []).map(({ pointer, rule }) => [pointer, rule]),
    Object.keys(times).map((name) => [`/${name}`, 'import-time-ahead']),
  )
  const early = judgeOne({ client_id: 'early', client_id_issued_at: 1_700_000_000, last_used_at: 1_600_000_000 })
  assert.ok(E.isRight(early))
  assert.ok(early.right.notes.some(({ rule }) => rule === 'used-before-issued'))
})

Imports('a client with a name of objects, or the URL of a document, as its id is not imported', () => {
  for (const client_id of ['__proto__', 'https://rp.example/client.json']) {
    const faults = judgeOne({ client_id })
    assert.equal(
      (E.isLeft(faults) ? faults.left : []).map(({ pointer, rule }) => `${pointer} ${rule}`),
      ['/client_id preferred-client-id'],
    )
  }
})

Imports('a short secret is kept and marked; one that the client does not use is left out', () => {
  const short = valid(judgeOne({ client_id: 'a', client_secret: 'short' }))
  assert.is(short.client.secret?.client_secret, 'short')
  assert.ok(short.notes.some(({ rule }) => rule === 'secret-short'))
  const metadata = { redirect_uris: ['https://rp.example/cb'], token_endpoint_auth_method: 'none' }
  const unused = valid(judgeOne({ client_id: 'a', client_secret: 'short', metadata }))
  assert.is(unused.client.secret, undefined)
  assert.ok(unused.notes.some(({ rule }) => rule === 'secret-unused'))
})

Imports('a replacement keeps the credentials that the record has not', () => {
  const stored = exampleClient('a')
  const judged = valid(judgeOne({ client_id: 'a' }))
  const decided = decideImport({ replace: true })(judged, stored)
  if (E.isLeft(decided) || decided.right.kind !== 'replaced') throw new Error('not replaced')
  const { secret, registration_access_token, privileges, registered_by } = decided.right.client
  assert.equal(
    { secret, registration_access_token, privileges, registered_by },
    {
      secret: stored.secret,
      registration_access_token: stored.registration_access_token,
      privileges: stored.privileges,
      registered_by: stored.registered_by,
    },
  )
})

Imports.run()
