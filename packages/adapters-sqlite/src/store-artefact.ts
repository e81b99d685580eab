import { type Artefact, type EpochSeconds, type RefusedArtefact, maxForgotten } from '@clientele/domain'
import { type NewArtefactRow, refusalWithout, storedUntil, upsertArtefact } from '@clientele/stored-rows'
import type Database from 'better-sqlite3'
import * as E from 'fp-ts/lib/Either.js'
import { createRegisteredOrdinal } from './registered-ordinal.js'

const selectSession = 'SELECT 1 FROM end_user_sessions WHERE sid = ?'
const selectGrant = "SELECT 1 FROM artefacts WHERE kind = 'grant' AND hash = ?"
// What is named is stored for as long as what names it.
const storeUntil =
  'UPDATE artefacts SET removable_from = @until WHERE kind = @kind AND hash = @hash AND removable_from < @until'
const upsert = upsertArtefact(
  '@kind, @hash, @name, @client, @grant_hash, @session, @sub, @predecessor, @expires_at, @expires_at, @payload',
  'max',
)
const forgetExpired = `
DELETE FROM artefacts WHERE ordinal IN
  (SELECT ordinal FROM artefacts WHERE removable_from <= ? ORDER BY removable_from LIMIT ${maxForgotten.artefacts})`

type StoreArtefact = (artefact: Artefact, row: NewArtefactRow, at: EpochSeconds) => E.Either<RefusedArtefact, void>

/** One step in a transaction: stores the artefact if nothing that it ends with has ended. */
export const createStoreArtefact = (db: Database.Database): StoreArtefact => {
  const ordinalOf = createRegisteredOrdinal(db)
  const session = db.prepare(selectSession)
  const grant = db.prepare(selectGrant)
  const extend = db.prepare(storeUntil)
  const write = db.prepare(upsert)
  const forget = db.prepare(forgetExpired)
  let forgotten: EpochSeconds | undefined = undefined
  // Once a second, unless there are more.
  const forgetUntil = (at: EpochSeconds): void => {
    if (forgotten === at) return
    const { changes } = forget.run(at)
    if (changes < maxForgotten.artefacts) forgotten = at
  }
  const has = (statement: Database.Statement, name: string | null): boolean =>
    name === null || statement.get(name) !== undefined

  return (artefact, row, at) => {
    const client = artefact.client === undefined ? null : ordinalOf(artefact.client)
    const refusal = refusalWithout({
      client: client !== undefined,
      session: has(session, row.session),
      grant: has(grant, row.grant_hash),
    })
    if (refusal !== undefined) return E.left(refusal)
    write.run({ client, ...row })
    for (const [kind, hash, until] of storedUntil(row)) extend.run({ kind, hash, until })
    forgetUntil(at)
    return E.right(undefined)
  }
}
