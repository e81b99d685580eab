import type { ArtefactKind, Artefacts, Encryption, TokenHash } from '@clientele/domain'
import { fromArtefactRow, readRow, toArtefactRow } from '@clientele/stored-rows'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import { type Database, type Write, removing } from './database.js'
import { artefactRows } from './rows-with-client.js'
import { storeArtefact } from './store-artefact.js'
import { consumeArtefact, useRefreshToken } from './use-artefact.js'

const selectByHash = {
  name: 'select_artefact',
  text: `SELECT * FROM ${artefactRows} WHERE kind = $1 AND hash = $2`,
}
const selectByName = {
  name: 'select_artefact_by_name',
  text: `SELECT * FROM ${artefactRows} WHERE kind = $1 AND name = $2 ORDER BY expires_at DESC, hash LIMIT 1`,
}
const deleteArtefact = removing('delete_artefact', 'DELETE FROM artefacts WHERE kind = $1 AND hash = $2')
const deleteOfGrant = {
  name: 'delete_artefacts_of_grant',
  text: 'DELETE FROM artefacts WHERE grant_hash = $1',
}

const removal = (kind: ArtefactKind, hash: TokenHash): Write<never, void> => ({
  run: async (query) => {
    await query(deleteArtefact, [kind, hash])
    return E.right(undefined)
  },
})

// The grant first: the second statement sees what was stored until the grant could be removed.
const grantRemoval = (grant: TokenHash): Write<never, void> => ({
  run: async (query) => {
    await query(deleteArtefact, ['grant', grant])
    await query(deleteOfGrant, [grant])
    return E.right(undefined)
  },
})

export const createArtefacts = (db: Database, encryption: Encryption): Artefacts => {
  const toRow = toArtefactRow(encryption)
  const read = readRow(fromArtefactRow(encryption))
  return {
    storeArtefact: (artefact, at) =>
      pipe(
        toRow(artefact),
        TE.flatMap((row) => db.transaction(storeArtefact(artefact, row, at))),
      ),
    findArtefact: (kind, hash) => read(db.first(selectByHash, [kind, hash])),
    findArtefactByName: (kind, name) => read(db.first(selectByName, [kind, name])),
    consumeArtefact: (kind, hash, at) => db.writeOnce(consumeArtefact(kind, hash, at)),
    useRefreshToken: (hash, how) => db.transaction(useRefreshToken(hash, how)),
    removeArtefact: (kind, hash) =>
      kind === 'grant' ? db.transaction(grantRemoval(hash)) : db.writeOnce(removal(kind, hash)),
    removeGrant: (grant) => db.transaction(grantRemoval(grant)),
  }
}
