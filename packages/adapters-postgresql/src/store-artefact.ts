import { type Artefact, type EpochSeconds, type RefusedArtefact, maxForgotten } from '@clientele/domain'
import { type NewArtefactRow, refusalWithout, storedUntil, upsertArtefact } from '@clientele/stored-rows'
import * as E from 'fp-ts/lib/Either.js'
import type { Query, Write } from './database.js'
import { forgetRows } from './forget-rows.js'
import { ordinalOf } from './registered-clients.js'
import { isWritten } from './write-audit.js'

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
const upsert = {
  name: 'store_artefact',
  text: upsertArtefact('$1, $2, $3, $4, $5, $6, $7, $8, $9, $9, $10', 'greatest'),
}
const forgetExpired = {
  name: 'forget_artefacts',
  text: forgetRows(
    'artefacts',
    'removable_from <= $1 AND (kind, hash) <> ($2, $3) ORDER BY removable_from',
    maxForgotten.artefacts,
  ),
}
// The sealed payload has a random nonce, so that only this write made it.
const selectWritten = {
  name: 'select_written_artefact',
  text: 'SELECT 1 FROM artefacts WHERE kind = $1 AND hash = $2 AND payload = $3',
}

const has = async (query: Query, lock: typeof lockGrant, name: string | undefined): Promise<boolean> =>
  name === undefined || (await query(lock, [name])).length > 0

type Named = { readonly refusal: RefusedArtefact | undefined; readonly client: number | null | undefined }

/** The client of the artefact, null where it has none; or why the artefact is refused. */
const lockNamed = async (query: Query, artefact: Artefact): Promise<Named> => {
  const client = artefact.client === undefined ? null : await ordinalOf(query, artefact.client)
  const session = await has(query, lockSession, artefact.session)
  const grant = await has(query, lockGrant, artefact.grant)
  return { refusal: refusalWithout({ client: client !== undefined, session, grant }), client }
}

export const storeArtefact = (
  artefact: Artefact,
  row: NewArtefactRow,
  at: EpochSeconds,
): Write<RefusedArtefact, void> => ({
  run: async (query) => {
    const { refusal, client } = await lockNamed(query, artefact)
    if (refusal !== undefined) return E.left(refusal)
    const { kind, hash, name, grant_hash, session, sub, predecessor, expires_at, payload } = row
    for (const until of storedUntil(row)) await query(storeUntil, until)
    const named = [client, grant_hash, session, sub, predecessor]
    await query(upsert, [kind, hash, name, ...named, expires_at, payload])
    await query(forgetExpired, [at, kind, hash])
    return E.right(undefined)
  },
  isDone: isWritten(undefined, selectWritten, [row.kind, row.hash, row.payload]),
})
