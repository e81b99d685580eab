// The initial access tokens in force, for the operator.
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import type { InitialAccessToken } from '../authorization/authorize-registrant.js'
import { type ForOperator, Issuer } from '../authorization/operator.js'
import { EpochSeconds } from '../codec/epoch-seconds.js'
import type { Unavailable } from '../errors.js'
import type { CredentialGenerator } from '../ports/credential-generator.js'
import type { InitialAccessTokens } from '../ports/initial-access-tokens.js'

/** A token for the operator; its id is its keyed digest, which authorizes nothing. */
export const InitialAccessTokenDescription = t.readonly(
  t.exact(
    t.intersection([
      t.type({ id: t.string, scope: t.string, expires_at: EpochSeconds, expires_in: t.number }),
      t.partial({ issued_by: Issuer }),
    ]),
  ),
  'InitialAccessTokenDescription',
)
export type InitialAccessTokenDescription = t.TypeOf<typeof InitialAccessTokenDescription>

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

const describeAt =
  (at: EpochSeconds) =>
  ({ hash, scope, expires_at, issued_by }: InitialAccessToken): InitialAccessTokenDescription => ({
    id: hash,
    scope,
    expires_at,
    expires_in: expires_at - at,
    ...(issued_by === undefined ? {} : { issued_by }),
  })

/** The tokens that can still register a client. */
export const listInitialAccessTokens =
  (ports: ListInitialAccessTokensPorts): ForOperator<'tokens', TE.TaskEither<Unavailable, InitialAccessTokenList>> =>
  () =>
    pipe(
      TE.fromIO(ports.now),
      TE.bindTo('at'),
      TE.bind('tokens', ({ at }) => ports.listInitialAccessTokens(at, maxListedTokens + 1)),
      TE.map(({ at, tokens }) => ({
        tokens: tokens.slice(0, maxListedTokens).map(describeAt(at)),
        more: tokens.length > maxListedTokens,
      })),
    )
