// What the ports answer about the rows of rows.ts: by every verb that reads, and then by those that write where only their
// outcome shows a row.
import { auditActions, isAuditAction } from '@clientele/domain/audit'
import type { TokenHash } from '@clientele/domain/authorization'
import type { ClientId } from '@clientele/domain/client'
import { clientStates, defaultLifeCycle } from '@clientele/domain/life-cycle'
import { type Subject, defaultNotificationLimits, usedSession } from '@clientele/domain/logout'
import type { ClientFilter, FilterFacts, ListedClient } from '@clientele/domain/managing'
import {
  type ClientSearch,
  type FoundClients,
  type RegistryLimits,
  type Store,
  noLimits,
} from '@clientele/domain/ports'
import {
  type KeyedRegistration,
  type RegisteredClient,
  clientOrigins,
  provenanceOf,
} from '@clientele/domain/registration'
import {
  connectionsOf,
  exampleClient,
  exampleHash,
  exampleId,
  exampleSubject,
  replaceRings,
  sealedInSteps,
  addition,
  noRow,
  removal,
  useOf,
} from '@clientele/testing'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { identity, pipe } from 'fp-ts/lib/function.js'
import {
  added,
  artefacts,
  at,
  authorizations,
  confirmations,
  consents,
  cookieOf,
  day,
  drawnAt,
  draws,
  due,
  fingerprints,
  keyedRegistrations,
  operatorName,
  operatorTokens,
  ownedToken,
  precedingLeft,
  sessions,
  tokens,
  tombstones,
} from './rows.js'

/** By the call of a verb, what it answered, as JSON. What findClient answered stands elsewhere by its call. */
export type Reading = Readonly<Record<string, unknown>>

type Answer = TE.TaskEither<unknown, unknown>
type Asked = ReadonlyArray<readonly [call: string, answer: Answer]>

const isOption = (value: object): value is O.Option<unknown> =>
  '_tag' in value && ['Some', 'None'].includes(String(value._tag))

/** JSON with members in order, in which an option is its value or null; known objects by their names. */
const normal = (value: unknown, names: ReadonlyMap<string, string>): unknown => {
  if (value === undefined || value === null) return null
  if (typeof value !== 'object') return value
  if (Array.isArray(value)) return value.map((each) => normal(each, names))
  if (isOption(value)) return normal(O.toNullable(value), names)
  const members = Object.entries(value)
    .filter(([, each]) => each !== undefined)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, each]) => [name, normal(each, names)] as const)
  const object = Object.fromEntries(members)
  return names.get(JSON.stringify(object)) ?? object
}

const named = /^find(Listed)?Client "/

const answersTo = async (all: Asked): Promise<Reading> => {
  const names = new Map<string, string>()
  const reading: Record<string, unknown> = {}
  for (const [call, answer] of all) {
    const outcome = await answer()
    const answered = normal(E.isLeft(outcome) ? { refused: outcome.left } : outcome.right, names)
    if (call in reading) throw new Error(`${call} is asked twice`)
    reading[call] = answered
    if (named.test(call) && answered !== null) names.set(JSON.stringify(answered), call)
  }
  return reading
}

const asked = <Item>(
  verb: string,
  items: ReadonlyArray<Item>,
  ask: (item: Item) => Answer,
  textOf: (item: Item) => unknown = (item) => item,
): Asked => items.map((item) => [`${verb} ${JSON.stringify(textOf(item))}`, ask(item)] as const)

const streamed = <Element>(
  elements: () => AsyncIterable<Element>,
  seen: (element: Element) => unknown = identity,
): Answer =>
  TE.tryCatch(async () => {
    const all: Array<unknown> = []
    for await (const each of elements()) all.push(seen(each))
    return all
  }, String)

/** The clients of all pages, of which each store makes others. */
const searched =
  ({ searchClients }: ClientSearch) =>
  (filter: ClientFilter): TE.TaskEither<unknown, ReadonlyArray<ListedClient>> =>
  async () => {
    const clients: Array<ListedClient> = []
    let after: number | undefined = 0
    while (after !== undefined) {
      const page: E.Either<unknown, FoundClients> = await searchClients(filter, facts, { after, limit: 7 })()
      if (E.isLeft(page)) return page
      clients.push(...page.right.clients)
      after = page.right.next
    }
    return E.right(clients)
  }

