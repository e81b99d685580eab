import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { isInForce, unknownClient, type InitialAccessTokens } from '@clientele/domain'
import { writeAudit } from './audit-log.js'
import { type State, forget, isRegistered } from './state.js'
import { step } from './step.js'

export const inMemoryInitialAccessTokens = (state: State): InitialAccessTokens => {
  const { tokens, clients } = state
  return {
    addInitialAccessToken: (token, at, audit) =>
      step(() => {
        if (token.owner !== undefined && !isRegistered({ clients })(token.owner)) return E.left(unknownClient)
        forget(tokens, ({ expires_at }) => expires_at <= at)
        tokens.set(token.hash, token)
        writeAudit(state, audit)
        return E.right(undefined)
      }),
    findInitialAccessToken: (hash) => step(() => E.right(O.fromNullable(tokens.get(hash)))),
    listInitialAccessTokens: (at, most) =>
      step(() =>
        E.right(
          [...tokens.values()]
            .filter(isInForce(at))
            .sort((one, other) => one.expires_at - other.expires_at || (one.hash < other.hash ? -1 : 1))
            .slice(0, Math.max(0, most)),
        ),
      ),
    removeInitialAccessToken: (hash, audit) =>
      step(() => {
        const removed = tokens.delete(hash)
        if (removed) writeAudit(state, audit)
        return E.right(removed)
      }),
  }
}
