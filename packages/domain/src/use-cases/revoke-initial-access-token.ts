import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import { TokenHash } from '../authorization/credential.js'
import type { Operator } from '../authorization/operator.js'
import { type Unavailable, type UnknownInitialAccessToken, unknownInitialAccessToken } from '../errors.js'
import type { InitialAccessTokens } from '../ports/initial-access-tokens.js'

export type RevokeInitialAccessTokenRequest = { readonly operator: Operator<'tokens'>; readonly id: string }

/** Revokes the token of the id: it registers no client any more. */
export const revokeInitialAccessToken =
  (ports: Pick<InitialAccessTokens, 'removeInitialAccessToken'>) =>
  ({ id }: RevokeInitialAccessTokenRequest): TE.TaskEither<UnknownInitialAccessToken | Unavailable, void> =>
  async () => {
    if (!TokenHash.is(id)) return E.left(unknownInitialAccessToken)
    const removed = await ports.removeInitialAccessToken(id)()
    if (E.isLeft(removed)) return removed
    return removed.right ? E.right(undefined) : E.left(unknownInitialAccessToken)
  }