const facts: FilterFacts = { now: at(100), lifeCycle: defaultLifeCycle }
const issuer = 'https://statements.example'

const filters: ReadonlyArray<ClientFilter> = [
  {},
  ...clientOrigins.map((origin) => ({ origin })),
  ...clientStates.flatMap((state) => (state === 'gone' ? [] : [{ state }])),
  ...(['nobody', 'token', 'operator_token', 'master'] as const).map((by) => ({ registered_by: by })),
  ...['ZOË’S', 'o', 'クライアント', 'updated', 'first', 'nowhere'].map((q) => ({ q })),
  ...[provenanceOf(exampleHash('consumed'), undefined)?.token].flatMap((token) =>
    token === undefined ? [] : { token },
  ),
  { statement_issuer: issuer },
  { statement_issuer: issuer, never_used: true },
  { software_id: 'software-1' },
  { since: at(0) },
  { never_used: true },
  { never_used: false, q: 'first' },
  { idle_since: at(-200 * day) },
]

const idsOf = async (store: Store): Promise<ReadonlyArray<ClientId>> => {
  const ids: Array<ClientId> = []
  for await (const each of store.registry.streamClients()) if (E.isRight(each)) ids.push(each.right.client_id)
  return ids
}

const clientsOf = ({ registry, clientUses, clientSearch }: Store, ids: ReadonlyArray<ClientId>): Asked => [
  ...asked('findClient', ids, registry.findClient),
  ['findClients', registry.findClients(ids)],
  ['streamClients', streamed(registry.streamClients)],
  ['streamClientsWithUse', streamed(registry.streamClientsWithUse)],
  ...asked(
    'findClientByToken',
    [
      ...added,
      ...['rotated', 'renamed', 'gone-rotated'].map((id) => exampleClient(id, 'updated')),
      exampleClient('replaced-by-import', 'by-import'),
      exampleClient('removed-by-operator', 'second'),
    ],
    ({ client_id, registration_access_token: { hash } }) => registry.findClientByToken(client_id, hash),
    ({ client_id, registration_access_token: { hash } }) => [client_id, hash],
  ),
  ['findClientByToken, left', registry.findClientByToken(exampleId('short'), precedingLeft)],
  ['findClientByToken of another', registry.findClientByToken(exampleId('short'), exampleHash('rotated-first'))],
  ...asked(
    'isRegistrationAccessToken',
    ['with-secret-first', 'rotated-first', 'rotated-updated', 'removed-by-client-first'].map(exampleHash),
    registry.isRegistrationAccessToken,
  ),
  ...asked(
    'findKeyedRegistration',
    [...keyedRegistrations.map(({ key }) => key), exampleHash('none')],
    registry.findKeyedRegistration,
  ),
  ['findUses', clientUses.findUses(ids)],
  ...asked('findUnused', fingerprints, clientUses.findUnused),
  ['observedDays', clientUses.observedDays(at(0), 100)],
  ['observedDays, the latest', clientUses.observedDays(at(day), 1)],
  ['listParked', clientUses.listParked(due, 100)],
  ['countParked', clientUses.countParked(due, 100)],
  ['listRemoved', clientUses.listRemoved(at(-30 * day), { after: 0, max: 1 })],
  ['listRemoved, later', clientUses.listRemoved(at(-7 * day), { after: 0, max: 10 })],
  ...asked('isRemembered', [...tombstones.map(({ id }) => id), exampleHash('none')], (id) =>
    clientUses.isRemembered(id, at(100)),
  ),
  ...asked('findListedClient', ids, clientSearch.findListedClient),
  ...asked('searchClients', filters, searched(clientSearch)),
  ['searchClients, a page', clientSearch.searchClients({}, facts, { after: 2, until: 9, limit: 3 })],
  ['lastPosition', clientSearch.lastPosition],
]

