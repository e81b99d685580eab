// Each verb that writes, with the statement that commits it and what is there afterwards.
import type { AuditRow } from '@clientele/domain/audit'
import { secondsAfter } from '@clientele/domain/kernel'
import { type Store, noLimits } from '@clientele/domain/ports'
import {
  done,
  endOf,
  replaceRings,
  exampleAuthorization,
  exampleClient,
  exampleForeignKey,
  exampleHash,
  exampleId,
  exampleKeyRing,
  exampleNotification,
  exampleSession,
  exampleTime,
  exampleToken,
  updatedExample,
  addition,
  noRow,
  removal,
} from '@clientele/testing'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { artefactVerbs } from './artefact-verbs.js'
import { count, none, nothing, one, type Verb, verb } from './verb.js'

const client = exampleClient('a')
const token = exampleToken('token')
const session = exampleSession('one', ['a'])
const authorization = exampleAuthorization(client, 'granted')
const foreignKey = exampleForeignKey('foreign')
const ring = exampleKeyRing()
const lease = { name: 'keys', holder: 'one', until: secondsAfter(exampleTime, 10) }
const at = secondsAfter(exampleTime, 1)
/** Written with the change, as in the service. */
const row: AuditRow = {
  at: exampleTime,
  client_id: 'a',
  actor_name: null,
  actor: 'master',
  entry: '{}',
  mac: exampleHash('row'),
}
const claim = { holder: 'one', until: secondsAfter(exampleTime, 60) }
const note = exampleNotification('to-a', 'a')
const ended = endOf(session, { notifications: [note] })

const addClient = (store: Store) => done(store.registry.addClient(addition(client)))
const addToken = (store: Store) => done(store.initialAccessTokens.addInitialAccessToken(token, exampleTime, noRow))
const addSession = async (store: Store) => {
  await addClient(store)
  await done(store.endUserSessions.addSession(session, exampleHash('cookie'), exampleTime, noRow))
}
const endSession = async (store: Store) => {
  await addSession(store)
  await done(store.sessionTermination.endSession(ended, noRow))
}
const claimDue = async (store: Store) => {
  await endSession(store)
  await done(store.pendingNotifications.claimDue(at, claim, 5))
}
const fail = async (store: Store) => {
  await claimDue(store)
  const failed = { id: note.id, kind: 'failed', attempts: 9, due_at: at, note: 'in vain' } as const
  await done(store.pendingNotifications.recordTries('one', [failed]))
}

const ofRegistry: ReadonlyArray<Verb> = [
  verb(
    'addClient',
    'commit',
    addToken,
    ({ registry }) => registry.addClient(addition(client, { consumedToken: O.some(token.hash), audit: row })),
    count('clients WHERE NOT EXISTS (SELECT 1 FROM initial_access_tokens)'),
  ),
  verb(
    'addClient with limits',
    'commit',
    addToken,
    ({ registry }) =>
      registry.addClient(
        addition(client, { consumedToken: O.some(token.hash), limits: { ...noLimits, clients: 1 }, audit: row }),
      ),
    count('clients WHERE NOT EXISTS (SELECT 1 FROM initial_access_tokens)'),
  ),
  verb(
    'replaceClient',
    'commit',
    addClient,
    ({ registry }) => registry.replaceClient({ next: updatedExample(client), replacing: client, audit: noRow }),
    count('clients WHERE version = 2'),
  ),
  verb(
    'replaceClient with its row',
    'commit',
    addClient,
    ({ registry }) => registry.replaceClient({ next: updatedExample(client), replacing: client, audit: row }),
    count('clients WHERE version = 2'),
  ),
  verb(
    'importClients',
    'commit',
    addClient,
    ({ registry }) => registry.importClients([{ client: updatedExample(client), replacing: client, audit: row }]),
    count('clients WHERE version = 2'),
    one,
    [E.right(undefined)],
  ),
  verb(
    'removeClient',
    'commit',
    addClient,
    ({ registry }) => registry.removeClient(removal(exampleId('a'))),
    count('provider_events WHERE NOT EXISTS (SELECT 1 FROM clients)'),
  ),
  verb(
    'removeClient with its row',
    'commit',
    addClient,
    ({ registry }) => registry.removeClient(removal(exampleId('a'), { audit: row })),
    count('provider_events WHERE NOT EXISTS (SELECT 1 FROM clients)'),
  ),
  verb(
    'addInitialAccessToken',
    'commit',
    nothing,
    ({ initialAccessTokens }) => initialAccessTokens.addInitialAccessToken(token, exampleTime, row),
    count('initial_access_tokens'),
  ),
  verb(
    'removeInitialAccessToken',
    'commit',
    addToken,
    ({ initialAccessTokens }) => initialAccessTokens.removeInitialAccessToken(token.hash, row),
    count('initial_access_tokens'),
    none,
    true,
  ),
  verb(
    'recordAuthorization',
    'commit',
    addClient,
    ({ authorizations }) => authorizations.recordAuthorization(authorization, exampleTime),
    count('authorizations'),
  ),
  verb(
    'revokeAuthorization',
    'commit',
    async (store) => {
      await addClient(store)
      await done(store.authorizations.recordAuthorization(authorization, exampleTime))
    },
    ({ authorizations }) => authorizations.revokeAuthorization(authorization.kind, authorization.hash),
    count('authorizations'),
    none,
  ),
]

