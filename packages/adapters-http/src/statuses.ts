import type { Refusal } from '@clientele/domain/kernel'

/** Refusals by the transport, before any operation. */
type TransportError = 'too_large' | 'unsupported_encoding' | 'not_found' | 'method_not_allowed' | 'defect'

/**
 * The only table of refusals and statuses: RFC 6750 §3.1 for tokens, RFC 7591 §3.2.2 for what a body asks, RFC 9110 §15
 * and RFC 6585 §4 for the rest.
 */
export const refusalStatuses: Readonly<Record<Refusal['error'] | TransportError, number>> = {
  missing_token: 401,
  invalid_token: 401,
  insufficient_scope: 403,
  registry_full: 403,
  invalid_request: 400,
  invalid_redirect_uri: 400,
  invalid_client_metadata: 400,
  invalid_software_statement: 400,
  unapproved_software_statement: 400,
  invalid_scope: 400,
  unknown_algorithm: 400,
  invalid_keys: 400,
  unknown_client: 404,
  unknown_session: 404,
  unknown_connection: 404,
  unknown_kid: 404,
  unknown_notice: 404,
  unknown_initial_access_token: 404,
  unknown_operator_token: 404,
  not_found: 404,
  method_not_allowed: 405,
  session_full: 409,
  count_changed: 409,
  client_id_taken: 409,
  client_in_force: 409,
  client_secret_conflict: 409,
  invalid_settings: 409,
  roll_over_under_way: 409,
  kid_known: 409,
  too_many_foreign_keys: 409,
  idempotency_conflict: 409,
  precondition_failed: 412,
  too_large: 413,
  unsupported_encoding: 415,
  idempotency_key_reused: 422,
  precondition_required: 428,
  too_many_requests: 429,
  defect: 500,
  unavailable: 503,
}
