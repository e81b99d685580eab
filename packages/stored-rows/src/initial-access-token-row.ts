import {
  type Encryption,
  type InitialAccessToken,
  type Registration,
  ClientId,
  EpochSeconds,
  RegistrationId,
  TokenHash,
  parseRegistrationScope,
} from '@clientele/domain'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import { readIssuer } from './issuer-text.js'
import { requireProof, rowContext } from './row-context.js'
import { type ReadRow, unreadableRow } from './read-row.js'

/** A row of the table initial_access_tokens, with the ids of its owner. */
export const TokenRow = t.type({
  hash: TokenHash,
  scope: t.string,
  expires_at: EpochSeconds,
  client_id: t.union([ClientId, t.null]),
  registration_id: t.union([RegistrationId, t.null]),
  /** Null for a token from before it was recorded, and for one that no operator issued. */
  issued_by: t.union([t.string, t.null]),
  proof: t.string,
})
type Row = t.TypeOf<typeof TokenRow>

const ownerOf = ({ client_id, registration_id }: Row): Registration | undefined =>
  client_id === null || registration_id === null ? undefined : { client_id, registration_id }

/** The context of the proof of a token: it binds the scope and the expiry, and the owner of a token that has one. */
export const tokenContext = ({
  hash,
  scope,
  expires_at,
  owner,
}: Pick<InitialAccessToken, 'hash' | 'scope' | 'expires_at' | 'owner'>): string =>
  rowContext('initial_access_tokens', [
    hash,
    scope,
    expires_at,
    ...(owner === undefined ? [] : [owner.client_id, owner.registration_id]),
  ])

/** The context of the proof of a row. */
export const tokenRowContext = (row: Row): string => {
  const owner = ownerOf(row)
  const { hash, scope, expires_at } = row
  return tokenContext(owner === undefined ? { hash, scope, expires_at } : { hash, scope, expires_at, owner })
}

const unreadable = unreadableRow('an initial access token cannot be read')

/** The token of a row. */
export const fromTokenRow =
  (encryption: Encryption): ReadRow<InitialAccessToken> =>
  (row) =>
    pipe(
      TE.fromEither(TokenRow.decode(row)),
      TE.mapLeft(() => unreadable),
      TE.tap((row) => requireProof(encryption, row.proof, tokenRowContext(row), unreadable)),
      TE.flatMapEither((found) =>
        pipe(
          parseRegistrationScope(found.scope),
          E.map((issued): InitialAccessToken => {
            const token = { hash: found.hash, expires_at: found.expires_at, ...issued }
            const owner = ownerOf(found)
            const issued_by = found.issued_by === null ? undefined : readIssuer(found.issued_by)
            return {
              ...token,
              ...(owner === undefined ? {} : { owner }),
              ...(issued_by === undefined ? {} : { issued_by }),
            }
          }),
          E.mapLeft(() => unreadable),
        ),
      ),
    )
