// Registrations that were requested with an Idempotency-Key, for a day. Key and body are in keyed digests, and the second
// has the other columns as well. The previous release goes on: it reads no key, and its removals remove the rows.
export const keyedRegistrations = `
CREATE TABLE keyed_registrations (
  key text COLLATE "C" PRIMARY KEY,
  client bigint NOT NULL REFERENCES clients (ordinal) ON DELETE CASCADE,
  request text COLLATE "C" NOT NULL,
  expires_at bigint NOT NULL
);
CREATE INDEX keyed_registrations_by_client ON keyed_registrations (client);
CREATE INDEX keyed_registrations_by_end ON keyed_registrations (expires_at);
`
