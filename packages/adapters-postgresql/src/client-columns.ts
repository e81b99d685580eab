// By name, so that a prepared statement goes on after a migration has added a column.

/** The columns of a client as its codec reads them. */
export const clientColumns = `ordinal, client_id, registration_id, version, client_id_issued_at, client_secret_expires_at,
  registration_access_token_hash, registered_by, privileges, metadata, suspended_at, credentials,
  preceding_token_hash, token_fingerprint, statement_issuer, imported, waits_since`
