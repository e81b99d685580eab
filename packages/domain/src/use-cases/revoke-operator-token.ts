import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import { TokenHash } from '../authorization/credential.js'
import type { Operator } from '../authorization/operator.js'
import { type Unavailable, type UnknownOperatorToken, unknownOperatorToken } from '../errors.js'
import type { OperatorTokens } from '../ports/operator-tokens.js'

export type RevokeOperatorTokenRequest = { readonly operator: Operator<'operators'>; readonly id: string }

/** Revokes the token of the id: it authorizes no request that comes later. */
export const revokeOperatorToken =
  (ports: Pick<OperatorTokens, 'removeOperatorToken'>) =>
  ({ id }: RevokeOperatorTokenRequest): TE.TaskEither<UnknownOperatorToken | Unavailable, void> =>
  async () => {
    if (!TokenHash.is(id)) return E.left(unknownOperatorToken)
    const removed = await ports.removeOperatorToken(id)()
    if (E.isLeft(removed)) return removed
    return removed.right ? E.right(undefined) : E.left(unknownOperatorToken)
  }
