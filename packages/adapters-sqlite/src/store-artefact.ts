import {
  type Artefact,
  type EpochSeconds,
  type RefusedArtefact,
  maxForgotten,
  unknownClient,
  unknownGrant,
  unknownSession,
} from '@clientele/domain'
import type { NewArtefactRow } from '@clientele/stored-rows'
import type Database from 'better-sqlite3'
import * as E from 'fp-ts/lib/Either.js'
import { createRegisteredOrdinal } from './registered-ordinal.js'

const selectSession = 'SELECT 1 FROM end_user_sessions WHERE sid = ?'
const selectRemovable = 'SELECT removable_from FROM artefacts WHERE kind = ? AND hash = ?'
const storeUntil = 'UPDATE artefacts SET removable_from = ? WHERE kind = ? AND hash = ?'
// The uses of a replaced artefact are not touched.
const upsert = `
INSERT INTO artefacts
  (kind, hash, name, client, grant_hash, session, sub, predecessor, expires_at, removable_from, payload)
VALUES (@kind, @hash, @name, @client, @grant_hash, @session, @sub, @predecessor, @expires_at, @expires_at, @payload)
ON CONFLICT (kind, hash) DO UPDATE SET name = excluded.name, client = excluded.client,
  grant_hash = excluded.grant_hash, session = excluded.session, sub = excluded.sub,
  predecessor = excluded.predecessor, expires_at = excluded.expires_at,
  removable_from = max(removable_from, excluded.expires_at), payload = excluded.payload`
const forgetExpired = `
DELETE FROM artefacts WHERE ordinal IN
  (SELECT ordinal FROM artefacts WHERE removable_from <= ? ORDER BY removable_from LIMIT ${maxForgotten.artefacts})`

type StoreArtefact = (artefact: Artefact, row: NewArtefactRow, at: EpochSeconds) => E.Either<RefusedArtefact, void>

/** One step in a transaction: stores the artefact if nothing that it ends with has ended. */
export const createStoreArtefact = (db: Database.Database): StoreArtefact => {
  const ordinalOf = createRegisteredOrdinal(db)
  const session = db.prepare(selectSession)
  const removable = db.prepare(selectRemovable).pluck()
  const extend = db.prepare(storeUntil)
  const write = db.prepare(upsert)
  const forget = db.prepare(forgetExpired)

  // What is named is stored for as long as what names it.
  const storeNamed = (kind: 'grant' | 'refresh_token', hash: string | undefined, until: EpochSeconds): void => {
    const from = hash === undefined ? undefined : removable.get(kind, hash)
    if (typeof from === 'number' && from < until) extend.run(until, kind, hash)
  }

  return (artefact, row, at) => {
    const client = artefact.client === undefined ? null : ordinalOf(artefact.client)
    if (client === undefined) return E.left(unknownClient)
    if (row.session !== null && session.get(row.session) === undefined) return E.left(unknownSession)
    if (row.grant_hash !== null && removable.get('grant', row.grant_hash) === undefined) return E.left(unknownGrant)
    write.run({ client, ...row })
    storeNamed('grant', artefact.grant, artefact.expires_at)
    storeNamed('refresh_token', artefact.predecessor, artefact.expires_at)
    forget.run(at)
    return E.right(undefined)
  }
}
