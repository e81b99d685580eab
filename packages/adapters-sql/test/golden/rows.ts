// What fills a store of today: by its ports alone, every table, with rows of every shape that the stores write. Names and
// times are fixed; ciphertexts are not.
import { type AuditActor, type AuditEntry, auditActions, auditRow, isAuditAction } from '@clientele/domain/audit'
import {
  type InitialAccessToken,
  type OperatorToken,
  type TokenHash,
  grantPrivilege,
  issuableManagementPrivileges,
} from '@clientele/domain/authorization'
import type { Instance } from '@clientele/domain/instances'
import { type BudgetLimits, type EpochSeconds, budgetKinds, secondsAfter } from '@clientele/domain/kernel'
import { type ForeignKey, type KeyRing, newRing } from '@clientele/domain/keys'
import type { DueRemoval } from '@clientele/domain/life-cycle'
import {
  type EndUserSession,
  type LogoutNotification,
  defaultNotificationLimits,
  usedSession,
  withClient,
  withDeclined,
} from '@clientele/domain/logout'
import type { BudgetDraw, ClientAuthorization, Store, Tombstone } from '@clientele/domain/ports'
import { type Artefact, artefactKinds } from '@clientele/domain/provider'
import {
  type KeyedRegistration,
  type RegisteredClient,
  type Registration,
  provenanceOf,
  resumedClient,
  storedMetadata,
  suspendedClient,
} from '@clientele/domain/registration'
import {
  exampleArtefact,
  exampleAuthorization,
  exampleClient,
  exampleConsent,
  exampleHash,
  exampleId,
  exampleNotification,
  exampleParking,
  exampleRegistrationId,
  exampleSession,
  exampleSessionClient,
  exampleSubject,
  exampleTime,
  useOf,
  exampleToken,
  namedKey,
  registeredClient,
  replaceRings,
  giveConsent,
  updatedExample,
  addition,
  noRow,
  removal,
} from '@clientele/testing'
import * as fc from 'fast-check'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'

/** One call of a port; it succeeds. */
export type Step = (store: Store) => TE.TaskEither<unknown, unknown>

export const day = 86_400

/** So many seconds after the time of all examples. */
export const at = (seconds: number): EpochSeconds => secondsAfter(exampleTime, seconds)

const all = <Item>(items: ReadonlyArray<Item>, step: (item: Item) => Step): ReadonlyArray<Step> => items.map(step)

// Initial access tokens: of an operator of each kind, of a client, of nobody; one is consumed, and one has expired.
export const tokens: ReadonlyArray<InitialAccessToken> = [
  exampleToken('consumed'),
  exampleToken('unknown-issuer'),
  { ...exampleToken('by-master'), issued_by: { kind: 'master', fingerprint: 'master-print' } },
  { ...exampleToken('by-store'), issued_by: { kind: 'store', fingerprint: '' }, expires_at: at(7_200) },
  {
    ...exampleToken('by-operator'),
    scope: 'client-reg:grant:code client-reg:scope:Ab client-reg:set-id',
    privileges: { ...grantPrivilege('authorization_code'), scope: ['Ab'], preferred_client_id: true },
    issued_by: { kind: 'operator_token', fingerprint: 'operator-pri', id: exampleHash('operator') },
  },
  { ...exampleToken('expired'), expires_at: at(1) },
  { ...exampleToken('revoked') },
]
export const ownedToken: InitialAccessToken = { ...exampleToken('of-a-client'), owner: exampleClient('with-secret') }

const operatorToken = (text: string, changes: Partial<OperatorToken> = {}): OperatorToken => ({
  hash: exampleHash(text),
  privileges: issuableManagementPrivileges,
  issued_at: exampleTime,
  expires_at: at(3_600),
  issued_by: { kind: 'store', fingerprint: '' },
  ...changes,
})
export const operatorTokens: ReadonlyArray<OperatorToken> = [
  operatorToken('operator', { name: 'the laptop "of Zoë" 😀' }),
  operatorToken('operator-by-master', { issued_by: { kind: 'master', fingerprint: 'master-print' } }),
  operatorToken('operator-by-operator', {
    name: 'reads',
    privileges: ['clients:read'],
    issued_by: { kind: 'operator_token', fingerprint: 'operator____', id: exampleHash('operator') },
  }),
  operatorToken('operator-expired', { expires_at: at(1) }),
  operatorToken('operator-revoked'),
]

