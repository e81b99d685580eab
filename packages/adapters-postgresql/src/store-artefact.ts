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
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type { Query, Write } from './database.js'
import { ordinalOf } from './registered-clients.js'

// What the artefact ends with is locked against its end until the transaction ends; the client first, then the session,
// as in other writes.
const lockSession = {
  name: 'lock_session_of_artefact',
  text: 'SELECT 1 FROM end_user_sessions WHERE sid = $1 FOR KEY SHARE',
}
const lockGrant = {
  name: 'lock_grant',
  text: `SELECT 1 FROM artefacts WHERE kind = 'grant' AND hash = $1 FOR KEY SHARE`,
}
// What is named is stored for as long as what names it.
const storeUntil = {
  name: 'store_artefact_until',
  text: 'UPDATE artefacts SET removable_from = $3 WHERE kind = $1 AND hash = $2 AND removable_from < $3',
}
// The uses of a replaced artefact are not touched.
const upsert = {
  name: 'store_artefact',
  text: `
INSERT INTO artefacts
  (kind, hash, name, client, grant_hash, session, sub, predecessor, expires_at, removable_from, payload)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9, $10)
ON CONFLICT (kind, hash) DO UPDATE SET name = excluded.name, client = excluded.client,
  grant_hash = excluded.grant_hash, session = excluded.session, sub = excluded.sub,
  predecessor = excluded.predecessor, expires_at = excluded.expires_at,
  removable_from = greatest(artefacts.removable_from, excluded.expires_at), payload = excluded.payload`,
}
const forgetExpired = {
  name: 'forget_artefacts',
  text: `
DELETE FROM artefacts WHERE (kind, hash) IN
  (SELECT kind, hash FROM artefacts WHERE removable_from <= $1 AND (kind, hash) <> ($2, $3)
   ORDER BY removable_from LIMIT ${maxForgotten.artefacts} FOR UPDATE SKIP LOCKED)`,
}
// The sealed payload has a random nonce, so that only this write made it.
const selectWritten = {
  name: 'select_written_artefact',
  text: 'SELECT 1 FROM artefacts WHERE kind = $1 AND hash = $2 AND payload = $3',
}

/** The client of the artefact, null where it has none; or why the artefact is refused. */
const lockNamed = async (
  query: Query,
  { client, session, grant }: Artefact,
): Promise<E.Either<RefusedArtefact, number | null>> => {
  const ordinal = client === undefined ? null : await ordinalOf(query, client)
  if (ordinal === undefined) return E.left(unknownClient)
  if (session !== undefined && (await query(lockSession, [session])).length === 0) return E.left(unknownSession)
  if (grant !== undefined && (await query(lockGrant, [grant])).length === 0) return E.left(unknownGrant)
  return E.right(ordinal)
}

export const storeArtefact = (
  artefact: Artefact,
  row: NewArtefactRow,
  at: EpochSeconds,
): Write<RefusedArtefact, void> => ({
  run: async (query) => {
    const client = await lockNamed(query, artefact)
    if (E.isLeft(client)) return client
    const { kind, hash, name, grant_hash, session, sub, predecessor, expires_at, payload } = row
    if (grant_hash !== null) await query(storeUntil, ['grant', grant_hash, expires_at])
    if (predecessor !== null) await query(storeUntil, ['refresh_token', predecessor, expires_at])
    const named = [client.right, grant_hash, session, sub, predecessor]
    await query(upsert, [kind, hash, name, ...named, expires_at, payload])
    await query(forgetExpired, [at, kind, hash])
    return E.right(undefined)
  },
  isDone: async (query) =>
    (await query(selectWritten, [row.kind, row.hash, row.payload])).length === 1 ? O.some(undefined) : O.none,
})
