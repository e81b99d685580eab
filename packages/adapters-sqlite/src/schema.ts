// The first schema of SQLite, and the migrations after it.
import { tablesOfSqlite } from '@clientele/adapters-sql'

// A trigger keeps the number of clients, because SQLite counts by reading an index.
const first = `${tablesOfSqlite}
CREATE TABLE client_count (
  clients INTEGER NOT NULL
) STRICT;
INSERT INTO client_count VALUES (0);
CREATE TRIGGER count_added_client AFTER INSERT ON clients BEGIN
  UPDATE client_count SET clients = clients + 1;
END;
CREATE TRIGGER count_removed_client AFTER DELETE ON clients BEGIN
  UPDATE client_count SET clients = clients - 1;
END;

CREATE VIRTUAL TABLE search_blocks USING fts5
  (tokens, content = '', contentless_delete = 1, detail = none, tokenize = 'ascii');

CREATE TABLE provider_events (
  ordinal INTEGER PRIMARY KEY,
  event TEXT NOT NULL
) STRICT;
`

type Migration = { readonly number: number; readonly statements: string }

/** Forward only, in the order of their numbers, which never change. Numbers below the first are of no release. */
export const migrations: readonly [Migration, ...ReadonlyArray<Migration>] = [{ number: 100, statements: first }]
