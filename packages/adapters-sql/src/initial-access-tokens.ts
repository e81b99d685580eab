// The initial access tokens by hash. addClient removes the one that it consumes.
import { type InitialAccessToken, TokenHash, parseRegistrationScope } from '@clientele/domain/authorization'
import { ClientId, RegistrationId } from '@clientele/domain/client'
import { EpochSeconds, unknownClient } from '@clientele/domain/kernel'
import type { Encryption, InitialAccessTokens } from '@clientele/domain/ports'
import type { Registration } from '@clientele/domain/registration'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import { issuerText, readIssuer } from './operator-tokens.js'
import { change, forgetRows, together } from './statement.js'
import { number, orNull, readReadableRows, readRow, rowContext, table, text, unreadNumber } from './table.js'
import { type Engine, clientOf, initialAccessTokenOf, removalOf, selectOrdinal, verb } from './verb.js'

type Ids = { readonly client_id: ClientId | null; readonly registration_id: RegistrationId | null }

const ownerOf = ({ client_id, registration_id }: Ids): Registration | undefined =>
  client_id === null || registration_id === null ? undefined : { client_id, registration_id }

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
  joins: {
    on: 'LEFT JOIN clients ON clients.ordinal = initial_access_tokens.owner',
    columns: { client_id: orNull(ClientId), registration_id: orNull(RegistrationId) },
  },
  sealed: 'proof',
  proves: (row) => {
    const owner = ownerOf(row)
    const ids = owner === undefined ? [] : [owner.client_id, owner.registration_id]
    return rowContext('initial_access_tokens', [row.hash, row.scope, row.expires_at, ...ids])
  },
  value: (row): O.Option<InitialAccessToken> =>
    pipe(
      O.fromEither(parseRegistrationScope(row.scope)),
      O.map((issued) => {
        const owner = ownerOf(row)
        const issued_by = row.issued_by === null ? undefined : readIssuer(row.issued_by)
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

const insert = initialAccessTokens.insert('ON CONFLICT (hash) DO NOTHING')
const forgetExpired = forgetRows('initial_access_tokens', 'hash', 'expires_at <= :at', 100, { at: 'number' })
const byHash = together(initialAccessTokens.select('initial_access_tokens.hash = :hash', { hash: 'text' }))
const inForce = initialAccessTokens.select(
  `initial_access_tokens.expires_at > :at
ORDER BY initial_access_tokens.expires_at, initial_access_tokens.hash LIMIT :max`,
  { at: 'number', max: 'number' },
)
const remove = change('DELETE FROM initial_access_tokens WHERE hash = :hash', { hash: 'text' })

export const createInitialAccessTokens = (engine: Engine, encryption: Encryption): InitialAccessTokens => {
  const read = initialAccessTokens.reading(encryption)
  return {
    addInitialAccessToken: (token, at, audit) =>
      engine.write(
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
              await tx.run(forgetExpired, { at })
              await tx.run(insert, { ...row, owner })
              await tx.note(audit)
              return E.right(undefined)
            }),
          ),
        ),
      ),
    findInitialAccessToken: (hash) => readRow(read)(engine.get(byHash, { hash })),
    // An unreadable token registers no client.
    listInitialAccessTokens: (at, most) => readReadableRows(read)(engine.all(inForce, { at, max: Math.max(0, most) })),
    // A registration that consumes the token has found it before it removes it.
    removeInitialAccessToken: (hash, audit) =>
      engine.write(removalOf({ changes: [initialAccessTokenOf(hash)] }, remove, { hash }, audit)),
  }
}
