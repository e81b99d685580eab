import { ClientRow, clientContext } from '@clientele/stored-rows'
import { exampleClient } from '@clientele/testing'
import * as O from 'fp-ts/lib/Option.js'
import type Database from 'better-sqlite3'
import { beside } from './beside.js'
import { type Sealer, sealerWith } from './encryption.js'

const beforeProvenRows = `
ALTER TABLE clients ADD COLUMN client_secret TEXT;
ALTER TABLE clients ADD COLUMN registration_access_token TEXT NOT NULL DEFAULT '';
ALTER TABLE initial_access_tokens ADD COLUMN spent INTEGER NOT NULL DEFAULT 0;
DROP INDEX ending_dialogs_by_end;
ALTER TABLE ending_dialogs RENAME TO answered_dialogs;
ALTER TABLE answered_dialogs ADD COLUMN answer TEXT NOT NULL DEFAULT 'logout';
CREATE INDEX answered_dialogs_by_end ON answered_dialogs (remembered_until);`

const withoutProvenRows = `
DROP TABLE foreign_keys; DROP INDEX clients_by_token; DROP INDEX authorizations_by_expiry;
ALTER TABLE clients DROP COLUMN credentials;
ALTER TABLE initial_access_tokens DROP COLUMN proof;
ALTER TABLE end_user_sessions DROP COLUMN proof; ALTER TABLE end_user_sessions DROP COLUMN declined;
ALTER TABLE authorizations DROP COLUMN proof;`

const opened = (sealer: Sealer, sealed: string, context: string): string => {
  const plain = sealer.open(sealed, context)
  if (O.isNone(plain)) throw new Error(`${context} does not open`)
  return plain.value
}

// Two texts for each client, each sealed with its column and client as context.
const unproveRows = (db: Database.Database, sealer: Sealer): void => {
  db.exec(beforeProvenRows)
  const update = db.prepare('UPDATE clients SET client_secret = ?, registration_access_token = ? WHERE client_id = ?')
  const { registration_id } = exampleClient('any')
  for (const columns of db.prepare('SELECT * FROM clients').all()) {
    const row: unknown = Object.assign(
      {
        registration_id,
        suspended_at: null,
        waits_since: null,
        preceding_token_hash: null,
        token_fingerprint: null,
        statement_issuer: null,
        imported: 0,
      },
      columns,
    )
    if (!ClientRow.is(row)) throw new Error('no client')
    const { client_secret, registration_access_token } = JSON.parse(
      opened(sealer, row.credentials, clientContext(row)),
    ) as { readonly client_secret?: string; readonly registration_access_token: string }
    update.run(
      client_secret === undefined ? null : sealer.seal(client_secret, `client_secret of ${row.client_id}`),
      sealer.seal(registration_access_token, `registration_access_token of ${row.client_id}`),
      row.client_id,
    )
  }
  db.exec(withoutProvenRows)
}

const beforeFactsOfTheDomain = `
ALTER TABLE clients ADD COLUMN used INTEGER NOT NULL DEFAULT 0;
UPDATE clients SET used = 1 WHERE unused_open = 0 AND ordinal NOT IN (SELECT client FROM session_clients);
DROP INDEX clients_unused_open;
ALTER TABLE clients DROP COLUMN unused_open;
CREATE INDEX clients_unused_open ON clients (ordinal) WHERE registered_by = 'nobody' AND used = 0;
DROP INDEX end_user_sessions_by_end;
ALTER TABLE end_user_sessions DROP COLUMN over_at;
ALTER TABLE end_user_sessions ADD COLUMN
  over_at INTEGER NOT NULL GENERATED ALWAYS AS (min(used_at + idle_lifetime, expires_at)) VIRTUAL;
CREATE INDEX end_user_sessions_by_end ON end_user_sessions (over_at);
CREATE TRIGGER revoke_with_session AFTER DELETE ON end_user_sessions BEGIN
  DELETE FROM authorizations WHERE session = OLD.sid AND offline = 0;
END;`

