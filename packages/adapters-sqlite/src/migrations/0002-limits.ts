// The authority for the registration of a client, and whether the client was ever used: the policy limits both. Both
// are unknown for older clients; most of them had a token at least. The count is stored, because counting a million
// rows at each registration is slow.
export const limits = `
ALTER TABLE clients ADD COLUMN registered_by TEXT NOT NULL DEFAULT 'token';
ALTER TABLE clients ADD COLUMN used INTEGER NOT NULL DEFAULT 0;

CREATE INDEX clients_unused_open ON clients (ordinal) WHERE registered_by = 'nobody' AND used = 0;

CREATE TABLE client_count (clients INTEGER NOT NULL) STRICT;
INSERT INTO client_count SELECT count(*) FROM clients;

CREATE TRIGGER count_added_client AFTER INSERT ON clients BEGIN
  UPDATE client_count SET clients = clients + 1;
END;
CREATE TRIGGER count_removed_client AFTER DELETE ON clients BEGIN
  UPDATE client_count SET clients = clients - 1;
END;
`