// Clients
const client = (id: string, changes: Partial<RegisteredClient> = {}): RegisteredClient => ({
  ...exampleClient(id),
  ...changes,
})
const open = (id: string, days = 0, changes: Partial<RegisteredClient> = {}): RegisteredClient =>
  client(id, { registered_by: 'nobody', client_id_issued_at: at(days * day), ...changes })
/** In the column of `short`, and not in its sealed credentials. */
export const precedingLeft = exampleHash('left-by-an-earlier-version')
const ofStatement = provenanceOf(undefined, 'https://statements.example') ?? {}

const withSecret = client('with-secret')
const suspended = client('suspended')
const resumed = client('resumed')
const rotated = client('rotated')
const renamed = client('renamed')
const imported = client('imported', { provenance: { imported: true } })
const replacedByImport = client('replaced-by-import')
const removedByClient = client('removed-by-client')
const removedByOperator = client('removed-by-operator')
const parkedSuspended = open('parked-suspended', -101)
const goneRotated = open('gone-rotated', -102, { secret: undefined })
export const documented = client('document', { client_id: exampleId('https://app.example/client.json') })

/** A store finds a client whose id does not begin as its registration access token's hash in another way. */
export const added: ReadonlyArray<RegisteredClient> = [
  withSecret,
  client('short'),
  client('without-secret', { secret: undefined, registered_by: 'master' }),
  client('secret-for-ever', {
    secret: { client_secret: 'kept', client_secret_expires_at: at(-exampleTime) },
    registered_by: 'operator_token',
    privileges: grantPrivilege('authorization_code', 'refresh_token'),
  }),
  client('with-statement', { provenance: provenanceOf(exampleHash('a-token'), 'https://statements.example') ?? {} }),
  documented,
  // As the migration of the SQLite file to schema 10 made it.
  client('of-earlier-schema', { registration_id: exampleRegistrationId('0123456789abcdef0123456789abcdef') }),
  // Stored metadata is not judged again, whatever it has.
  client('with-texts', {
    metadata: storedMetadata({
      redirect_uris: ['https://rp.example/cb', 'com.example.app:/cb'],
      client_name: 'Zoë’s "shop"\n\\ 😀 ﬀ',
      'client_name#ja-Jpan-JP': 'クライアント名',
      software_id: 'software-1',
      contacts: ['zoe@rp.example'],
      data: { deep: [null, 1.5, { a: [] }], '': 'empty' },
      unknown_member: 'kept',
    }),
  }),
  suspended,
  resumed,
  rotated,
  renamed,
  replacedByImport,
  removedByClient,
  removedByOperator,
  open('open-used'),
  open('open-idle', -400),
  open('parked', -99),
  open('parked-later', -45),
  open('parked-before-notices', -98),
  open('parked-with-statement', -97, { provenance: ofStatement }),
  parkedSuspended,
  open('gone', -103, { provenance: ofStatement }),
  goneRotated,
  open('gone-for-good', -104),
  ...fc.sample(registeredClient(), { seed: 20_231_114, numRuns: 6 }),
]
const waiting = open('open-unused')
const keyed = [client('keyed'), client('keyed-expired')] as const
const again = exampleClient(removedByOperator.client_id, 'second')

export const fingerprints = [exampleHash('fingerprint'), exampleHash('no-fingerprint')]
export const keyedRegistrations: ReadonlyArray<KeyedRegistration> = keyed.map(
  ({ client_id, registration_id }, place) => ({
    client_id,
    registration_id,
    key: exampleHash(`key-of-${client_id}`),
    request: exampleHash(`request-of-${client_id}`),
    expires_at: at(place === 0 ? day : 1),
  }),
)
export const tombstones: ReadonlyArray<Tombstone> = [1, 2, 3, 4].map((place) => ({
  id: exampleHash(`tombstone-${place}`),
  until: at(place * 50),
}))
const [ofClient, ofGone, ofGoneRotated, ofGoneForGood] = tombstones

/** The parked clients that are due. */
export const due: DueRemoval = { waitsSince: at(-90 * day), parkedUntil: at(-50 * day), notice: 3 }

const add =
  (each: RegisteredClient, token?: TokenHash, fingerprint?: TokenHash, registration?: KeyedRegistration): Step =>
  ({ registry }) =>
    registry.addClient(addition(each, { consumedToken: O.fromNullable(token), fingerprint, keyed: registration }))
const replace =
  (next: RegisteredClient, before: RegisteredClient): Step =>
  ({ registry }) =>
    registry.replaceClient({ next, replacing: before, audit: noRow })
