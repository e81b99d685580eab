import type { StoreRefusal, Unavailable } from '@clientele/domain'
import { reasonOf, storeRefusal } from '@clientele/stored-rows'

// A host with several addresses has an error for each of them, and no message of its own.
const reasonsOf = (error: unknown): string =>
  error instanceof AggregateError ? error.errors.map(reasonOf).join(', ') : reasonOf(error)

/** A database that cannot be opened. The message contains no password: errors of the driver name host and user only. */
export const unusable =
  (name: string) =>
  ({ detail }: Unavailable): StoreRefusal =>
    storeRefusal('unusable', `${name} cannot be opened: ${reasonsOf(detail)}`)

/** A database that refuses connections, or does not answer. */
export const absent =
  (name: string) =>
  ({ detail }: Unavailable): StoreRefusal =>
    storeRefusal(
      'unusable',
      `${name} cannot be reached (${reasonsOf(detail)}): start the database, or correct database-url or database-tls`,
    )
