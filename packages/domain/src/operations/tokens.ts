// Initial access tokens.
import * as E from 'fp-ts/lib/Either.js'
import type { ReadonlyNonEmptyArray } from 'fp-ts/lib/ReadonlyNonEmptyArray.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import { actorOfOperator } from '../audit/entries.js'
import { TokenHash } from '../authorization/credential.js'
import { type ForOperator, type Operator, Issuer, issuerOf } from '../authorization/operator.js'
import { parseRegistrationScope } from '../authorization/privileges.js'
import type { InitialAccessToken } from '../authorization/registrant.js'
import { type Fault, optional, valueThat } from '../kernel/faults.js'
import {
  type InvalidRequest,
  type InvalidScope,
  type Unavailable,
  type UnknownClient,
  type UnknownInitialAccessToken,
  decodeBody,
  invalidBody,
  unknownInitialAccessToken,
} from '../kernel/refusals.js'
import type { RuleId } from '../kernel/rule-texts.js'
import { EpochSeconds, isLifetimeUpTo, secondsAfter } from '../kernel/time.js'
import { objectOf } from '../kernel/values.js'
import type { Clock, CredentialGenerator } from '../ports/outside.js'
import type { InitialAccessTokens } from '../ports/store.js'
import type { RegistrationSettings } from '../registration/decide.js'
import { type AuditPorts, type WithOrigin, audited } from './audit.js'

/** The body contains scope, and optionally lifetime in seconds. */
type IssueInitialAccessTokenRequest = WithOrigin & {
  readonly operator: Operator<'tokens'>
  readonly body: E.Either<InvalidRequest, unknown>
}

type IssueRefusal = InvalidRequest | InvalidScope

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

type IssueFacts = Pick<IssueInitialAccessTokenRequest, 'body'> & {
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
  (
    settings: Pick<RegistrationSettings, 'initialAccessTokenLifetime'>,
    ports: InitialAccessTokens & CredentialGenerator & AuditPorts,
  ) =>
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
    const row = audited(ports, request, {
      at,
      action: 'initial_access_token_issued',
      subject: generated.hash,
      actor: actorOfOperator(operator),
      members: ['expires_at', 'scope'],
    })
    const issued = Object.assign({ issued_by: issuerOf(operator) }, token.right)
    const added = await ports.addInitialAccessToken(issued, at, row)()
    if (E.isLeft(added)) return added
    const { token: access_token, hash: id } = generated
    return E.right({ access_token, token_type: 'Bearer', expires_in: expires_at - at, scope, id })
  }

// The initial access tokens in force, for the operator.

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

/** The maximum number of tokens in a list. */
const maxListedTokens = 1_000

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
  (ports: InitialAccessTokens & Clock): ForOperator<'tokens', TE.TaskEither<Unavailable, InitialAccessTokenList>> =>
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

type RevokeInitialAccessTokenRequest = WithOrigin & {
  readonly operator: Operator<'tokens'>
  readonly id: string
}

/** Revokes the token of the id: it registers no client any more. */
export const revokeInitialAccessToken =
  (ports: InitialAccessTokens & Clock & AuditPorts) =>
  (request: RevokeInitialAccessTokenRequest): TE.TaskEither<UnknownInitialAccessToken | Unavailable, void> =>
  async () => {
    const { id, operator } = request
    if (!TokenHash.is(id)) return E.left(unknownInitialAccessToken)
    const row = audited(ports, request, {
      at: ports.now(),
      action: 'initial_access_token_revoked',
      subject: id,
      actor: actorOfOperator(operator),
      members: [],
    })
    const removed = await ports.removeInitialAccessToken(id, row)()
    if (E.isLeft(removed)) return removed
    return removed.right ? E.right(undefined) : E.left(unknownInitialAccessToken)
  }