const use =
  ({ client_id, registration_id }: Registration, days: number): Step =>
  ({ clientUses }) =>
    clientUses.recordUse({ client_id, registration_id }, at(days * day))
const removeParked =
  (each: Registration, mark: Tombstone | undefined, removedAt?: EpochSeconds): Step =>
  ({ clientUses }) =>
    clientUses.removeParked(each, due, mark ?? { id: exampleHash('none'), until: at(0) }, removedAt, noRow)

// Sessions: with clients of which one ends, without clients, declined, over; two of them end.
const session = (
  sid: string,
  ids: ReadonlyArray<string> = [],
  changes: Partial<EndUserSession> = {},
): EndUserSession => ({
  ...exampleSession(sid, ids),
  ...changes,
})
const ofThree = session('three', ['with-secret', 'removed-by-client', 'rotated'])
const ofMax = session('sid "of max"\\', [], { sub: exampleSubject('max') })
const over = session('over', ['short'], { auth_time: at(-day), used_at: at(-day), expires_at: at(-day + 3_600) })
const endedByUser = session('ended-by-user', ['with-secret'])
const endedByOperator = session('ended-by-operator')
export const sessions: ReadonlyArray<EndUserSession> = [ofThree, ofMax, endedByUser, endedByOperator, over]
export const cookieOf = (place: number): TokenHash => exampleHash(`cookie-${place}`)

const addSession =
  (each: EndUserSession, place: number): Step =>
  ({ endUserSessions }) =>
    endUserSessions.addSession(each, cookieOf(place), each.auth_time, noRow)
const replaceSession =
  (change: (session: EndUserSession) => EndUserSession, before: EndUserSession): Step =>
  ({ endUserSessions }) =>
    endUserSessions.replaceSession({ next: change(before), replacing: before, audit: noRow })

export const confirmations = [exampleHash('confirmation'), exampleHash('declined')]
const [confirmation = exampleHash(''), declined = exampleHash('')] = confirmations
const end =
  (ended: EndUserSession, notifications: ReadonlyArray<LogoutNotification>, by?: TokenHash): Step =>
  ({ sessionTermination }) =>
    sessionTermination.endSession(
      {
        session: ended,
        notifications,
        notificationLimits: defaultNotificationLimits,
        revokesOfflineAccess: false,
        ...(by === undefined ? {} : { by: { confirmation: by, answered_at: at(20), expires_at: at(600) } }),
      },
      noRow,
    )
const notification = (id: string, clientId: string, created: number): LogoutNotification => ({
  ...exampleNotification(id, clientId),
  created_at: at(created),
})

// Authorizations of each kind: of no session, with a session, for offline access with and without it.
export const authorizations: ReadonlyArray<ClientAuthorization> = [
  exampleAuthorization(withSecret, 'refresh'),
  { ...exampleAuthorization(withSecret, 'for-ever'), kind: 'access_token', expires_at: at(-exampleTime) },
  { ...exampleAuthorization(rotated, 'of-session'), kind: 'access_token', session: ofThree.sid },
  { ...exampleAuthorization(rotated, 'offline-of-session'), session: ofThree.sid, offline: true },
  { ...exampleAuthorization(rotated, 'offline-of-ended'), session: endedByUser.sid, offline: true },
  { ...exampleAuthorization(rotated, 'of-ended'), session: endedByUser.sid },
  { ...exampleAuthorization(documented, 'sticky'), kind: 'sticky_grant', details: {}, offline: true },
  { ...exampleAuthorization(withSecret, 'expired'), expires_at: at(1) },
]

// Artefacts: one of each kind with its hash alone, and those of a grant.
const grant = exampleHash('grant')
const ofGrant = (kind: Artefact['kind'], text: string, changes: Partial<Artefact> = {}): Artefact => ({
  ...exampleArtefact(kind, text),
  client: withSecret,
  grant,
  session: ofThree.sid,
  sub: ofThree.sub,
  ...changes,
})
const refresh = (place: number): Artefact =>
  ofGrant('refresh_token', `refresh-${place}`, place === 1 ? {} : { predecessor: exampleHash(`refresh-${place - 1}`) })
