// The clients of an import: a batch is one write, so that it is on disk as a whole or not at all.
import {
  type ClientChanged,
  type ClientImport,
  type ClientRegistry,
  type Encryption,
  type EpochSeconds,
  type RefusedImport,
  type RegisteredClient,
  type Registration,
  clientIdTaken,
  noLimits,
} from '@clientele/domain'
import { type NewClientRow, toClientRow } from '@clientele/stored-rows'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { createAddClient } from './add-client.js'
import type { WriteAudit } from './write-audit.js'
import type { WriteQueue } from './write-queue.js'

/** One step in a transaction: replaces the version of the client that was read. */
export type ReplaceClient = (row: NewClientRow, replacing: RegisteredClient) => E.Either<ClientChanged, void>

type ImportRow = Pick<ClientImport, 'replacing' | 'last_use' | 'audit'> & { readonly row: NewClientRow }

type Statements = Pick<WriteAudit, 'writeAfter'> & {
  readonly add: ReturnType<typeof createAddClient>
  readonly replace: ReplaceClient
  readonly recordUse: (registration: Registration, at: EpochSeconds) => void
}

export const createImportClients = (
  queue: WriteQueue,
  encryption: Encryption,
  { add, replace, recordUse, writeAfter }: Statements,
): ClientRegistry['importClients'] => {
  const toRow = toClientRow(encryption)
  const toRows = TE.traverseArray(({ client, ...imported }: ClientImport) =>
    pipe(
      toRow(client),
      TE.map((row): ImportRow => ({ ...imported, row })),
    ),
  )
  // Without limits and without a token, an addition is refused for its id alone.
  const store = ({ row, replacing, last_use, audit }: ImportRow): E.Either<RefusedImport, void> => {
    const stored =
      replacing === undefined
        ? E.mapLeft((): RefusedImport => clientIdTaken)(add(row, O.none, noLimits))
        : replace(row, replacing)
    if (E.isRight(stored) && last_use !== undefined) recordUse(row, last_use)
    return writeAfter(audit, stored)
  }
  return (clients) => queue.writePrepared(toRows(clients), (rows) => E.right(rows.map(store)))
}
