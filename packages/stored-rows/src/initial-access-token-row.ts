import {
  type Encryption,
  type InitialAccessToken,
  EpochSeconds,
  TokenHash,
  parseRegistrationScope,
} from '@clientele/domain'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import { requireProof, rowContext } from './row-context.js'
import { type ReadRow, unreadableRow } from './read-row.js'

/** A row of the table initial_access_tokens. */
export const TokenRow = t.type({ hash: TokenHash, scope: t.string, expires_at: EpochSeconds, proof: t.string })

/** The context of the proof of a token: it binds the scope and the expiry. */
export const tokenContext = ({
  hash,
  scope,
  expires_at,
}: Pick<InitialAccessToken, 'hash' | 'scope' | 'expires_at'>): string =>
  rowContext('initial_access_tokens', [hash, scope, expires_at])

const unreadable = unreadableRow('an initial access token cannot be read')

/** The token of a row. */
export const fromTokenRow =
  (encryption: Encryption): ReadRow<InitialAccessToken> =>
  (row) =>
    pipe(
      TE.fromEither(TokenRow.decode(row)),
      TE.mapLeft(() => unreadable),
      TE.tap((row) => requireProof(encryption, row.proof, tokenContext(row), unreadable)),
      TE.flatMapEither(({ hash, scope, expires_at }) =>
        pipe(
          parseRegistrationScope(scope),
          E.map((issued) => ({ ...issued, hash, expires_at })),
          E.mapLeft(() => unreadable),
        ),
      ),
    )
