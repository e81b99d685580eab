// The initial access tokens in force, for the operator.
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import type { InitialAccessToken } from '../authorization/authorize-registrant.js'
import type { ForOperator } from '../authorization/operator.js'
import { EpochSeconds } from '../codec/epoch-seconds.js'
import type { Unavailable } from '../errors.js'
import type { CredentialGenerator } from '../ports/credential-generator.js'
import type { InitialAccessTokens } from '../ports/initial-access-tokens.js'

/** A token for the operator; its id is its keyed digest, which authorizes nothing. */
export const InitialAccessTokenDescription = t.readonly(
  t.exact(t.type({ id: t.string, scope: t.string, expires_at: EpochSeconds })),
  'InitialAccessTokenDescription',
)
export interface InitialAccessTokenDescription extends t.TypeOf<typeof InitialAccessTokenDescription> {}

export type InitialAccessTokenList = {
  /** The first to expire first. */
  readonly tokens: ReadonlyArray<InitialAccessTokenDescription>
  /** Whether there are tokens beyond the list. */
  readonly more: boolean
}

export type ListInitialAccessTokensPorts = Pick<InitialAccessTokens, 'listInitialAccessTokens'> &
  Pick<CredentialGenerator, 'now'>

/** The maximum number of tokens in a list. */
export const maxListedTokens = 1_000

const describe = ({ hash, scope, expires_at }: InitialAccessToken): InitialAccessTokenDescription => ({
  id: hash,
  scope,
  expires_at,
})

/** The tokens that can still register a client. */
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
