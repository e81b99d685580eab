import type { StoreRefusal, Unavailable } from '@clientele/domain'
import { reasonOf, storeRefusal } from '@clientele/stored-rows'
import { insufficientPrivilege, isRefusedCertificate, protocolViolation, sqlState } from './failures.js'

// A host with several addresses has an error for each of them, and no message of its own.
const reasonsOf = (error: unknown): string =>
  error instanceof AggregateError ? error.errors.map(reasonOf).join(', ') : reasonOf(error)

const remedyOfRole = (detail: unknown): string =>
  sqlState(detail) === insufficientPrivilege
    ? '; make the role of database-url the owner of the database, or grant it CREATE on this schema'
    : ''

const remedyOf = (detail: unknown): string => {
  if (sqlState(detail) === protocolViolation) return 'behind a pooler, set database-prepared-statements to false'
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
