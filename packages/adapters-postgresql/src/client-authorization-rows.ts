// Qualified, so that a column that a later release adds to the other table is not ambiguous here.

/** The rows of authorizations with the identity of their clients. */
export const clientAuthorizationRows = `(
  SELECT held.kind, held.hash, clients.client_id, clients.registration_id, held.expires_at, held.details, held.session,
    held.offline, held.proof
  FROM authorizations AS held JOIN clients ON clients.ordinal = held.client) AS client_authorizations`
