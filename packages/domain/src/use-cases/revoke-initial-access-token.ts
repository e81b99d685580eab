import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import { actorOfOperator } from '../audit/audit-entry.js'
import { TokenHash } from '../authorization/credential.js'
import type { Operator } from '../authorization/operator.js'
import { type Unavailable, type UnknownInitialAccessToken, unknownInitialAccessToken } from '../errors.js'
import type { CredentialGenerator } from '../ports/credential-generator.js'
import type { InitialAccessTokens } from '../ports/initial-access-tokens.js'
import { type AuditPorts, type WithOrigin, audited } from './steps/audited.js'

export type RevokeInitialAccessTokenRequest = WithOrigin & {
  readonly operator: Operator<'tokens'>
  readonly id: string
}

/** Revokes the token of the id: it registers no client any more. */
export const revokeInitialAccessToken =
  (ports: Pick<InitialAccessTokens, 'removeInitialAccessToken'> & Pick<CredentialGenerator, 'now'> & AuditPorts) =>
  (request: RevokeInitialAccessTokenRequest): TE.TaskEither<UnknownInitialAccessToken | Unavailable, void> =>
  async () => {
    const { id, operator } = request
    if (!TokenHash.is(id)) return E.left(unknownInitialAccessToken)
    const row = audited(ports, request, () => ({
      at: ports.now(),
      action: 'initial_access_token_revoked',
      subject: id,
      actor: actorOfOperator(operator),
      members: [],
    }))
    const removed = await ports.removeInitialAccessToken(id, row)()
    if (E.isLeft(removed)) return removed
    return removed.right ? E.right(undefined) : E.left(unknownInitialAccessToken)
  }
