import type { AuditRow, Encryption, EpochSeconds, OperatorToken, OperatorTokens } from '@clientele/domain'
import {
  fromOperatorTokenRow,
  operatorTokenContext,
  prove,
  readReadableRows,
  readRow,
  toOperatorTokenRow,
} from '@clientele/stored-rows'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import { countedWrite, receipted } from './counted-write.js'
import type { Database, Write } from './database.js'
import { forgetRows } from './forget-rows.js'
import { auditValuesOf, isWritten, writeAudit } from './write-audit.js'

const insertToken = {
  name: 'insert_operator_token',
  text: `
INSERT INTO operator_tokens (hash, privileges, name, issued_at, expires_at, issued_by, proof)
VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (hash) DO NOTHING`,
}
const forgetExpired = { name: 'forget_operator_tokens', text: forgetRows('operator_tokens', 'expires_at <= $1', 100) }
const selectTokens = 'SELECT hash, privileges, name, issued_at, expires_at, issued_by, proof FROM operator_tokens'
const selectToken = { name: 'select_operator_token', text: `${selectTokens} WHERE hash = $1` }
const selectInForce = {
  name: 'select_operator_tokens_in_force',
  text: `${selectTokens} WHERE expires_at > $1 ORDER BY expires_at, hash LIMIT $2`,
}
const deleteToken = receipted('delete_operator_token', 'DELETE FROM operator_tokens WHERE hash = $2', 3)

const addition = (token: OperatorToken, at: EpochSeconds, proof: string, audit?: AuditRow): Write<never, void> => {
  const { hash, privileges, name, issued_at, expires_at, issued_by } = toOperatorTokenRow(token)
  return {
    run: async (query) => {
      await query(forgetExpired, [at])
      await query(insertToken, [hash, privileges, name, issued_at, expires_at, issued_by, proof])
      await writeAudit(query, [audit])
      return E.right(undefined)
    },
    isDone: isWritten(audit, selectToken, [hash]),
  }
}

export const createOperatorTokens = (db: Database, encryption: Encryption): OperatorTokens => {
  const read = fromOperatorTokenRow(encryption)
  return {
    addOperatorToken: (token, at, audit) =>
      pipe(
        prove(encryption, operatorTokenContext(toOperatorTokenRow(token))),
        TE.flatMap((proof) => db.transaction(addition(token, at, proof, audit))),
      ),
    findOperatorToken: (hash) => readRow(read)(db.first(selectToken, [hash])),
    // An unreadable token authorizes nothing.
    listOperatorTokens: (at, most) => readReadableRows(read)(db.run(selectInForce, [at, Math.max(0, most)])),
    removeOperatorToken: (hash, audit) =>
      pipe(
        db.writeOnce(countedWrite(deleteToken, [hash, ...auditValuesOf(audit)])),
        TE.map((removed) => removed === 1),
      ),
  }
}
