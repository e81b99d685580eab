// The operator tokens by hash.
import {
  type OperatorToken,
  Issuer,
  TokenHash,
  managementScope,
  parseManagementPrivileges,
} from '@clientele/domain/authorization'
import { EpochSeconds } from '@clientele/domain/kernel'
import type { Encryption, OperatorTokens } from '@clientele/domain/ports'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import { change, forgetRows } from './statement.js'
import { number, orNull, readReadableRows, readRow, table, text } from './table.js'
import { type Engine, removalOf, verb } from './verb.js'

export const operatorTokens = table({
  name: 'operator_tokens',
  columns: {
    hash: text(TokenHash),
    privileges: text(t.string),
    name: text(orNull(t.string)),
    issued_at: number(EpochSeconds),
    expires_at: number(EpochSeconds),
    issued_by: text(t.string),
    proof: text(t.string),
  },
  key: ['hash'],
  sealed: 'proof',
  proves: ['hash', 'privileges', 'name', 'issued_at', 'expires_at', 'issued_by'],
  value: ({ hash, privileges, name, issued_at, expires_at, issued_by }): O.Option<OperatorToken> =>
    pipe(
      O.Do,
      O.bind('granted', () => parseManagementPrivileges(privileges)),
      O.bind('issuer', () => O.fromNullable(readIssuer(issued_by))),
      O.map(({ granted, issuer }) => ({
        hash,
        privileges: granted,
        ...(name === null ? {} : { name }),
        issued_at,
        expires_at,
        issued_by: issuer,
      })),
    ),
  unreadable: 'an operator token cannot be read',
})

const insert = operatorTokens.insert('ON CONFLICT (hash) DO NOTHING')
const forgetExpired = forgetRows('operator_tokens', 'hash', 'expires_at <= :at', 100, { at: 'number' })
const byHash = operatorTokens.select('hash = :hash', { hash: 'text' })
const inForce = operatorTokens.select('expires_at > :at ORDER BY expires_at, hash LIMIT :max', {
  at: 'number',
  max: 'number',
})
const remove = change('DELETE FROM operator_tokens WHERE hash = :hash', { hash: 'text' })

export const createOperatorTokens = (engine: Engine, encryption: Encryption): OperatorTokens => {
  const read = operatorTokens.reading(encryption)
  return {
    addOperatorToken: (token, at, audit) =>
      engine.write(
        pipe(
          operatorTokens.seal(encryption, {
            hash: token.hash,
            privileges: managementScope(token.privileges),
            name: token.name ?? null,
            issued_at: token.issued_at,
            expires_at: token.expires_at,
            issued_by: issuerText(token.issued_by),
          }),
          TE.flatMap((row) =>
            verb({}, async (tx) => {
              await tx.run(forgetExpired, { at })
              await tx.run(insert, row)
              await tx.note(audit)
              return E.right(undefined)
            }),
          ),
        ),
      ),
    findOperatorToken: (hash) => readRow(read)(engine.get(byHash, { hash })),
    // An unreadable token authorizes nothing.
    listOperatorTokens: (at, most) => readReadableRows(read)(engine.all(inForce, { at, max: Math.max(0, most) })),
    removeOperatorToken: (hash, audit) => engine.write(removalOf({}, remove, { hash }, audit)),
  }
}

/** The text of a column issued_by. */
export const issuerText = (issuer: Issuer): string => JSON.stringify(Issuer.encode(issuer))

/** Undefined for a text of another kind: nothing depends on who issued a token. */
export const readIssuer = (text: string): Issuer | undefined =>
  pipe(
    O.tryCatch((): unknown => JSON.parse(text)),
    O.filter(Issuer.is),
    O.toUndefined,
  )
