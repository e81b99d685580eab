// Registrations that were requested with an Idempotency-Key, for a day. Key and body are in keyed digests, and the second
// has the other columns as well.
export const keyedRegistrations = `
CREATE TABLE keyed_registrations (
  key TEXT PRIMARY KEY,
  client INTEGER NOT NULL REFERENCES clients (ordinal) ON DELETE CASCADE,
  request TEXT NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX keyed_registrations_by_client ON keyed_registrations (client);
CREATE INDEX keyed_registrations_by_end ON keyed_registrations (expires_at);
`
