import * as E from 'fp-ts/lib/Either.js'
import type { ReadonlyNonEmptyArray } from 'fp-ts/lib/ReadonlyNonEmptyArray.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { InitialAccessToken } from '../authorization/authorize-registrant.js'
import { type Operator, issuerOf } from '../authorization/operator.js'
import { parseRegistrationScope } from '../authorization/registration-scope.js'
import { actorOfOperator } from '../audit/audit-entry.js'
import type { TokenHash } from '../authorization/credential.js'
import { type EpochSeconds, isLifetimeUpTo, secondsAfter } from '../codec/epoch-seconds.js'
import type { Fault } from '../codec/fault.js'
import { objectOf } from '../codec/object-codec.js'
import { optional, valueThat } from '../codec/rule-codec.js'
import type { RuleId } from '../codec/rule-texts.js'
import { type InvalidRequest, type InvalidScope, type Unavailable, type UnknownClient, invalidBody } from '../errors.js'
import type { CredentialGenerator } from '../ports/credential-generator.js'
import type { InitialAccessTokens } from '../ports/initial-access-tokens.js'
import type { RegistrationSettings } from '../registration/registration-settings.js'
import { decodeBody } from '../decode-body.js'
import { type AuditPorts, type WithOrigin, audited } from './steps/audited.js'

/** The body contains scope, and optionally lifetime in seconds. */
export type IssueInitialAccessTokenRequest = WithOrigin & {
  readonly operator: Operator<'tokens'>
  readonly body: E.Either<InvalidRequest, unknown>
}

export type IssueRefusal = InvalidRequest | InvalidScope

export type IssueInitialAccessTokenPorts = Pick<InitialAccessTokens, 'addInitialAccessToken'> &
  Pick<CredentialGenerator, 'initialAccessToken' | 'now'> &
  AuditPorts

/** RFC 6749 §5.1 */
export type InitialAccessTokenResponse = {
  readonly access_token: string
  readonly token_type: 'Bearer'
  readonly expires_in: number
  readonly scope: string
  /** By which the operator lists and revokes the token; it authorizes nothing. */
  readonly id: string
}

export const maxInitialAccessTokenLifetime = 2_592_000

export type IssueFacts = Pick<IssueInitialAccessTokenRequest, 'body'> & {
  readonly hash: TokenHash
  readonly at: EpochSeconds
}

const isRegistrationScope = (value: unknown): value is string => E.isRight(parseRegistrationScope(value))

const tokenRequest = objectOf<RuleId>({ object: 'json-object' })({
  scope: valueThat('registration-scope', isRegistrationScope),
  lifetime: optional(valueThat('lifetime', isLifetimeUpTo(maxInitialAccessTokenLifetime))),
})

// RFC 6749 §5.2
const refused = (errors: ReadonlyNonEmptyArray<Fault>): IssueRefusal =>
  errors[0].rule === 'registration-scope'
    ? { error: 'invalid_scope', error_description: errors[0].description, errors }
    : invalidBody(errors)

export const decideInitialAccessToken =
  (settings: Pick<RegistrationSettings, 'initialAccessTokenLifetime'>) =>
  ({ body, hash, at }: IssueFacts): E.Either<IssueRefusal, InitialAccessToken> => {
    if (E.isLeft(body)) return body
    const request = decodeBody(tokenRequest, refused)(body.right)
    if (E.isLeft(request)) return request
    const { scope, lifetime = settings.initialAccessTokenLifetime } = request.right
    return pipe(
      parseRegistrationScope(scope),
      E.map((issued) => ({ hash, ...issued, expires_at: secondsAfter(at, lifetime) })),
    )
  }

export const issueInitialAccessToken =
  (settings: Pick<RegistrationSettings, 'initialAccessTokenLifetime'>, ports: IssueInitialAccessTokenPorts) =>
  (
    request: IssueInitialAccessTokenRequest,
  ): TE.TaskEither<IssueRefusal | UnknownClient | Unavailable, InitialAccessTokenResponse> =>
  async () => {
    const { operator, body } = request
    const generated = ports.initialAccessToken()
    const at = ports.now()
    const token = decideInitialAccessToken(settings)({ body, hash: generated.hash, at })
    if (E.isLeft(token)) return token
    const { scope, expires_at } = token.right
    const row = audited(ports, request, () => ({
      at,
      action: 'initial_access_token_issued',
      subject: generated.hash,
      actor: actorOfOperator(operator),
      members: ['expires_at', 'scope'],
    }))
    const issued = Object.assign({ issued_by: issuerOf(operator) }, token.right)
    const added = await ports.addInitialAccessToken(issued, at, row)()
    if (E.isLeft(added)) return added
    const { token: access_token, hash: id } = generated
    return E.right({ access_token, token_type: 'Bearer', expires_in: expires_at - at, scope, id })
  }
