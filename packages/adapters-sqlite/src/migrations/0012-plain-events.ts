// Events hold identifiers and no secret, so that they are not sealed, and their positions increase without AUTOINCREMENT,
// because the latest ones are never removed. Registrations are found by client_id, and their random identities differ, so
// that an index of them has no use.
export const plainEvents = `
DROP TABLE provider_events;
CREATE TABLE provider_events (
  position INTEGER PRIMARY KEY,
  event TEXT NOT NULL
) STRICT;

DROP INDEX clients_by_registration;
`
