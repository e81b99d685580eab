// The operator tokens by hash. A token that was removed authorizes no request that comes later, at any instance.
import type * as O from 'fp-ts/lib/Option.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import type { AuditRow } from '../audit/audit-entry.js'
import type { TokenHash } from '../authorization/credential.js'
import type { OperatorToken } from '../authorization/operator-token.js'
import type { EpochSeconds } from '../codec/epoch-seconds.js'
import type { Unavailable } from '../errors.js'

export type OperatorTokens = {
  /** Stores the token; tokens that have expired at the given time may be removed. */
  readonly addOperatorToken: (
    token: OperatorToken,
    at: EpochSeconds,
    audit?: AuditRow,
  ) => TE.TaskEither<Unavailable, void>
  readonly findOperatorToken: (hash: TokenHash) => TE.TaskEither<Unavailable, O.Option<OperatorToken>>
  /** Tokens that have not expired at the given time, the first to expire first, at most `max`. */
  readonly listOperatorTokens: (
    at: EpochSeconds,
    most: number,
  ) => TE.TaskEither<Unavailable, ReadonlyArray<OperatorToken>>
  /** Whether the token was stored. */
  readonly removeOperatorToken: (hash: TokenHash, audit?: AuditRow) => TE.TaskEither<Unavailable, boolean>
}
