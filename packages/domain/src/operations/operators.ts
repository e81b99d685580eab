// Operator tokens.
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type { ReadonlyNonEmptyArray } from 'fp-ts/lib/ReadonlyNonEmptyArray.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import { actorOfOperator } from '../audit/entries.js'
import { TokenHash } from '../authorization/credential.js'
import { type ForOperator, type Operator, type OperatorToken, Issuer, issuerOf } from '../authorization/operator.js'
import {
  issuableManagementPrivileges,
  managementScope,
  noManagementPrivileges,
  parseManagementPrivileges,
  permitsManagement,
} from '../authorization/management.js'
import { isText } from '../client/values.js'
import { type Fault, optional, valueThat } from '../kernel/faults.js'
import {
  type InvalidRequest,
  type InvalidScope,
  type Unavailable,
  type UnknownOperatorToken,
  decodeBody,
  invalidBody,
  unknownOperatorToken,
} from '../kernel/refusals.js'
import type { RuleId } from '../kernel/rule-texts.js'
import { EpochSeconds, isLifetimeUpTo, secondsAfter } from '../kernel/time.js'
import { objectOf } from '../kernel/values.js'
import type { Clock, CredentialGenerator } from '../ports/outside.js'
import type { OperatorTokens } from '../ports/store.js'
import { type AuditPorts, type WithOrigin, audited } from './audit.js'

/** The body contains scope, and optionally name, and lifetime in seconds. */
type IssueOperatorTokenRequest = WithOrigin & {
  readonly operator: Operator<'operators'>
  readonly body: E.Either<InvalidRequest, unknown>
}

type IssueOperatorTokenRefusal = InvalidRequest | InvalidScope

/** RFC 6749 §5.1 */
export type OperatorTokenResponse = {
  readonly access_token: string
  readonly token_type: 'Bearer'
  readonly expires_in: number
  readonly scope: string
  /** By which the operator lists and revokes the token; it authorizes nothing. */
  readonly id: string
}

const maxOperatorTokenLifetime = 31_536_000
const defaultOperatorTokenLifetime = 7_776_000

const maxName = 80

const isOperatorScope = (value: unknown): value is string =>
  pipe(parseManagementPrivileges(value), O.exists(permitsManagement(issuableManagementPrivileges)))

const isName = (value: unknown): value is string => typeof value === 'string' && isText(maxName)(value)

const tokenRequest = objectOf<RuleId>({ object: 'json-object' })({
  scope: valueThat('operator-scope', isOperatorScope),
  name: optional(valueThat('operator-token-name', isName)),
  lifetime: optional(valueThat('operator-token-lifetime', isLifetimeUpTo(maxOperatorTokenLifetime))),
})

// RFC 6749 §5.2
const refused = (errors: ReadonlyNonEmptyArray<Fault>): IssueOperatorTokenRefusal =>
  errors[0].rule === 'operator-scope'
    ? { error: 'invalid_scope', error_description: errors[0].description, errors }
    : invalidBody(errors)

type IssueOperatorTokenFacts = Pick<IssueOperatorTokenRequest, 'body'> & {
  readonly hash: TokenHash
  readonly at: EpochSeconds
  readonly issued_by: Issuer
}

const decideOperatorToken = ({
  body,
  hash,
  at,
  issued_by,
}: IssueOperatorTokenFacts): E.Either<IssueOperatorTokenRefusal, OperatorToken> =>
  pipe(
    body,
    E.flatMap(decodeBody(tokenRequest, refused)),
    E.map(({ scope, name, lifetime = defaultOperatorTokenLifetime }) => ({
      hash,
      privileges: O.getOrElse(() => noManagementPrivileges)(parseManagementPrivileges(scope)),
      ...(name === undefined ? {} : { name }),
      issued_at: at,
      expires_at: secondsAfter(at, lifetime),
      issued_by,
    })),
  )

export const issueOperatorToken =
  (ports: OperatorTokens & CredentialGenerator & AuditPorts) =>
  (request: IssueOperatorTokenRequest): TE.TaskEither<IssueOperatorTokenRefusal | Unavailable, OperatorTokenResponse> =>
  async () => {
    const { operator, body } = request
    const { token: access_token, hash } = ports.initialAccessToken()
    const at = ports.now()
    const token = decideOperatorToken({ body, hash, at, issued_by: issuerOf(operator) })
    if (E.isLeft(token)) return token
    const row = audited(ports, request, {
      at,
      action: 'operator_token_issued',
      subject: hash,
      actor: actorOfOperator(operator),
      members: ['expires_at', 'privileges'],
    })
    const added = await ports.addOperatorToken(token.right, at, row)()
    if (E.isLeft(added)) return added
    const { expires_at, privileges } = token.right
    const scope = managementScope(privileges)
    return E.right({ access_token, token_type: 'Bearer', expires_in: expires_at - at, scope, id: hash })
  }

// The operator tokens in force, for the operator.

/** A token for the operator; its id is its keyed digest, which authorizes nothing. */
export const OperatorTokenDescription = t.readonly(
  t.exact(
    t.intersection([
      t.type({
        id: t.string,
        scope: t.string,
        issued_at: EpochSeconds,
        expires_at: EpochSeconds,
        expires_in: t.number,
        issued_by: Issuer,
      }),
      t.partial({ name: t.string }),
    ]),
  ),
  'OperatorTokenDescription',
)
export type OperatorTokenDescription = t.TypeOf<typeof OperatorTokenDescription>

export type OperatorTokenList = {
  /** The first to expire first. */
  readonly tokens: ReadonlyArray<OperatorTokenDescription>
  /** Whether there are tokens beyond the list. */
  readonly more: boolean
}

/** The maximum number of tokens in a list. */
const maxListedOperatorTokens = 1_000

const describeAt =
  (at: EpochSeconds) =>
  ({ hash, privileges, name, issued_at, expires_at, issued_by }: OperatorToken): OperatorTokenDescription => ({
    id: hash,
    ...(name === undefined ? {} : { name }),
    scope: managementScope(privileges),
    issued_at,
    expires_at,
    expires_in: expires_at - at,
    issued_by,
  })

export const listOperatorTokens =
  (ports: OperatorTokens & Clock): ForOperator<'operators', TE.TaskEither<Unavailable, OperatorTokenList>> =>
  () =>
    pipe(
      TE.fromIO(ports.now),
      TE.bindTo('at'),
      TE.bind('tokens', ({ at }) => ports.listOperatorTokens(at, maxListedOperatorTokens + 1)),
      TE.map(({ at, tokens }) => ({
        tokens: tokens.slice(0, maxListedOperatorTokens).map(describeAt(at)),
        more: tokens.length > maxListedOperatorTokens,
      })),
    )

type RevokeOperatorTokenRequest = WithOrigin & {
  readonly operator: Operator<'operators'>
  readonly id: string
}

/** Revokes the token of the id: it authorizes no request that comes later. */
export const revokeOperatorToken =
  (ports: OperatorTokens & Clock & AuditPorts) =>
  (request: RevokeOperatorTokenRequest): TE.TaskEither<UnknownOperatorToken | Unavailable, void> =>
  async () => {
    const { id, operator } = request
    if (!TokenHash.is(id)) return E.left(unknownOperatorToken)
    const row = audited(ports, request, {
      at: ports.now(),
      action: 'operator_token_revoked',
      subject: id,
      actor: actorOfOperator(operator),
      members: [],
    })
    const removed = await ports.removeOperatorToken(id, row)()
    if (E.isLeft(removed)) return removed
    return removed.right ? E.right(undefined) : E.left(unknownOperatorToken)
  }
