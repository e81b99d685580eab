import {
  type RefusedAddition,
  type RegistryLimits,
  type TokenHash,
  type RegistryFull,
  clientIdTaken,
  initialAccessTokenConsumed,
  isOpenClient,
  registryFull,
} from '@clientele/domain'
import type { NewClientRow } from '@clientele/stored-rows'
import type Database from 'better-sqlite3'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'

const selectCount = 'SELECT clients FROM client_count'
// Counts up to the limit only, by a partial index on these clients.
const selectUnusedOpen = `
SELECT count(*) FROM (SELECT 1 FROM clients WHERE unused_open = 1 LIMIT ?)`

/** Whether one more client may be added; called in the transaction that adds it. */
const createClientLimits = (
  db: Database.Database,
): ((limits: RegistryLimits, isOpen: boolean) => E.Either<RegistryFull, void>) => {
  const all = db.prepare(selectCount).pluck()
  const unusedOpen = db.prepare(selectUnusedOpen).pluck()
  const isFull = ({ clients }: RegistryLimits): boolean => clients !== Infinity && Number(all.get()) >= clients
  const isFullOfUnused = ({ unusedOpenClients: max }: RegistryLimits): boolean =>
    max !== Infinity && Number(unusedOpen.get(max)) >= max
  return (limits, isOpen) =>
    isFull(limits) || (isOpen && isFullOfUnused(limits)) ? E.left(registryFull) : E.right(undefined)
}

const insertClient = `
INSERT INTO clients (client_id, registration_id, version, client_id_issued_at, client_secret_expires_at,
  registration_access_token_hash, registered_by, privileges, metadata, credentials, unused_open)
VALUES (@client_id, @registration_id, @version, @client_id_issued_at, @client_secret_expires_at,
  @registration_access_token_hash, @registered_by, @privileges, @metadata, @credentials,
  @unused_open)
ON CONFLICT (client_id) DO NOTHING`
const selectTaken = 'SELECT 1 FROM clients WHERE client_id = ?'
const selectToken = 'SELECT 1 FROM initial_access_tokens WHERE hash = ?'
const spendToken = 'DELETE FROM initial_access_tokens WHERE hash = ?'

type AddClient = (
  row: NewClientRow,
  consumedToken: O.Option<TokenHash>,
  limits: RegistryLimits,
) => E.Either<RefusedAddition, void>

/** One step in a transaction: adds the client if its token is not consumed, its id is free and the limits permit it. */
export const createAddClient = (db: Database.Database): AddClient => {
  const hasRoom = createClientLimits(db)
  const insert = db.prepare(insertClient)
  const taken = db.prepare(selectTaken)
  const unspent = db.prepare(selectToken)
  const spend = db.prepare(spendToken)
  return (row, consumedToken, limits) => {
    if (O.isSome(consumedToken) && unspent.get(consumedToken.value) === undefined)
      return E.left(initialAccessTokenConsumed)
    const isOpen = isOpenClient(row)
    const room = hasRoom(limits, isOpen)
    // A taken id is reported in preference to a full registry.
    if (E.isLeft(room)) return taken.get(row.client_id) === undefined ? room : E.left(clientIdTaken)
    if (insert.run({ unused_open: isOpen ? 1 : 0, ...row }).changes === 0) return E.left(clientIdTaken)
    if (O.isSome(consumedToken)) spend.run(consumedToken.value)
    return E.right(undefined)
  }
}
