import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type { OperatorTokens } from '@clientele/domain'
import { writeAudit } from './audit-log.js'
import { type State, forget } from './state.js'
import { step } from './step.js'

export const inMemoryOperatorTokens = (state: State): OperatorTokens => {
  const { operatorTokens } = state
  return {
    addOperatorToken: (token, at, audit) =>
      step(() => {
        forget(operatorTokens, ({ expires_at }) => expires_at <= at)
        operatorTokens.set(token.hash, token)
        writeAudit(state, audit)
        return E.right(undefined)
      }),
    findOperatorToken: (hash) => step(() => E.right(O.fromNullable(operatorTokens.get(hash)))),
    listOperatorTokens: (at, most) =>
      step(() =>
        E.right(
          [...operatorTokens.values()]
            .filter(({ expires_at }) => at < expires_at)
            .sort((one, other) => one.expires_at - other.expires_at || (one.hash < other.hash ? -1 : 1))
            .slice(0, Math.max(0, most)),
        ),
      ),
    removeOperatorToken: (hash, audit) =>
      step(() => {
        const removed = operatorTokens.delete(hash)
        if (removed) writeAudit(state, audit)
        return E.right(removed)
      }),
  }
}