export const artefacts: ReadonlyArray<Artefact> = [
  ...artefactKinds.map((kind) => exampleArtefact(kind, `alone-${kind}`)),
  { ...exampleArtefact('grant', 'grant'), client: withSecret, sub: ofThree.sub },
  ofGrant('authorization_code', 'code'),
  ofGrant('access_token', 'access', { expires_at: at(1) }),
  refresh(1),
  refresh(2),
  refresh(3),
  { ...exampleArtefact('interaction', 'named'), name: exampleHash('name') },
  { ...exampleArtefact('interaction', 'named-later'), name: exampleHash('name'), expires_at: at(7_200) },
  { ...exampleArtefact('logout_elsewhere', 'elsewhere'), session: ofMax.sid, sub: ofMax.sub },
  { ...exampleArtefact('document', 'seen'), client: documented, payload: { seen_at: exampleTime } },
  { ...exampleArtefact('session', 'of-ended'), session: endedByUser.sid },
]

export const consents = [
  exampleConsent(withSecret),
  { ...exampleConsent(rotated), scope: [], resources: {}, shown: {}, given_at: at(-5) },
  exampleConsent(documented, 'max'),
]

// Keys in each phase
const policy = { lifetime: 100, publishAhead: 20, retention: 10, maxAge: 10 }
const key = (kid: string) => ({ ...namedKey(kid), publishedAt: exampleTime })
const ring = (alg: string, use: KeyRing['use'] = 'sig'): KeyRing =>
  newRing(policy, exampleTime)(alg, use, namedKey(`${alg} ${use}`))
const rings: ReadonlyArray<KeyRing> = [
  ring('RS256'),
  { ...ring('ES256'), opensAt: at(30), announced: { key: key('announced'), signsFrom: at(60) } },
  // A ring of an earlier version has no publishAhead.
  { ...ring('EdDSA'), closedAt: at(40), forgotten: ['gone', 'ü"'], promised: { maxAge: 10, retention: 10 } },
  ring('RSA-OAEP-256', 'enc'),
]
const rolledOver: KeyRing = {
  ...ring('RS256'),
  retired: [{ key: key('retired'), since: at(-60), forgottenAt: at(60) }],
  version: 2,
}
const foreignKeys: ReadonlyArray<ForeignKey> = [
  { kid: 'foreign-rsa', alg: 'RS256', jwk: { kty: 'RSA', n: 'n0', e: 'AQAB' }, publishedAt: exampleTime },
  { kid: 'foreign-ec', alg: 'ES256', jwk: { kty: 'EC', crv: 'P-256', x: 'x0', y: 'y0' }, publishedAt: exampleTime },
  { kid: 'foreign "okp"', alg: 'EdDSA', jwk: { kty: 'OKP', crv: 'Ed25519', x: 'x1' }, publishedAt: at(5) },
  { kid: 'foreign-removed', alg: 'EdDSA', jwk: { kty: 'OKP', crv: 'Ed25519', x: 'x2' }, publishedAt: at(5) },
]

// Budgets of each kind: the source is exhausted.
const limits: BudgetLimits = {
  source: { burst: 4, interval: 1_000 },
  network: { burst: 6, interval: 500 },
  all: { burst: 10, interval: 100 },
}
export const drawnAt = 1_800_000_000_000
export const draws: ReadonlyArray<BudgetDraw> = budgetKinds.map((kind) => ({
  kind,
  source: exampleHash('source'),
  network: exampleHash('network'),
  limits,
  most: 4,
}))

// The audit log: a row of each action, by each actor, through each door; some of them in checkpoints.
export const operatorName = 'the laptop "of Zoë"'
const actors: ReadonlyArray<AuditActor> = [
  { kind: 'anonymous', fingerprint: '' },
  { kind: 'initial_access_token', fingerprint: 'token-print_' },
  { kind: 'registration_access_token', fingerprint: 'access-print' },
  { kind: 'client', fingerprint: 'client-print' },
  { kind: 'master', fingerprint: 'master-print' },
  { kind: 'operator_token', fingerprint: 'operator-pri', name: operatorName },
  { kind: 'operator_token', fingerprint: 'nameless-pri' },
  { kind: 'store', fingerprint: '' },
  { kind: 'end_user', fingerprint: 'zoe-print___' },
  { kind: 'service', fingerprint: '' },
]
const doors = ['http', 'management', 'socket', 'command', 'service'] as const
const entries = Object.keys(auditActions)
  .filter(isAuditAction)
  .map((action, place): AuditEntry => ({
    at: at(Math.floor(place / 2)),
    action,
    actor: actors[place % actors.length] ?? { kind: 'service', fingerprint: '' },
    origin: {
      door: doors[place % doors.length] ?? 'http',
      request_id: `request-${place}`,
      ...(place % 3 === 0 ? {} : { address: '192.0.2.1' }),
    },
    members: place % 2 === 0 ? [] : ['client_name', 'redirect_uris'],
    ...(place % 3 === 0 ? {} : { client_id: place % 3 === 1 ? 'with-secret' : 'removed-by-client' }),
    ...(place % 5 === 0 ? { subject: 'zoe' } : {}),
    ...(action.includes('key') ? { kids: ['one', 'two'] } : {}),
  }))