const ofSessions: ReadonlyArray<Verb> = [
  verb(
    'addSession',
    'commit',
    addClient,
    ({ endUserSessions }) => endUserSessions.addSession(session, exampleHash('cookie'), exampleTime, row),
    count('end_user_sessions JOIN session_clients ON session = ordinal'),
  ),
  verb(
    'replaceSession',
    'commit',
    addSession,
    ({ endUserSessions }) =>
      endUserSessions.replaceSession({
        next: { ...session, version: 2, clients: [] },
        replacing: session,
        audit: noRow,
      }),
    count('end_user_sessions WHERE version = 2 AND NOT EXISTS (SELECT 1 FROM session_clients)'),
  ),
  verb(
    'endSession',
    'commit',
    addSession,
    ({ sessionTermination }) => sessionTermination.endSession(ended, row),
    count('notifications, provider_events WHERE NOT EXISTS (SELECT 1 FROM end_user_sessions)'),
    one,
    { gaveWay: 0 },
  ),
  verb(
    'claimDue',
    'commit',
    endSession,
    ({ pendingNotifications }) => pendingNotifications.claimDue(at, claim, 5),
    count(`notifications WHERE claimed_by = 'one'`),
    one,
    [{ ...note, attempts: 0, due_at: exampleTime, failed: false, note: '' }],
  ),
  verb(
    'recordTries',
    'commit',
    claimDue,
    ({ pendingNotifications }) =>
      pendingNotifications.recordTries('one', [{ id: note.id, kind: 'later', attempts: 1, due_at: at, note: '' }]),
    count('notifications WHERE attempts = 1 AND claimed_by IS NULL'),
  ),
  verb(
    'retryNotifications',
    'commit',
    fail,
    ({ pendingNotifications }) => pendingNotifications.retryNotifications(O.none, at, noRow),
    count('notifications WHERE failed = 0'),
    one,
    1,
  ),
  verb(
    'purgeNotifications',
    'commit',
    endSession,
    ({ pendingNotifications }) => pendingNotifications.purgeNotifications(at),
    count('notifications'),
    none,
    1,
  ),
]

const ofKeys: ReadonlyArray<Verb> = [
  verb(
    'replaceKeyRings',
    'commit',
    nothing,
    ({ keyRings }) => replaceRings(keyRings)([{ next: ring, replacing: O.none }]),
    count('key_rings'),
  ),
  verb(
    'addForeignKeys',
    'commit',
    nothing,
    ({ foreignKeys }) => foreignKeys.addForeignKeys([foreignKey], [], row),
    count('foreign_keys'),
  ),
  verb(
    'removeForeignKey',
    'commit',
    ({ foreignKeys }) => done(foreignKeys.addForeignKeys([foreignKey], [], noRow)),
    ({ foreignKeys }) => foreignKeys.removeForeignKey('foreign', noRow),
    count('foreign_keys'),
    none,
    true,
  ),
  verb(
    'acquireLease',
    'commit',
    nothing,
    ({ leases }) => leases.acquireLease(lease, exampleTime),
    count('leases'),
    one,
    true,
  ),
  verb(
    'releaseLease',
    'commit',
    ({ leases }) => done(leases.acquireLease(lease, exampleTime)),
    ({ leases }) => leases.releaseLease('keys', 'one'),
    count('leases'),
    none,
  ),
]

export const verbs: ReadonlyArray<Verb> = [...ofRegistry, ...ofSessions, ...ofKeys, ...artefactVerbs]
