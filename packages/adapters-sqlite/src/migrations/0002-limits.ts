// On whose word a client was registered, and whether anything was ever recorded for it, so that both can be limited. Of
// clients from before it is not known: a token is the least that most of them had. The count is kept, because counting a
// million rows at each registration is not cheap.
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
