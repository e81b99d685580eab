import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import { actorOfOperator } from '../audit/audit-entry.js'
import { TokenHash } from '../authorization/credential.js'
import type { Operator } from '../authorization/operator.js'
import { type Unavailable, type UnknownOperatorToken, unknownOperatorToken } from '../errors.js'
import type { CredentialGenerator } from '../ports/credential-generator.js'
import type { OperatorTokens } from '../ports/operator-tokens.js'
import { type AuditPorts, type WithOrigin, audited } from './steps/audited.js'

export type RevokeOperatorTokenRequest = WithOrigin & {
  readonly operator: Operator<'operators'>
  readonly id: string
}

/** Revokes the token of the id: it authorizes no request that comes later. */
export const revokeOperatorToken =
  (ports: Pick<OperatorTokens, 'removeOperatorToken'> & Pick<CredentialGenerator, 'now'> & AuditPorts) =>
  (request: RevokeOperatorTokenRequest): TE.TaskEither<UnknownOperatorToken | Unavailable, void> =>
  async () => {
    const { id, operator } = request
    if (!TokenHash.is(id)) return E.left(unknownOperatorToken)
    const row = audited(ports, request, () => ({
      at: ports.now(),
      action: 'operator_token_revoked',
      subject: id,
      actor: actorOfOperator(operator),
      members: [],
    }))
    const removed = await ports.removeOperatorToken(id, row)()
    if (E.isLeft(removed)) return removed
    return removed.right ? E.right(undefined) : E.left(unknownOperatorToken)
  }
