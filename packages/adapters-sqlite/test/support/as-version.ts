import { beside } from './beside.js'

/** What takes each migration back, from the second on. */
const undone: ReadonlyArray<string> = [
  `DROP TRIGGER count_added_client; DROP TRIGGER count_removed_client; DROP TABLE client_count;
   DROP INDEX clients_unused_open;
   ALTER TABLE clients DROP COLUMN used; ALTER TABLE clients DROP COLUMN registered_by`,
  'DROP TABLE key_rings',
  `DROP TABLE session_clients; DROP TABLE end_user_sessions; DROP TABLE answered_dialogs; DROP TABLE logout_notices;
   DROP INDEX authorizations_by_session;
   ALTER TABLE authorizations DROP COLUMN session; ALTER TABLE authorizations DROP COLUMN offline`,
]

/** The file as that version of the schema made it, with what the present one holds of the same columns. */
export const asVersion = (file: string, version: number): void =>
  beside(file, (db) => {
    for (const statements of undone.slice(version - 1).reverse()) db.exec(statements)
    db.pragma(`user_version = ${version}`)
  })
