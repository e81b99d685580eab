// Rows with the ids of the client that they refer to. Qualified, so that a column that a later release adds to the other
// table is not ambiguous here.

export const artefactRows = `(
  SELECT stored.kind, stored.hash, stored.name, clients.client_id, clients.registration_id, stored.grant_hash,
    stored.session, stored.sub, stored.predecessor, stored.expires_at, stored.consumed_at, stored.successor,
    stored.payload
  FROM artefacts AS stored LEFT JOIN clients ON clients.ordinal = stored.client) AS artefact_rows`

export const consentRows = `(
  SELECT stored.client, clients.client_id, clients.registration_id, stored.sub, stored.given_at, stored.sealed
  FROM consents AS stored JOIN clients ON clients.ordinal = stored.client) AS consent_rows`

export const tokenRows = `(
  SELECT stored.hash, stored.scope, stored.expires_at, clients.client_id, clients.registration_id, stored.issued_by,
    stored.proof
  FROM initial_access_tokens AS stored LEFT JOIN clients ON clients.ordinal = stored.owner) AS token_rows`
