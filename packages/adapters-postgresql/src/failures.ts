// What an error says about the statement that failed, by PostgreSQL, Appendix A (SQLSTATE); and about a database that is opened.
import type { Unavailable } from '@clientele/domain/kernel'
import type { StoreRefusal } from '@clientele/domain/ports'
import { reasonOf, storeRefusal } from '@clientele/adapters-sql'

export type Verdict =
  /** Undone, because another transaction was faster: it is run again at once. */
  | 'again'
  /** Undone, because there was no room for its locks beside those of others: a batch runs apart, a verb alone again. */
  | 'crowded'
  /** Nothing was written, and this connection cannot write: it is run again on another one. */
  | 'elsewhere'
  /** Undone, and it would fail again. */
  | 'undone'
  /** It may be committed: the database is asked. */
  | 'in_doubt'

/** untranslatable_character */
export const untranslatable = '22P05'
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
  // out_of_memory
  '53200': 'crowded',
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

// A host with several addresses has an error for each of them, and no message of its own.
const reasonsOf = (error: unknown): string =>
  error instanceof AggregateError ? error.errors.map(reasonOf).join(', ') : reasonOf(error)

// A code of PostgreSQL has a digit; EPIPE is of Node.
const isSqlState = (code: string): boolean => /^(?=.*\d)[0-9A-Z]{5}$/.test(code)

/** The verdict on a statement that was sent. An error without SQLSTATE is one of the connection. */
export const verdictOf = (error: unknown): Verdict => {
  const code = sqlState(error)
  if (!isSqlState(code) || code.startsWith('08')) return 'in_doubt'
  return verdicts[code] ?? 'undone'
}

/** After these the server waits for a ROLLBACK, before which the connection takes no other statement. */
export const isAborted = (error: unknown): boolean => ['again', 'crowded', 'undone'].includes(verdictOf(error))

const reasonsOfDisk: Readonly<Record<string, string>> = {
  // disk_full
  '53100': 'the disk of the database is full: free some space',
  // io_error
  '58030': 'the disk of the database fails: see its log',
}

/** Why no write succeeds that a later write alone disproves; undefined for other failures. */
export const reasonOfDisk = (error: unknown): string | undefined => reasonsOfDisk[sqlState(error)]

const takesNoWrites = 'takes no writes: it is a standby, or read-only'

export const isReadOnly = (error: unknown): boolean => sqlState(error) === readOnly

/** A server that says so before it is used. */
export const notWritable = (): Error => Object.assign(new Error(`it ${takesNoWrites}`), { code: readOnly })

/** Why no write succeeds; undefined where one alone failed, or for a moment. */
export const reasonOfFailure = (error: unknown): string | undefined =>
  isReadOnly(error) ? `the database ${takesNoWrites}` : reasonOfDisk(error)

/** insufficient_privilege */
const insufficientPrivilege = '42501'
/** protocol_violation: a pooler that does not know a parameter of the connection. */
const protocolViolation = '08P01'

// invalid_authorization_specification, invalid_password, invalid_catalog_name
const refusedConnections = ['28000', '28P01', '3D000', protocolViolation]

/** By Node's codes. */
const isRefusedCertificate = (error: unknown): boolean => /CERT|UNABLE_TO_VERIFY|^ERR_(TLS|SSL)/.test(sqlState(error))

/** A certificate that cannot be verified, or the text of pg for a server without TLS. */
const isRefusedTls = (error: unknown): boolean =>
  isRefusedCertificate(error) || /does not support SSL/.test(String(error))

/** A host to which there was no connection. */
export type FailedHost = { readonly name: string; readonly error: unknown }

/** The verdict on a connection that could not be had: where all hosts refuse it, they would refuse it again. */
export const verdictOnConnecting = (failures: ReadonlyArray<FailedHost>): Verdict =>
  failures.every(({ error }) => refusedConnections.includes(sqlState(error)) || isRefusedTls(error))
    ? 'undone'
    : 'elsewhere'

/** What failed at the one host, or at each of several; a refusal of a server tells more than its absence. */
export const errorOf = (failures: ReadonlyArray<FailedHost>): unknown => {
  const [only, ...others] = failures
  if (others.length === 0) return only?.error
  const states = failures.map(({ error }) => sqlState(error))
  const text = failures.map(({ name, error }) => `${name}: ${reasonsOf(error)}`).join('; ')
  return Object.assign(new Error(text), { code: states.find(isSqlState) ?? states[0] })
}

const remedyOfRole = (detail: unknown): string =>
  sqlState(detail) === insufficientPrivilege
    ? '; make the role of database-url the owner of the database, or grant it CREATE on this schema'
    : ''

const remedyOf = (detail: unknown): string => {
  if (sqlState(detail) === protocolViolation) return 'behind a pooler, set database-prepared-statements to false'
  if (isReadOnly(detail)) return 'let one of its hosts take writes, or correct database-url'
  return isRefusedCertificate(detail)
    ? 'correct database-url or database-tls, or name the authority of its certificate by NODE_EXTRA_CA_CERTS'
    : 'start the database, or correct database-url or database-tls'
}

/** A database that cannot be opened. The message contains no password: errors of the driver name host and user only. */
export const unusable =
  (name: string) =>
  ({ detail }: Unavailable): StoreRefusal =>
    storeRefusal('unusable', `${name} cannot be opened: ${reasonsOf(detail)}${remedyOfRole(detail)}`)

/** A database that refuses connections, or does not answer. */
export const absent =
  (name: string) =>
  ({ detail }: Unavailable): StoreRefusal =>
    storeRefusal('unusable', `${name} cannot be reached (${reasonsOf(detail)}): ${remedyOf(detail)}`)
