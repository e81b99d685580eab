// The tokens that operators give away, by hash: initial access tokens, and those of other operators.
import {
  type InitialAccessToken,
  type OperatorToken,
  Issuer,
  TokenHash,
  managementScope,
  parseManagementPrivileges,
  parseRegistrationScope,
} from '@clientele/domain/authorization'
import { EpochSeconds, unknownClient } from '@clientele/domain/kernel'
import type { Encryption, InitialAccessTokens, OperatorTokens } from '@clientele/domain/ports'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import { type ParameterTypes, type Statement, change, forgetRows, together } from './statement.js'
import {
  type ReadRow,
  jsonBy,
  number,
  orNull,
  readReadableRows,
  readRow,
  rowContext,
  table,
  text,
  unreadNumber,
  ofRegistrationIfAny,
} from './table.js'
import { type Engine, clientOf, initialAccessTokenOf, registrationOf, removalOf, selectOrdinal, verb } from './verb.js'

/** The text of a column issued_by. */
const issuerText = (issuer: Issuer): string => JSON.stringify(Issuer.encode(issuer))

/** None for a text of another kind: nothing depends on who issued a token. */
const readIssuer = jsonBy(Issuer)

type TokenTable<Token> = {
  readonly name: string
  readonly select: <Types extends ParameterTypes>(where: string, types: Types) => Statement<Types>
  readonly reading: (encryption: Encryption) => ReadRow<Token>
}

/** What both tables of tokens do alike. */
const tokensIn = <Token>({ name, select, reading }: TokenTable<Token>) => {
  const byHash = together(select(`${name}.hash = :hash`, { hash: 'text' }))
  const inForce = select(`${name}.expires_at > :at ORDER BY ${name}.expires_at, ${name}.hash LIMIT :max`, {
    at: 'number',
    max: 'number',
  })
  return {
    forgetExpired: forgetRows(name, 'hash', 'expires_at <= :at', 100, { at: 'number' }),
    remove: change(`DELETE FROM ${name} WHERE hash = :hash`, { hash: 'text' }),
    findBy: (engine: Engine, encryption: Encryption) => (hash: TokenHash) =>
      readRow(reading(encryption))(engine.get(byHash, { hash })),
    // An unreadable token authorizes nothing, and registers no client.
    listBy: (engine: Engine, encryption: Encryption) => (at: EpochSeconds, most: number) =>
      readReadableRows(reading(encryption))(engine.all(inForce, { at, max: Math.max(0, most) })),
  }
}

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
      O.bind('issuer', () => readIssuer(issued_by)),
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

const ofOperators = tokensIn(operatorTokens)
const insertOperatorToken = operatorTokens.insert('ON CONFLICT (hash) DO NOTHING')

export const createOperatorTokens = (engine: Engine, encryption: Encryption): OperatorTokens => ({
  addOperatorToken: (token, at, audit, replaced) =>
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
          if (replaced !== undefined && (await tx.run(ofOperators.remove, { hash: replaced })) === 0)
            return E.right(false)
          await tx.run(ofOperators.forgetExpired, { at })
          await tx.run(insertOperatorToken, row)
          await tx.note(audit)
          return E.right(true)
        }),
      ),
      engine.write,
    ),
  findOperatorToken: ofOperators.findBy(engine, encryption),
  listOperatorTokens: ofOperators.listBy(engine, encryption),
  removeOperatorToken: (hash, audit) => engine.write(removalOf({}, ofOperators.remove, { hash }, audit)),
})

export const initialAccessTokens = table({
  name: 'initial_access_tokens',
  columns: {
    hash: text(TokenHash),
    scope: text(t.string),
    expires_at: number(EpochSeconds),
    owner: unreadNumber,
    // Null for a token from before it was recorded, and for one that no operator issued.
    issued_by: text(orNull(t.string)),
    proof: text(t.string),
  },
  key: ['hash'],
  joins: ofRegistrationIfAny('initial_access_tokens.owner'),
  sealed: 'proof',
  proves: (row) => {
    const owner = registrationOf(row)
    const ids = owner === undefined ? [] : [owner.client_id, owner.registration_id]
    return rowContext('initial_access_tokens', [row.hash, row.scope, row.expires_at, ...ids])
  },
  value: (row): O.Option<InitialAccessToken> =>
    pipe(
      O.fromEither(parseRegistrationScope(row.scope)),
      O.map((issued) => {
        const owner = registrationOf(row)
        const issued_by = row.issued_by === null ? undefined : O.toUndefined(readIssuer(row.issued_by))
        return {
          hash: row.hash,
          expires_at: row.expires_at,
          ...issued,
          ...(owner === undefined ? {} : { owner }),
          ...(issued_by === undefined ? {} : { issued_by }),
        }
      }),
    ),
  unreadable: 'an initial access token cannot be read',
})

const ofRegistrations = tokensIn(initialAccessTokens)
const insertInitialAccessToken = initialAccessTokens.insert('ON CONFLICT (hash) DO NOTHING')

/** addClient removes the token that it consumes. */
export const createInitialAccessTokens = (engine: Engine, encryption: Encryption): InitialAccessTokens => ({
  addInitialAccessToken: (token, at, audit) =>
    pipe(
      initialAccessTokens.seal(encryption, {
        hash: token.hash,
        scope: token.scope,
        expires_at: token.expires_at,
        client_id: token.owner?.client_id ?? null,
        registration_id: token.owner?.registration_id ?? null,
        issued_by: token.issued_by === undefined ? null : issuerText(token.issued_by),
      }),
      TE.flatMap((row) =>
        verb({ relies: token.owner === undefined ? [] : [clientOf(token.owner)] }, async (tx) => {
          const owner = token.owner === undefined ? null : (await tx.get(selectOrdinal, token.owner))?.ordinal
          if (owner === undefined) return E.left(unknownClient)
          await tx.run(ofRegistrations.forgetExpired, { at })
          await tx.run(insertInitialAccessToken, { ...row, owner })
          await tx.note(audit)
          return E.right(undefined)
        }),
      ),
      engine.write,
    ),
  findInitialAccessToken: ofRegistrations.findBy(engine, encryption),
  listInitialAccessTokens: ofRegistrations.listBy(engine, encryption),
  // A registration that consumes the token has found it before it removes it.
  removeInitialAccessToken: (hash, audit) =>
    engine.write(removalOf({ changes: [initialAccessTokenOf(hash)] }, ofRegistrations.remove, { hash }, audit)),
})
