import {
  type AuditRow,
  type Encryption,
  type EpochSeconds,
  type InitialAccessToken,
  type InitialAccessTokens,
  type UnknownClient,
  unknownClient,
} from '@clientele/domain'
import { fromTokenRow, issuerText, prove, readReadableRows, readRow, tokenContext } from '@clientele/stored-rows'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import { countedWrite, receipted } from './counted-write.js'
import type { Database, Write } from './database.js'
import { forgetRows } from './forget-rows.js'
import { ordinalOf } from './registered-clients.js'
import { tokenRows } from './rows-with-client.js'
import { auditValuesOf, isWritten, writeAudit } from './write-audit.js'

const insertToken = {
  name: 'insert_token',
  text: `
INSERT INTO initial_access_tokens (hash, scope, expires_at, owner, issued_by, proof) VALUES ($1, $2, $3, $4, $5, $6)
ON CONFLICT (hash) DO NOTHING`,
}
const forgetExpired = { name: 'forget_tokens', text: forgetRows('initial_access_tokens', 'expires_at <= $1', 100) }
const selectToken = { name: 'select_token', text: `SELECT * FROM ${tokenRows} WHERE hash = $1` }
const selectInForce = {
  name: 'select_tokens_in_force',
  text: `SELECT * FROM ${tokenRows} WHERE expires_at > $1 ORDER BY expires_at, hash LIMIT $2`,
}
const deleteToken = receipted('delete_token', 'DELETE FROM initial_access_tokens WHERE hash = $2', 3)

const addition = (
  token: InitialAccessToken,
  at: EpochSeconds,
  proof: string,
  audit?: AuditRow,
): Write<UnknownClient, void> => ({
  run: async (query) => {
    const owner = token.owner === undefined ? null : await ordinalOf(query, token.owner)
    if (owner === undefined) return E.left(unknownClient)
    await query(forgetExpired, [at])
    const issuer = token.issued_by === undefined ? null : issuerText(token.issued_by)
    await query(insertToken, [token.hash, token.scope, token.expires_at, owner, issuer, proof])
    await writeAudit(query, [audit])
    return E.right(undefined)
  },
  isDone: isWritten(audit, selectToken, [token.hash]),
})

export const createInitialAccessTokens = (db: Database, encryption: Encryption): InitialAccessTokens => {
  const read = fromTokenRow(encryption)
  return {
    addInitialAccessToken: (token, at, audit) =>
      pipe(
        prove(encryption, tokenContext(token)),
        TE.flatMap((proof) => db.transaction(addition(token, at, proof, audit))),
      ),
    findInitialAccessToken: (hash) => readRow(read)(db.first(selectToken, [hash])),
    // An unreadable token registers no client.
    listInitialAccessTokens: (at, most) => readReadableRows(read)(db.run(selectInForce, [at, Math.max(0, most)])),
    removeInitialAccessToken: (hash, audit) =>
      pipe(
        db.writeOnce(countedWrite(deleteToken, [hash, ...auditValuesOf(audit)])),
        TE.map((removed) => removed === 1),
      ),
  }
}
