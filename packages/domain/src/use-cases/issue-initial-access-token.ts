import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { InitialAccessToken } from '../authorization/initial-access-token.js'
import type { Operator } from '../authorization/operator.js'
import { parseRegistrationScope } from '../authorization/registration-scope.js'
import type { TokenHash } from '../authorization/token-hash.js'
import { bodyObject } from '../registration/registration-request.js'
import type { EpochSeconds } from '../codec/epoch-seconds.js'
import { secondsAfter } from '../codec/epoch-seconds.js'
import { fault } from '../codec/fault.js'
import type { InvalidRequest, InvalidScope, Unavailable } from '../errors.js'
import type { Fresh } from '../ports/fresh.js'
import type { InitialAccessTokens } from '../ports/initial-access-tokens.js'
import type { RegistrationSettings } from '../registration/registration-settings.js'

/** The body holds scope, and optionally lifetime in seconds. */
export type IssueInitialAccessTokenRequest = {
  readonly operator: Operator
  readonly body: E.Either<InvalidRequest, unknown>
}

export type IssueRefusal = InvalidRequest | InvalidScope

export type IssueInitialAccessTokenPorts = Pick<InitialAccessTokens, 'addInitialAccessToken'> &
  Pick<Fresh, 'initialAccessToken' | 'now'>

/** RFC 6749 §5.1 */
export type InitialAccessTokenResponse = {
  readonly access_token: string
  readonly token_type: 'Bearer'
  readonly expires_in: number
  readonly scope: string
}

export const maximumInitialAccessTokenLifetime = 2_592_000

export type IssueFacts = Pick<IssueInitialAccessTokenRequest, 'body'> & {
  readonly hash: TokenHash
  readonly at: EpochSeconds
}

const invalidLifetime = fault('lifetime')('lifetime')

const decodeLifetime =
  (fallback: number) =>
  (lifetime: unknown): E.Either<InvalidRequest, number> => {
    if (lifetime === undefined) return E.right(fallback)
    return Number.isInteger(lifetime) && Number(lifetime) >= 1 && Number(lifetime) <= maximumInitialAccessTokenLifetime
      ? E.right(Number(lifetime))
      : E.left({
          error: 'invalid_request',
          error_description: invalidLifetime.description,
          errors: [invalidLifetime],
        })
  }

const own = (body: Readonly<Record<string, unknown>>, member: string): unknown =>
  Object.hasOwn(body, member) ? body[member] : undefined

export const decideInitialAccessToken =
  (settings: Pick<RegistrationSettings, 'initialAccessTokenLifetime'>) =>
  (facts: IssueFacts): E.Either<IssueRefusal, InitialAccessToken> =>
    pipe(
      facts.body,
      E.flatMap(bodyObject),
      E.bindTo('body'),
      E.bindW('issued', ({ body }) => parseRegistrationScope(own(body, 'scope'))),
      E.bindW('lifetime', ({ body }) => decodeLifetime(settings.initialAccessTokenLifetime)(own(body, 'lifetime'))),
      E.map(({ issued, lifetime }) => ({
        hash: facts.hash,
        ...issued,
        expires_at: secondsAfter(facts.at, lifetime),
      })),
    )

export const issueInitialAccessToken =
  (settings: Pick<RegistrationSettings, 'initialAccessTokenLifetime'>, ports: IssueInitialAccessTokenPorts) =>
  ({ body }: IssueInitialAccessTokenRequest): TE.TaskEither<IssueRefusal | Unavailable, InitialAccessTokenResponse> => {
    const fresh = ports.initialAccessToken()
    const at = ports.now()
    return pipe(
      TE.fromEither(decideInitialAccessToken(settings)({ body, hash: fresh.hash, at })),
      TE.tap((token) => ports.addInitialAccessToken(token, at)),
      TE.map((token) => ({
        access_token: fresh.token,
        token_type: 'Bearer',
        expires_in: token.expires_at - at,
        scope: token.scope,
      })),
    )
  }
