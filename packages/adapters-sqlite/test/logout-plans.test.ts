// The queries about sessions and notifications use indexes, however many rows there are.
import type Database from 'better-sqlite3'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type Engine, storeOn } from '@clientele/adapters-sql'
import { secondsAfter } from '@clientele/domain/kernel'
import { connectionStates } from '@clientele/domain/provider'
import {
  done,
  exampleArtefact,
  exampleAuthorization,
  exampleClient,
  exampleConsent,
  exampleHash,
  exampleNotification,
  exampleSession,
  exampleTime,
  useOf,
  refused,
  revokeExample,
  addition,
  noRow,
} from '@clientele/testing'
import * as O from 'fp-ts/lib/Option.js'
import { openedLayers } from './support/opened-layers.js'
import { planOf, recording } from './support/plans.js'
import { encryptionWith } from './support/encryption.js'
import { inFolder } from './support/temporary-store.js'

const plans = suite('the plans of queries about sessions and notices')

const isIndexed = (detail: string): boolean =>
  !/^SCAN (?!CONSTANT ROW|\(|.*USING (COVERING )?INDEX)/.test(detail) && !/TEMP B-TREE/.test(detail)

/** Runs each statement about artefacts, authorizations and connections. */
const grant = async (layers: Engine): Promise<void> => {
  const encryption = encryptionWith('the right key')
  const store = storeOn(layers, encryption, '')
  const { artefacts, consents, connections, authorizations } = store
  const client = exampleClient('a')
  const { sub, client: of } = exampleConsent(client)
  const root = exampleArtefact('refresh_token', 'root')
  const next = { ...exampleArtefact('refresh_token', 'next'), predecessor: root.hash, client: of, sub }
  for (const each of [root, next]) await done(artefacts.storeArtefact(each, exampleTime))
  await done(artefacts.findArtefact('refresh_token', next.hash))
  await done(artefacts.findArtefactByName('refresh_token', next.hash))
  await done(artefacts.useArtefact(useOf(next)))
  await refused(artefacts.useArtefact({ kind: 'authorization_code', hash: next.hash, at: exampleTime }))
  await done(artefacts.removeGrant(root.hash))
  await done(consents.recordConsent(exampleConsent(client), O.none))
  await done(consents.findConsent(sub, of))
  const { client_id } = of
  for (const filter of [{}, { sub }, { client_id }, { client_id, sub }, { idle_since: exampleTime }])
    for (const state of connectionStates)
      await done(connections.searchConnections({ ...filter, state }, exampleTime, { after: 0, limit: 10 }))
  await done(connections.findConnection(0, exampleTime))
  await done(connections.lastConnection)
  await done(revokeExample(store, exampleConsent(client)))
  await done(connections.forgetConnections(exampleTime, 10))
  const granted = exampleAuthorization(client, 'granted')
  await done(authorizations.recordAuthorization(granted, exampleTime))
  await done(authorizations.findAuthorization(granted.kind, granted.hash))
  await done(authorizations.revokeAuthorization(granted.kind, granted.hash))
}

const inRecordedLayers = (body: (db: Database.Database, prepared: ReadonlyArray<string>) => void) =>
  inFolder(async (file) => {
    const prepared: Array<string> = []
    const layers = await openedLayers(file, (db) => recording(db, prepared))
    const encryption = encryptionWith('the right key')
    const { registry, endUserSessions: sessions, sessionTermination, ...ports } = storeOn(layers, encryption, '')
    await done(registry.addClient(addition(exampleClient('a'))))
    prepared.length = 0
    const { endSession, hasEnded } = sessionTermination
    const { pendingNotifications: notifications } = ports
    // A statement is prepared when it runs.
    const first = exampleSession('s', ['a'])
    const session = { ...first, clients: [], version: 2 }
    await done(sessions.addSession(first, exampleHash('s'), exampleTime, noRow))
    await done(sessions.replaceSession({ next: session, replacing: first, audit: noRow }))
    await done(sessions.findSession(exampleHash('s')))
    await done(sessions.findSessionById('s'))
    await done(sessions.listSessions('zoe'))
    const ends = { notificationLimits: { maxPerClient: 1, maxInAll: 1 }, revokesOfflineAccess: true }
    const by = { confirmation: exampleHash('page'), answered_at: exampleTime, expires_at: exampleTime }
    await done(
      endSession({ ...ends, session, notifications: ['n', 'm'].map((id) => exampleNotification(id, 'a')), by }, noRow),
    )
    await done(hasEnded(by.confirmation))
    await done(sessions.addSession(exampleSession('over'), exampleHash('over'), exampleTime, noRow))
    await done(
      sessions.addSession(exampleSession('next'), exampleHash('next'), secondsAfter(exampleTime, 100_000), noRow),
    )
    await done(notifications.claimDue(exampleTime, { holder: 'one', until: exampleTime }, 1))
    await done(notifications.nextDue(exampleTime, 'one'))
    await done(notifications.listNotifications(1))
    const tried = { id: 'm', attempts: 1, due_at: exampleTime, note: '' }
    await done(
      notifications.recordTries('one', [
        { ...tried, kind: 'failed' },
        { id: 'm', kind: 'delivered' },
      ]),
    )
    await done(notifications.retryNotifications(O.some('m'), exampleTime, noRow))
    await done(notifications.retryNotifications(O.none, exampleTime, noRow))
    await done(notifications.purgeNotifications(exampleTime))
    await grant(layers)
    body(layers.db, [...prepared])
    layers.db.close()
  })

plans(
  'none reads a table from end to end or sorts what it found',
  inRecordedLayers((db, prepared) => {
    assert.ok(prepared.length > 20)
    for (const sql of prepared)
      for (const detail of planOf(db, sql)) assert.ok(isIndexed(detail), `${detail}, for ${sql}`)
  }),
)

plans(
  'the session of a cookie is found by the index of cookies, with its clients by their places',
  inRecordedLayers((db, prepared) => {
    const sql = prepared.find((each) => each.endsWith('WHERE cookie_hash = :cookie_hash')) ?? 'none'
    assert.equal(
      planOf(db, sql).filter((detail) => detail.startsWith('SEARCH')),
      [
        'SEARCH end_user_sessions USING INDEX sqlite_autoindex_end_user_sessions_1 (cookie_hash=?)',
        'SEARCH named USING PRIMARY KEY (session=?)',
        'SEARCH clients USING INTEGER PRIMARY KEY (rowid=?)',
      ],
    )
  }),
)

plans(
  'what is due and what is over are found by indices of their own',
  inRecordedLayers((db, prepared) => {
    const all = prepared.flatMap((sql) => planOf(db, sql)).join('\n')
    for (const index of [
      'notifications_due (due_at<?)',
      'notifications_by_creation',
      'notifications_failed',
      'notifications_claimed (receiver=? AND claimed_until>?)',
      'end_user_sessions_by_sub (sub=?)',
      'end_user_sessions_by_end (over_at<?)',
      'ending_confirmations_by_end (remembered_until<?)',
      'authorizations_by_session (session=?)',
      'artefacts_by_name (kind=? AND name=?)',
      'artefacts_by_grant (grant_hash=?)',
      'artefacts_by_client (client=? AND sub=?)',
      'artefacts_by_end (removable_from<?)',
      'consents USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)',
      'consents_by_client (client=? AND ordinal>? AND ordinal<?)',
      'consents_by_sub (sub=? AND ordinal>? AND ordinal<?)',
      'revoked_connections_by_ordinal (ordinal>? AND ordinal<?)',
      'revoked_connections_by_client (client=? AND ordinal>? AND ordinal<?)',
      'revoked_connections_by_sub (sub=? AND ordinal>? AND ordinal<?)',
      'revoked_connections_by_end (revoked_at<?)',
      'authorizations_by_expiry (expires_at>? AND expires_at<?)',
    ])
      assert.ok(all.includes(index), `${index} in ${all}`)
  }),
)

plans(
  'what a session granted is found by an index when the session is forgotten or ended',
  inRecordedLayers((db, prepared) => {
    const revoking = prepared.filter((sql) => sql.startsWith('DELETE FROM authorizations WHERE session'))
    assert.is(revoking.length, 1)
    for (const sql of revoking)
      assert.equal(planOf(db, sql), ['SEARCH authorizations USING INDEX authorizations_by_session (session=?)'])
  }),
)

plans(
  'what goes with a client or a session is found by an index',
  inRecordedLayers((db) => {
    const references = db
      .prepare<[], { readonly name: string; readonly from: string }>(
        `SELECT tables.name, keys."from" FROM sqlite_schema AS tables, pragma_foreign_key_list(tables.name) AS keys`,
      )
      .all()
    assert.is(references.length, 12)
    for (const { name, from } of references)
      for (const detail of planOf(db, `SELECT 1 FROM ${name} WHERE ${from} = ?`))
        assert.match(detail, /^SEARCH \w+ USING (COVERING INDEX|INTEGER PRIMARY KEY|PRIMARY KEY)/)
  }),
)

plans.run()
