// Identifies each registration, so that what is recorded for a client belongs to none that is registered later under the same
// client_id. Other tables refer to a client by its ordinal, and go with it: they have the registration_id of its row. It is no
// part of what is proven of a client, so that no row is sealed anew. Events from before named no registration.
export const registrations = `
ALTER TABLE clients ADD COLUMN registration_id TEXT NOT NULL DEFAULT '';
UPDATE clients SET registration_id = lower(hex(randomblob(16)));
CREATE UNIQUE INDEX clients_by_registration ON clients (registration_id);

DELETE FROM provider_events;
`
