// Identifies each registration, so that records of a client never belong to a later one with the same client_id. Other
// tables refer to a client by its ordinal and are removed with it: they have the registration_id of its row. It is not
// part of the proof of a client, so that no row is sealed anew. Earlier events name no registration.
export const registrations = `
ALTER TABLE clients ADD COLUMN registration_id TEXT NOT NULL DEFAULT '';
UPDATE clients SET registration_id = lower(hex(randomblob(16)));
CREATE UNIQUE INDEX clients_by_registration ON clients (registration_id);

DELETE FROM provider_events;
`
