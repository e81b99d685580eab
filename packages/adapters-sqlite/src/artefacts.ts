import { type Artefacts, type Encryption, type TokenHash, alreadyConsumed } from '@clientele/domain'
import { fromArtefactRow, readRow, toArtefactRow } from '@clientele/stored-rows'
import type Database from 'better-sqlite3'
import * as E from 'fp-ts/lib/Either.js'
import type { Connection } from './connection.js'
import { selectRows } from './select-rows.js'
import { createStoreArtefact } from './store-artefact.js'
import { createUseRefreshToken } from './use-refresh-token.js'

const selectArtefact = `
SELECT kind, hash, name, client_id, registration_id, grant_hash, session, sub, predecessor, expires_at, consumed_at,
  successor, payload
FROM artefacts LEFT JOIN clients ON clients.ordinal = client`
const consumeOnce = 'UPDATE artefacts SET consumed_at = ? WHERE kind = ? AND hash = ? AND consumed_at IS NULL'
const deleteArtefact = 'DELETE FROM artefacts WHERE kind = ? AND hash = ?'
const deleteOfGrant = 'DELETE FROM artefacts WHERE grant_hash = ?'

/** Removes the grant and all that names it. */
const createRemoveGrant = (db: Database.Database): ((grant: TokenHash) => void) => {
  const one = db.prepare(deleteArtefact)
  const ofGrant = db.prepare(deleteOfGrant)
  return (grant) => {
    one.run('grant', grant)
    ofGrant.run(grant)
  }
}

const prepare = (db: Database.Database) => ({
  store: createStoreArtefact(db),
  use: createUseRefreshToken(db),
  byHash: selectRows(db, `${selectArtefact} WHERE kind = ? AND hash = ?`),
  byName: selectRows(db, `${selectArtefact} WHERE kind = ? AND name = ? ORDER BY expires_at DESC, hash LIMIT 1`),
  consume: db.prepare(consumeOnce),
  remove: db.prepare(deleteArtefact),
  removeGrant: createRemoveGrant(db),
})

export const createArtefacts = ({ db, read, queue }: Connection, encryption: Encryption): Artefacts => {
  const { store, use, byHash, byName, consume, remove, removeGrant } = prepare(db)
  const toRow = toArtefactRow(encryption)
  const fromRow = fromArtefactRow(encryption)
  return {
    storeArtefact: (artefact, at) => queue.writePrepared(toRow(artefact), (row) => store(artefact, row, at)),
    findArtefact: (kind, hash) => readRow(fromRow)(read(() => byHash.get(kind, hash))),
    findArtefactByName: (kind, name) => readRow(fromRow)(read(() => byName.get(kind, name))),
    consumeArtefact: (kind, hash, at) =>
      queue.write(() => (consume.run(at, kind, hash).changes === 1 ? E.right(undefined) : E.left(alreadyConsumed))),
    useRefreshToken: (hash, how) => queue.write(() => use(hash, how)),
    removeArtefact: (kind, hash) =>
      queue.write(() => E.right(kind === 'grant' ? removeGrant(hash) : void remove.run(kind, hash))),
    removeGrant: (grant) => queue.write(() => E.right(removeGrant(grant))),
  }
}