const tokensOf = (store: Store): Asked => [
  ...asked(
    'findInitialAccessToken',
    [...tokens, ownedToken].map(({ hash }) => hash),
    store.initialAccessTokens.findInitialAccessToken,
  ),
  ['listInitialAccessTokens', store.initialAccessTokens.listInitialAccessTokens(at(100), 100)],
  ...asked(
    'findOperatorToken',
    operatorTokens.map(({ hash }) => hash),
    store.operatorTokens.findOperatorToken,
  ),
  ['listOperatorTokens', store.operatorTokens.listOperatorTokens(at(100), 100)],
]

const endUsersOf = ({ endUserSessions, sessionTermination, authorizations: granted, ...store }: Store): Asked => [
  ...asked(
    'findSession',
    sessions.map((_, place) => cookieOf(place)),
    endUserSessions.findSession,
  ),
  ...asked(
    'findSessionById',
    sessions.map(({ sid }) => sid),
    endUserSessions.findSessionById,
  ),
  ...asked('listSessions', ['zoe', 'max', 'nobody'], endUserSessions.listSessions),
  ...asked('hasEnded', confirmations, sessionTermination.hasEnded),
  ...asked(
    'findAuthorization',
    authorizations,
    ({ kind, hash }) => granted.findAuthorization(kind, hash),
    ({ kind, hash }) => [kind, hash],
  ),
  ...asked(
    'findArtefact',
    artefacts,
    ({ kind, hash }) => store.artefacts.findArtefact(kind, hash),
    ({ kind, hash }) => [kind, hash],
  ),
  ['findArtefactByName', store.artefacts.findArtefactByName('interaction', exampleHash('name'))],
  ...asked(
    'findConsent',
    consents,
    ({ sub, client }) => store.consents.findConsent(sub, client),
    ({ sub, client: { client_id } }) => [sub, client_id],
  ),
  ...asked('connectionsOf', ['zoe', 'max'].map(exampleSubject), (sub) => connections(store, sub)),
  ['listNotifications', store.pendingNotifications.listNotifications(100)],
  ...asked('nextDue', ['instance-1', 'instance-2'], (holder) => store.pendingNotifications.nextDue(at(30), holder)),
]

// In an order of their own: a database numbers the consents of an earlier schema as it finds them.
const connections = (store: Pick<Store, 'connections'>, sub: Subject) =>
  pipe(
    connectionsOf(store, sub),
    TE.map((found) =>
      found.map((each) => ({ ...each, position: undefined })).sort((one, other) => one.since - other.since),
    ),
  )

const serviceOf = ({ keyRings, foreignKeys, providerEvents, census, auditLog, ...store }: Store): Asked => [
  ['digestKey', TE.right(store.digestKey)],
  [
    'readKeyRingVersions',
    pipe(
      keyRings.readKeyRingVersions,
      TE.map((versions) => versions.map(({ alg, use, version }) => `${alg} ${use} ${version}`).sort()),
    ),
  ],
  ['readKeyRings', keyRings.readKeyRings],
  ['readForeignKeys', foreignKeys.readForeignKeys],
  ['latestPosition', providerEvents.latestPosition],
  ['listEvents', providerEvents.listEvents(0, 100)],
  ['listEvents, a page', providerEvents.listEvents(2, 2)],
  ['countClients', census.countClients(0, 100)],
  ['countClients, a step', census.countClients(3, 4)],
  [
    'countOthers',
    pipe(
      census.countOthers(at(100), 100),
      TE.map(({ size, ...counts }) => ({ ...counts, hasSize: size.database !== undefined })),
    ),
  ],
  ['listAudit', auditLog.listAudit({ max: 100 })],
  ...asked('listAudit', Object.keys(auditActions).filter(isAuditAction).slice(0, 8), (action) =>
    auditLog.listAudit({ action, max: 9 }),
  ),
  ...asked('listAudit', ['with-secret', 'nobody'], (client_id) => auditLog.listAudit({ client_id, max: 100 })),
  ...asked('listAudit', ['service', 'master-print', operatorName], (actor) => auditLog.listAudit({ actor, max: 100 })),
  ['listAudit, a page', auditLog.listAudit({ since: at(4), until: at(9), before: { at: at(8), ordinal: 18 }, max: 3 })],
  ['listUnlinked', auditLog.listUnlinked(0, 100)],
  ['listRows', auditLog.listRows(0, 100)],
  ['lastCheckpoint', auditLog.lastCheckpoint],
  ['checkpointsAfter', auditLog.checkpointsAfter(1, 100)],
  ['countSealed', store.countSealed],
  ['sealAnew, a dry run', TE.tryCatch(() => sealedInSteps(store, true), String)],
  ...(store.instances === undefined
    ? []
    : [
        [
          'listInstances',
          pipe(
            store.instances.listInstances,
            TE.map((all) => all.map(({ seen_at, ...each }) => ({ ...each, isSeen: seen_at > 0 }))),
          ),
        ] as const,
      ]),
]

