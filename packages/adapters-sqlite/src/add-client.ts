import {
  type RefusedAddition,
  type RegistryLimits,
  type TokenHash,
  type RegistryFull,
  clientIdTaken,
  initialAccessTokenConsumed,
  isOpenClient,
  registeredBefore,
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
  registration_access_token_hash, registered_by, privileges, metadata, suspended_at, credentials, unused_open, fingerprint,
  token_fingerprint, statement_issuer, imported, waits_since)
VALUES (@client_id, @registration_id, @version, @client_id_issued_at, @client_secret_expires_at,
  @registration_access_token_hash, @registered_by, @privileges, @metadata, @suspended_at, @credentials,
  @unused_open, @fingerprint, @token_fingerprint, @statement_issuer, @imported, @waits_since)
ON CONFLICT DO NOTHING`
const selectTaken = 'SELECT 1 FROM clients WHERE client_id = ?'
const selectRepeated = 'SELECT 1 FROM clients WHERE fingerprint = ? AND unused_open = 1'
const selectToken = 'SELECT 1 FROM initial_access_tokens WHERE hash = ?'
const spendToken = 'DELETE FROM initial_access_tokens WHERE hash = ?'

type AddClient = (
  row: NewClientRow,
  consumedToken: O.Option<TokenHash>,
  limits: RegistryLimits,
  fingerprint?: TokenHash | null,
) => E.Either<RefusedAddition, void>

type RefusalOf = (row: NewClientRow, fingerprint: TokenHash | null) => RefusedAddition | undefined

// Reported in preference to a full registry.
const createRefusalOf = (db: Database.Database): RefusalOf => {
  const taken = db.prepare(selectTaken)
  const repeated = db.prepare(selectRepeated)
  return (row, fingerprint) => {
    if (taken.get(row.client_id) !== undefined) return clientIdTaken
    return fingerprint !== null && repeated.get(fingerprint) !== undefined ? registeredBefore : undefined
  }
}

const ownColumns = (isOpen: boolean, consumedToken: O.Option<TokenHash>, fingerprint: TokenHash | null) => ({
  unused_open: isOpen ? 1 : 0,
  fingerprint: isOpen && O.isNone(consumedToken) ? fingerprint : null,
})

/** One step in a transaction: adds the client if its token is not consumed, its id is free and the limits permit it. */
export const createAddClient = (db: Database.Database): AddClient => {
  const hasRoom = createClientLimits(db)
  const insert = db.prepare(insertClient)
  const refusalOf = createRefusalOf(db)
  const unspent = db.prepare(selectToken)
  const spend = db.prepare(spendToken)
  const isConsumed = (token: O.Option<TokenHash>): boolean => O.isSome(token) && unspent.get(token.value) === undefined
  return (row, consumedToken, limits, fingerprint = null) => {
    if (isConsumed(consumedToken)) return E.left(initialAccessTokenConsumed)
    const isOpen = isOpenClient(row)
    const own = ownColumns(isOpen, consumedToken, fingerprint)
    const room = hasRoom(limits, isOpen)
    if (E.isLeft(room)) return E.left(refusalOf(row, own.fingerprint) ?? room.left)
    if (insert.run(Object.assign(own, row)).changes === 0)
      return E.left(refusalOf(row, own.fingerprint) ?? clientIdTaken)
    if (O.isSome(consumedToken)) spend.run(consumedToken.value)
    return E.right(undefined)
  }
}
