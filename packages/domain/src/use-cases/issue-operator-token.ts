import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type { ReadonlyNonEmptyArray } from 'fp-ts/lib/ReadonlyNonEmptyArray.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import { actorOfOperator } from '../audit/audit-entry.js'
import type { TokenHash } from '../authorization/credential.js'
import {
  issuableManagementPrivileges,
  managementScope,
  noManagementPrivileges,
  parseManagementPrivileges,
  permitsManagement,
} from '../authorization/management-privileges.js'
import type { OperatorToken } from '../authorization/operator-token.js'
import { type Issuer, type Operator, issuerOf } from '../authorization/operator.js'
import { isText } from '../client/value-types.js'
import { type EpochSeconds, isLifetimeUpTo, secondsAfter } from '../codec/epoch-seconds.js'
import type { Fault } from '../codec/fault.js'
import { objectOf } from '../codec/object-codec.js'
import { optional, valueThat } from '../codec/rule-codec.js'
import type { RuleId } from '../codec/rule-texts.js'
import { type InvalidRequest, type InvalidScope, type Unavailable, invalidBody } from '../errors.js'
import type { CredentialGenerator } from '../ports/credential-generator.js'
import type { OperatorTokens } from '../ports/operator-tokens.js'
import { decodeBody } from '../decode-body.js'
import { type AuditPorts, type WithOrigin, audited } from './steps/audited.js'

/** The body contains scope, and optionally name, and lifetime in seconds. */
export type IssueOperatorTokenRequest = WithOrigin & {
  readonly operator: Operator<'operators'>
  readonly body: E.Either<InvalidRequest, unknown>
}

export type IssueOperatorTokenPorts = Pick<OperatorTokens, 'addOperatorToken'> &
  Pick<CredentialGenerator, 'initialAccessToken' | 'now'> &
  AuditPorts

export type IssueOperatorTokenRefusal = InvalidRequest | InvalidScope

/** RFC 6749 §5.1 */
export type OperatorTokenResponse = {
  readonly access_token: string
  readonly token_type: 'Bearer'
  readonly expires_in: number
  readonly scope: string
  /** By which the operator lists and revokes the token; it authorizes nothing. */
  readonly id: string
}

export const maxOperatorTokenLifetime = 31_536_000
export const defaultOperatorTokenLifetime = 7_776_000

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

export type IssueOperatorTokenFacts = Pick<IssueOperatorTokenRequest, 'body'> & {
  readonly hash: TokenHash
  readonly at: EpochSeconds
  readonly issued_by: Issuer
}

export const decideOperatorToken = ({
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
  (ports: IssueOperatorTokenPorts) =>
  (request: IssueOperatorTokenRequest): TE.TaskEither<IssueOperatorTokenRefusal | Unavailable, OperatorTokenResponse> =>
  async () => {
    const { operator, body } = request
    const { token: access_token, hash } = ports.initialAccessToken()
    const at = ports.now()
    const token = decideOperatorToken({ body, hash, at, issued_by: issuerOf(operator) })
    if (E.isLeft(token)) return token
    const row = audited(ports, request, () => ({
      at,
      action: 'operator_token_issued',
      subject: hash,
      actor: actorOfOperator(operator),
      members: ['expires_at', 'privileges'],
    }))
    const added = await ports.addOperatorToken(token.right, at, row)()
    if (E.isLeft(added)) return added
    const { expires_at, privileges } = token.right
    const scope = managementScope(privileges)
    return E.right({ access_token, token_type: 'Bearer', expires_in: expires_at - at, scope, id: hash })
  }