const auditRows = entries.map((entry, place) =>
  auditRow(
    () => exampleHash(`mac-${place}`),
    () => `nonce-${place}`,
  )(entry),
)
const checkpoint =
  (number: number, rows: number): Step =>
  ({ auditLog }) =>
    pipe(
      auditLog.listUnlinked(0, rows),
      TE.flatMap((listed) => {
        const ordinals = listed.map(({ ordinal }) => ordinal)
        const [lowest = 0] = ordinals
        const claims = { number, at: at(100 * number), lowest, highest: ordinals.at(-1) ?? 0, jws: `jws.of.${number}` }
        return auditLog.addCheckpoint(claims)
      }),
      TE.filterOrElseW(
        (isAdded) => isAdded,
        () => 'the checkpoint was not added',
      ),
    )

const instance = (id: string): Instance => ({
  id,
  version: '1.0.0',
  started_at: exampleTime,
  seals_with: 'a key',
  opens_with: ['a key', 'another key'],
  settings: { 'base-url': 'a digest' },
})

/** What is sealed by an earlier encryption key; afterwards, the texts of its clients are in the index. */
export const first: ReadonlyArray<Step> = [
  ...all(
    tokens,
    (each) =>
      ({ initialAccessTokens }) =>
        initialAccessTokens.addInitialAccessToken(each, exampleTime, noRow),
  ),
  ...all(
    operatorTokens,
    (each) =>
      ({ operatorTokens: ports }) =>
        ports.addOperatorToken(each, exampleTime, noRow),
  ),
  ...all(added, (each) => add(each)),
  ...sessions.map(addSession),
  ...all(
    authorizations,
    (each) =>
      ({ authorizations: ports }) =>
        ports.recordAuthorization(each, exampleTime),
  ),
  ...all(
    artefacts,
    (each) =>
      ({ artefacts: ports }) =>
        ports.storeArtefact(each, exampleTime),
  ),
  ...all(
    consents.slice(1),
    (each) =>
      ({ consents: ports }) =>
        ports.recordConsent(each, O.none),
  ),
  ({ keyRings }) => replaceRings(keyRings)(rings.map((next) => ({ next, replacing: O.none }))),
  ({ foreignKeys: ports }) => ports.addForeignKeys(foreignKeys, rings, noRow),
  ({ clientSearch }) => clientSearch.indexTexts(1_000),
]

