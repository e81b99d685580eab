// What an error says about the statement that failed: PostgreSQL, Appendix A (SQLSTATE).

export type Verdict =
  /** Undone, because another transaction was faster: it is run again at once. */
  | 'again'
  /** Nothing was written, and this connection cannot write: it is run again on another one. */
  | 'elsewhere'
  /** Undone, and it would fail again. */
  | 'undone'
  /** It may be committed: the database is asked. */
  | 'in_doubt'

/** untranslatable_character */
export const untranslatable = '22P05'
/** unique_violation */
export const uniqueViolation = '23505'
/** read_only_sql_transaction */
export const readOnly = '25006'
/** lock_not_available */
export const lockNotAvailable = '55P03'

const verdicts: Readonly<Record<string, Verdict>> = {
  // serialization_failure, deadlock_detected
  '40001': 'again',
  '40P01': 'again',
  // foreign_key_violation: the row was removed in the meantime
  '23503': 'again',
  // idle_in_transaction_session_timeout: this process stood still, and the server ended the transaction
  '25P03': 'elsewhere',
  // cannot_connect_now, too_many_connections
  '57P03': 'elsewhere',
  '53300': 'elsewhere',
  [readOnly]: 'elsewhere',
  // statement_completion_unknown, admin_shutdown, crash_shutdown
  '40003': 'in_doubt',
  '57P01': 'in_doubt',
  '57P02': 'in_doubt',
}

export const sqlState = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''

const isSqlState = (code: string): boolean => /^[0-9A-Z]{5}$/.test(code)

/** The verdict on a statement that was sent. An error without SQLSTATE is one of the connection. */
export const verdictOf = (error: unknown): Verdict => {
  const code = sqlState(error)
  if (!isSqlState(code) || code.startsWith('08')) return 'in_doubt'
  return verdicts[code] ?? 'undone'
}

const reasonsOfDisk: Readonly<Record<string, string>> = {
  // disk_full
  '53100': 'the disk of the database is full: free some space',
  // io_error
  '58030': 'the disk of the database fails: see its log',
}

/** Why no write succeeds that a later write alone disproves; undefined for other failures. */
export const reasonOfDisk = (error: unknown): string | undefined => reasonsOfDisk[sqlState(error)]

/** Why no write succeeds; undefined where one alone failed, or for a moment. */
export const reasonOfFailure = (error: unknown): string | undefined =>
  sqlState(error) === readOnly ? 'the database takes no writes: it is a standby, or read-only' : reasonOfDisk(error)

/** insufficient_privilege */
export const insufficientPrivilege = '42501'
/** protocol_violation: a pooler that does not know a parameter of the connection. */
export const protocolViolation = '08P01'

// invalid_authorization_specification, invalid_password, invalid_catalog_name
const refusedConnections = ['28000', '28P01', '3D000', protocolViolation]

/** By Node's codes. */
export const isRefusedCertificate = (error: unknown): boolean =>
  /CERT|UNABLE_TO_VERIFY|^ERR_(TLS|SSL)/.test(sqlState(error))

/** A certificate that cannot be verified, or the text of pg for a server without TLS. */
const isRefusedTls = (error: unknown): boolean =>
  isRefusedCertificate(error) || /does not support SSL/.test(String(error))

/** The verdict on a connection that could not be had: a refusal of the server would be the same again. */
export const verdictOnConnecting = (error: unknown): Verdict =>
  refusedConnections.includes(sqlState(error)) || isRefusedTls(error) ? 'undone' : 'elsewhere'

/** Whether the error is a violation of the named constraint. */
export const isViolationOf = (constraint: string, error: unknown): boolean =>
  error instanceof Error && 'constraint' in error && error.constraint === constraint
