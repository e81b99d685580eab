// The initial access tokens that are in force: what the operator sees of them, and how one is revoked before it is spent.
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import type { InitialAccessToken } from '../authorization/initial-access-token.js'
import type { ForOperator, Operator } from '../authorization/operator.js'
import { TokenHash } from '../authorization/token-hash.js'
import { EpochSeconds } from '../codec/epoch-seconds.js'
import { type Unavailable, type UnknownInitialAccessToken, unknownInitialAccessToken } from '../errors.js'
import type { Fresh } from '../ports/fresh.js'
import type { InitialAccessTokens } from '../ports/initial-access-tokens.js'

/** A token as the operator sees it; its id is its keyed digest, which opens nothing. */
export const InitialAccessTokenDescription = t.readonly(
  t.exact(t.type({ id: t.string, scope: t.string, expires_at: EpochSeconds })),
  'InitialAccessTokenDescription',
)
export interface InitialAccessTokenDescription extends t.TypeOf<typeof InitialAccessTokenDescription> {}

export type InitialAccessTokenList = {
  /** The first to expire first. */
  readonly tokens: ReadonlyArray<InitialAccessTokenDescription>
  /** Whether there are others that are not in the list. */
  readonly more: boolean
}

export type ListInitialAccessTokensPorts = Pick<InitialAccessTokens, 'listInitialAccessTokens'> & Pick<Fresh, 'now'>

/** So many tokens a list holds at most. */
export const maxListedTokens = 1_000

const describe = ({ hash, scope, expires_at }: InitialAccessToken): InitialAccessTokenDescription => ({
  id: hash,
  scope,
  expires_at,
})

/** The tokens that could still register a client. */
export const listInitialAccessTokens =
  (ports: ListInitialAccessTokensPorts): ForOperator<TE.TaskEither<Unavailable, InitialAccessTokenList>> =>
  () =>
    pipe(
      ports.listInitialAccessTokens(ports.now(), maxListedTokens + 1),
      TE.map((tokens) => ({
        tokens: tokens.slice(0, maxListedTokens).map(describe),
        more: tokens.length > maxListedTokens,
      })),
    )

export type RevokeInitialAccessTokenRequest = { readonly operator: Operator; readonly id: string }

/** The token of the id registers nothing any more. */
export const revokeInitialAccessToken =
  (ports: Pick<InitialAccessTokens, 'removeInitialAccessToken'>) =>
  ({ id }: RevokeInitialAccessTokenRequest): TE.TaskEither<UnknownInitialAccessToken | Unavailable, void> =>
  async () => {
    if (!TokenHash.is(id)) return E.left(unknownInitialAccessToken)
    const removed = await ports.removeInitialAccessToken(id)()
    if (E.isLeft(removed)) return removed
    return removed.right ? E.right(undefined) : E.left(unknownInitialAccessToken)
  }