/** What comes after, sealed by the present key. */
export const later: ReadonlyArray<Step> = [
  // The life of clients
  add(
    client('with-token', { provenance: provenanceOf(exampleHash('consumed'), undefined) ?? {} }),
    exampleHash('consumed'),
  ),
  add(waiting, undefined, fingerprints[0]),
  ...keyed.map((each, place) => add(each, undefined, undefined, keyedRegistrations[place])),
  use(withSecret, 1),
  use(open('open-used'), -1),
  use(open('open-idle'), -300),
  ({ clientUses }) => clientUses.observeDay(at(-2 * day)),
  ({ clientUses }) => clientUses.parkUnused({ ...exampleParking(due.waitsSince, at(-60 * day)), notice: 3 }, 100),
  ({ clientUses }) => clientUses.parkUnused({ ...exampleParking(at(-40 * day), at(-30 * day)), notice: 7 }, 100),
  replace(suspendedClient(at(3))(parkedSuspended), parkedSuspended),
  replace(suspendedClient(at(3))(suspended), suspended),
  replace(suspendedClient(at(3))(resumed), resumed),
  replace(resumedClient(at(4))(suspendedClient(at(3))(resumed)), suspendedClient(at(3))(resumed)),
  ...[rotated, goneRotated].map((each) =>
    replace(
      {
        ...each,
        registration_access_token: updatedExample(each).registration_access_token,
        preceding_token: { hash: each.registration_access_token.hash, until: at(300) },
        version: 2,
      },
      each,
    ),
  ),
  replace(updatedExample(renamed), renamed),
  ({ registry }) =>
    registry.importClients([
      { client: imported, replacing: undefined, last_use: at(-2 * day), audit: noRow },
      {
        client: open('imported-unused', -1, { waits_since: at(5), provenance: { imported: true } }),
        replacing: undefined,
        audit: noRow,
      },
      {
        client: { ...updatedExample(replacedByImport, 'by-import'), provenance: { imported: true } },
        replacing: replacedByImport,
        last_use: at(-3 * day),
        audit: noRow,
      },
    ]),
  removeParked(open('gone'), ofGone, at(-10 * day)),
  removeParked(goneRotated, ofGoneRotated, at(-5 * day)),
  removeParked(open('gone-for-good'), ofGoneForGood),
  ({ registry }) =>
    registry.removeClient(
      removal(removedByClient.client_id, {
        token: O.some(removedByClient.registration_access_token.hash),
        tombstone: ofClient,
      }),
    ),
  ({ registry }) => registry.removeClient(removal(removedByOperator.client_id)),
  add(again),
  // What clients and end-users have
  ({ initialAccessTokens }) => initialAccessTokens.addInitialAccessToken(ownedToken, exampleTime, noRow),
  ({ initialAccessTokens }) => initialAccessTokens.removeInitialAccessToken(exampleHash('revoked'), noRow),
  ({ operatorTokens: ports }) => ports.removeOperatorToken(exampleHash('operator-revoked'), noRow),
  (store) => giveConsent(store, exampleConsent(withSecret)),
  ({ artefacts: ports }) => ports.useArtefact({ kind: 'authorization_code', hash: exampleHash('code'), at: at(7) }),
  ...[1, 2].map(
    (place): Step =>
      ({ artefacts: ports }) =>
        ports.useArtefact(useOf({ kind: 'refresh_token', hash: exampleHash(`refresh-${place}`) }, at(10 * place), 5)),
  ),
  replaceSession(withClient(exampleSessionClient('renamed'), at(8)), ofThree),
  replaceSession(withDeclined({ confirmation: declined, expires_at: at(500) }, at(9)), ofMax),
  replaceSession(usedSession(at(10)), endedByOperator),
  // Notifications: failed, to be repeated, delivered, claimed, of a client that ends, waiting
  end(
    endedByUser,
    [
      notification('failed', 'rotated', 11),
      notification('later', 'renamed', 12),
      notification('delivered', 'resumed', 13),
      notification('claimed', 'short', 14),
      notification('to a "client"', 'with-secret', 15),
    ],
    confirmation,
  ),
  ({ pendingNotifications }) => pendingNotifications.claimDue(at(20), { holder: 'instance-1', until: at(50) }, 100),
  ({ pendingNotifications }) =>
    pendingNotifications.recordTries('instance-1', [
      { id: 'failed', kind: 'failed', attempts: 9, due_at: at(21), note: 'answered 500' },
      { id: 'later', kind: 'later', attempts: 1, due_at: at(80), note: 'unanswered: "\u0000ü"' },
      { id: 'delivered', kind: 'delivered' },
    ]),
  end(usedSession(at(10))(endedByOperator), [notification('waiting', 'without-secret', 16)]),
  // The service
  ({ keyRings }) =>
    replaceRings(keyRings)(rings.slice(0, 1).map((before) => ({ next: rolledOver, replacing: O.some(before) }))),
  ({ foreignKeys: ports }) => ports.removeForeignKey('foreign-removed', noRow),
  ...all(
    draws,
    (each) =>
      ({ budgets }) =>
        budgets.drawFromBudget(each, drawnAt),
  ),
  ({ leases }) => leases.acquireLease({ name: 'keys', holder: 'instance-1', until: at(60) }, exampleTime),
  ({ leases }) => leases.acquireLease({ name: 'deliveries', holder: 'instance-2', until: at(90) }, exampleTime),
  ...all(
    auditRows,
    (each) =>
      ({ auditLog }) =>
        auditLog.addAuditRow(each),
  ),
  // A row of before there was the column has no actor_name, whoever acted.
  ...all(
    auditRows.filter(({ actor_name }) => actor_name !== null).slice(0, 1),
    (named) =>
      ({ auditLog }) =>
        auditLog.addAuditRow({ ...named, actor_name: null, mac: exampleHash('mac-nameless') }),
  ),
  checkpoint(1, 5),
  checkpoint(2, 10),
  checkpoint(3, 6),
  ({ auditLog }) => auditLog.forgetAudit({ number: 1, at: at(100), lowest: 1, highest: 5, jws: 'jws.of.1' }),
  ...all(
    ['instance-1', 'instance-2'],
    (id) =>
      ({ instances }) =>
        instances === undefined ? TE.right(undefined) : instances.announceInstance(instance(id)),
  ),
]
