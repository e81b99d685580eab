// The queries about sessions and notifications use indexes, however many rows there are.
import type Database from 'better-sqlite3'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createArtefacts } from '../src/artefacts.js'
import { createConsents } from '../src/consents.js'
import { createEndUserSessions } from '../src/end-user-sessions.js'
import { createPendingNotifications } from '../src/pending-notifications.js'
import { createSessionTermination } from '../src/session-termination.js'
import { openedLayers } from './support/opened-layers.js'
import { planOf, recording } from './support/plans.js'
import { encryptionWith } from './support/encryption.js'
import { inFolder } from './support/temporary-store.js'

const plans = suite('the plans of queries about sessions and notices')

const isIndexed = (detail: string): boolean =>
  !/^SCAN (?!CONSTANT ROW|\(|.*USING (COVERING )?INDEX)/.test(detail) && !/TEMP B-TREE/.test(detail)

const inRecordedLayers = (body: (db: Database.Database, prepared: ReadonlyArray<string>) => void) =>
  inFolder(async (file) => {
    const { db, read, queue } = await openedLayers(file)
    const [recorder, prepared] = recording(db)
    const recorded = { db: recorder, read, queue }
    createEndUserSessions(recorded, encryptionWith('the right key'))
    createSessionTermination(recorded)
    createArtefacts(recorded, encryptionWith('the right key'))
    createConsents(recorded, encryptionWith('the right key'))
    createPendingNotifications(recorded)
    body(db, prepared)
    db.close()
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
    const sql = prepared.find((each) => each.endsWith('WHERE cookie_hash = ?')) ?? 'none'
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
      'logout_notices_due (due_at<?)',
      'logout_notices_by_creation',
      'logout_notices_failed',
      'logout_notices_claimed (receiver=? AND claimed_until>?)',
      'end_user_sessions_by_sub (sub=?)',
      'end_user_sessions_by_end (over_at<?)',
      'ending_dialogs_by_end (remembered_until<?)',
      'authorizations_by_session (session=?)',
      'artefacts_by_name (kind=? AND name=?)',
      'artefacts_by_grant (grant_hash=?)',
      'artefacts_by_client (client=? AND sub=?)',
      'artefacts_by_end (removable_from<?)',
      'consents_by_sub (sub=?)',
    ])
      assert.ok(all.includes(index), `${index} in ${all}`)
  }),
)

plans(
  'what a session granted is found by an index when the session is forgotten or ended',
  inRecordedLayers((db, prepared) => {
    const revoking = prepared.filter((sql) => sql.startsWith('DELETE FROM authorizations'))
    assert.is(revoking.length, 2)
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
    assert.is(references.length, 9)
    for (const { name, from } of references)
      for (const detail of planOf(db, `SELECT 1 FROM ${name} WHERE ${from} = ?`))
        assert.match(detail, /^SEARCH \w+ USING (COVERING INDEX|PRIMARY KEY)/)
  }),
)

plans.run()