const next = (client: RegisteredClient): RegisteredClient => ({ ...client, version: client.version + 1 })
/** All clients are replaced, each by the same in its next version. */
const asBefore = <Client extends { readonly version: number }>(client: Client): Client => ({
  ...client,
  version: client.version - 1,
})
const nothing = (): string => 'nothing is found'
const onFound = <Value>(
  read: TE.TaskEither<unknown, O.Option<Value>>,
  write: (value: Value) => TE.TaskEither<unknown, unknown>,
): Answer => pipe(read, TE.flatMapOption(identity, nothing), TE.flatMap(write))

/** These run once, in this order. */
const writesOf = (store: Store, ids: ReadonlyArray<ClientId>): Asked => {
  const { registry, clientUses, clientSearch, endUserSessions, keyRings, leases, pendingNotifications: pending } = store
  const oneMore: RegisteredClient = { ...exampleClient('one-more'), registered_by: 'nobody' }
  const add = (limits: RegistryLimits, fingerprint?: TokenHash, keyed?: KeyedRegistration): Answer =>
    registry.addClient(addition(oneMore, { limits, fingerprint, keyed }))
  const sealed = TE.tryCatch(() => sealedInSteps(store, false), String)
  const restoring = { since: at(-30 * day), at: at(200), tombstone: tombstones[2]?.id }
  return [
    ['sealAnew', sealed],
    ['sealAnew again', sealed],
    ['acquireLease of another', leases.acquireLease({ name: 'keys', holder: 'instance-2', until: at(99) }, at(59))],
    ['acquireLease again', leases.acquireLease({ name: 'keys', holder: 'instance-1', until: at(99) }, at(59))],
    ...asked(
      'drawFromBudget',
      draws,
      (draw) => store.budgets.drawFromBudget(draw, drawnAt),
      ({ kind }) => kind,
    ),
    ['addClient under a key', add(noLimits, undefined, keyedRegistrations[0])],
    ['addClient again', add(noLimits, fingerprints[0])],
    ['addClient to a full registry', add({ ...noLimits, clients: ids.length })],
    ['addClient to one that is full of unused clients', add({ ...noLimits, unusedOpenClients: 1 })],
    ['addClient where there is room', add({ ...noLimits, clients: ids.length + 1 })],
    [
      'importClients',
      registry.importClients([{ client: exampleClient('short', 'second'), replacing: undefined, audit: noRow }]),
    ],
    // Every row of a client is proven and replaced.
    ...asked('replaceClient', ids, (id) =>
      onFound(registry.findClient(id), (client) =>
        registry.replaceClient({ next: next(client), replacing: client, audit: noRow }),
      ),
    ),
    ['restoreRemoved', clientUses.restoreRemoved(exampleId('gone-rotated'), restoring, noRow)],
    ['findClient, restored', registry.findClient(exampleId('gone-rotated'))],
    ['isRemembered, restored', clientUses.isRemembered(tombstones[2]?.id ?? exampleHash('none'), at(100))],
    ['forgetRemoved', clientUses.forgetRemoved(at(-1), 10)],
    [
      'removeParked',
      onFound(registry.findClient(exampleId('parked')), ({ client_id, registration_id }) =>
        clientUses.removeParked(
          { client_id, registration_id },
          due,
          { id: exampleHash('parked'), until: at(9) },
          at(8),
          noRow,
        ),
      ),
    ],
    ['parkUnused, a shorter notice', clientUses.parkUnused({ ...due, at: at(0), notice: 2 }, 100)],
    [
      'indexTexts',
      pipe(
        clientSearch.indexTexts(1_000),
        TE.map((indexed) => indexed > 0),
      ),
    ],
    ...asked(
      'searchClients, indexed',
      filters.filter(({ q }) => q !== undefined),
      (filter) =>
        pipe(
          searched(clientSearch)(filter),
          TE.map((clients) => clients.map(asBefore)),
        ),
    ),
    ...asked('consumeArtefact', ['code', 'alone-authorization_code'], (text) =>
      store.artefacts.useArtefact({ kind: 'authorization_code', hash: exampleHash(text), at: at(30) }),
    ),
    ...asked('useRefreshToken', [1, 3, 2], (place) =>
      store.artefacts.useArtefact(useOf({ kind: 'refresh_token', hash: exampleHash(`refresh-${place}`) }, at(30), 60)),
    ),
    ...asked(
      'replaceSession',
      sessions.map(({ sid }) => sid),
      (sid) =>
        onFound(endUserSessions.findSessionById(sid), (session) =>
          endUserSessions.replaceSession({ next: usedSession(at(60))(session), replacing: session, audit: noRow }),
        ),
    ),
    [
      'endSession',
      onFound(endUserSessions.findSessionById('three'), (session) => {
        const ended = { session, notifications: [], notificationLimits: defaultNotificationLimits }
        return store.sessionTermination.endSession({ ...ended, revokesOfflineAccess: true }, noRow)
      }),
    ],
    ...asked(
      'findAuthorization, ended',
      authorizations.filter(({ session }) => session !== undefined),
      ({ kind, hash }) => store.authorizations.findAuthorization(kind, hash),
      ({ hash }) => hash,
    ),
    ['claimDue', pending.claimDue(at(60), { holder: 'instance-2', until: at(90) }, 100)],
    ['retryNotifications', pending.retryNotifications(O.none, at(60), noRow)],
    ['purgeNotifications', pending.purgeNotifications(at(14))],
    ['removeInitialAccessToken', store.initialAccessTokens.removeInitialAccessToken(ownedToken.hash, noRow)],
    ['removeOperatorToken', store.operatorTokens.removeOperatorToken(exampleHash('operator'), noRow)],
    ['removeForeignKey', store.foreignKeys.removeForeignKey('foreign-ec', noRow)],
    [
      'replaceKeyRings',
      pipe(
        keyRings.readKeyRings,
        TE.flatMap((rings) =>
          replaceRings(keyRings)(
            rings.map((ring) => ({ next: { ...ring, version: ring.version + 1 }, replacing: O.some(ring) })),
          ),
        ),
      ),
    ],
    ['addCheckpoint', store.auditLog.addCheckpoint({ number: 3, at: at(400), lowest: 0, highest: 0, jws: '' })],
    // What belongs to a client ends with it.
    [
      'removeClient',
      registry.removeClient(removal(exampleId('with-secret'), { token: O.some(exampleHash('with-secret-first')) })),
    ],
    ['findArtefact, ended', store.artefacts.findArtefact('grant', exampleHash('grant'))],
    ['connectionsOf, ended', connections(store, exampleSubject('zoe'))],
    ['listNotifications, ended', pending.listNotifications(100)],
    ['streamClients, written', streamed(registry.streamClients, E.map(asBefore))],
  ]
}

/** All that the store answers; it writes at the end. */
export const readStore = async (store: Store): Promise<Reading> => {
  const ids = await idsOf(store)
  const wanted = [...ids, exampleId('removed-by-client'), exampleId('nobody')]
  return answersTo([
    ...clientsOf(store, wanted),
    ...tokensOf(store),
    ...endUsersOf(store),
    ...serviceOf(store),
    ...writesOf(store, ids),
  ])
}