/** Reverts each migration, from the second on. */
const undone: ReadonlyArray<(db: Database.Database, sealer: Sealer) => void> = [
  (db) =>
    db.exec(`DROP TRIGGER count_added_client; DROP TRIGGER count_removed_client; DROP TABLE client_count;
   DROP INDEX clients_unused_open;
   ALTER TABLE clients DROP COLUMN used; ALTER TABLE clients DROP COLUMN registered_by`),
  (db) => db.exec('DROP TABLE key_rings'),
  (db) =>
    db.exec(`DROP TABLE session_clients; DROP TABLE end_user_sessions; DROP TABLE answered_dialogs;
   DROP TABLE logout_notices; DROP INDEX authorizations_by_session;
   ALTER TABLE authorizations DROP COLUMN session; ALTER TABLE authorizations DROP COLUMN offline`),
  unproveRows,
  (db) => db.exec('DROP TABLE leases'),
  (db) =>
    db.exec(`DROP INDEX logout_notices_claimed; ALTER TABLE logout_notices DROP COLUMN receiver;
   ALTER TABLE logout_notices DROP COLUMN claimed_by; ALTER TABLE logout_notices DROP COLUMN claimed_until`),
  (db) => db.exec(beforeFactsOfTheDomain),
  (db) => db.exec("DROP TABLE provider_events; DELETE FROM sqlite_sequence WHERE name = 'provider_events'"),
  (db) => db.exec('DROP INDEX clients_by_registration; ALTER TABLE clients DROP COLUMN registration_id'),
  (db) => db.exec(`UPDATE end_user_sessions SET declined = replace(declined, '{"confirmation":', '{"dialog":')`),
  (db) =>
    db.exec(`CREATE UNIQUE INDEX clients_by_registration ON clients (registration_id);
   DROP TABLE provider_events;
   CREATE TABLE provider_events (position INTEGER PRIMARY KEY AUTOINCREMENT, sealed TEXT NOT NULL) STRICT`),
  (db) =>
    db.exec(`DROP TABLE artefacts; DROP TABLE consents; DROP INDEX initial_access_tokens_by_owner;
   ALTER TABLE initial_access_tokens DROP COLUMN owner`),
  (db) => db.exec('DROP TABLE operator_tokens; ALTER TABLE initial_access_tokens DROP COLUMN issued_by'),
  (db) =>
    db.exec(`DROP TABLE tombstones; DELETE FROM sqlite_sequence WHERE name = 'tombstones';
   DROP INDEX clients_parked; DROP INDEX clients_repeated;
   ALTER TABLE clients DROP COLUMN used_at; ALTER TABLE clients DROP COLUMN suspended_at;
   ALTER TABLE clients DROP COLUMN fingerprint`),
  (db) => db.exec('DROP TABLE budgets'),
  (db) =>
    db.exec(`DROP TABLE client_search; DROP TABLE client_search_due; DROP TABLE client_search_progress;
   DROP INDEX clients_by_token_fingerprint; DROP INDEX clients_by_statement_issuer; DROP INDEX clients_suspended;
   DROP INDEX clients_filtered;
   ALTER TABLE clients DROP COLUMN token_fingerprint; ALTER TABLE clients DROP COLUMN statement_issuer;
   ALTER TABLE clients DROP COLUMN imported`),
  (db) =>
    db.exec(
      `DROP TABLE audit_rows; DROP TABLE audit_checkpoints; DELETE FROM sqlite_sequence WHERE name = 'audit_rows'`,
    ),
  (db) => db.exec('DROP INDEX clients_by_preceding_token; ALTER TABLE clients DROP COLUMN preceding_token_hash'),
  (db) => db.exec('DROP TABLE keyed_registrations'),
  (db) =>
    db.exec(`DROP TABLE observed_days; DROP INDEX clients_unused_open; DROP INDEX clients_parked; DROP INDEX clients_noticed;
   DROP INDEX clients_filtered;
   ALTER TABLE clients DROP COLUMN waits_since; ALTER TABLE clients DROP COLUMN parked_at;
   ALTER TABLE clients DROP COLUMN notice;
   CREATE INDEX clients_unused_open ON clients (ordinal) WHERE unused_open = 1;
   CREATE INDEX clients_parked ON clients (ordinal) WHERE unused_open = 2;
   CREATE INDEX clients_filtered ON clients
     (ordinal, registered_by, client_id_issued_at, used_at, suspended_at, imported, statement_issuer)`),
  (db) =>
    db.exec(`DROP INDEX audit_rows_checkpoint; DROP INDEX audit_rows_client; DROP INDEX audit_rows_actor;
   DROP INDEX audit_rows_actor_name; ALTER TABLE audit_rows DROP COLUMN actor_name;
   CREATE INDEX audit_rows_client ON audit_rows (client_id, ordinal) WHERE client_id IS NOT NULL AND checkpoint IS NOT NULL;
   CREATE INDEX audit_rows_unlinked ON audit_rows (ordinal) WHERE checkpoint IS NULL`),
  (db) => db.exec(`DROP TABLE removed_clients; DELETE FROM sqlite_sequence WHERE name = 'removed_clients'`),
]

/** The file as that version of the schema made it, with the present values of the common columns. */
export const asVersion = (file: string, version: number, sealer = sealerWith('the right key')): void =>
  beside(file, (db) => {
    for (const undo of undone.slice(version - 1).reverse()) undo(db, sealer)
    db.pragma(`user_version = ${version}`)
  })
