import { type RegistryFull, type RegistryLimits, registryFull } from '@clientele/domain'
import type Database from 'better-sqlite3'
import * as E from 'fp-ts/lib/Either.js'

const selectCount = 'SELECT clients FROM client_count'
// Counts up to the limit only, by a partial index on these clients.
const selectUnusedOpen = `
SELECT count(*) FROM (SELECT 1 FROM clients WHERE unused_open = 1 LIMIT ?)`

/** Whether one more client may be added; called in the transaction that adds it. */
export const createClientLimits = (
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
