// The tokens that operators give away: initial access tokens, and those of other operators.
import type { TokenHash } from '@clientele/domain/authorization'
import { type EpochSeconds, unknownClient } from '@clientele/domain/kernel'
import type { StoragePorts } from '@clientele/domain/ports'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import {
  type State,
  certainly,
  changed,
  expiry,
  forgetOver,
  isRegistered,
  removeAudited,
  step,
  writeAudit,
} from './state.js'

type Token = { readonly hash: TokenHash; readonly expires_at: EpochSeconds }

/** The tokens in force, the first to expire first. */
const inForce = <Any extends Token>(tokens: ReadonlyMap<string, Any>, at: EpochSeconds, most: number): Array<Any> =>
  [...tokens.values()]
    .filter(({ expires_at }) => at < expires_at)
    .sort((one, other) => one.expires_at - other.expires_at || (one.hash < other.hash ? -1 : 1))
    .slice(0, Math.max(0, most))

export const initialAccessTokens = (state: State): StoragePorts['initialAccessTokens'] => ({
  addInitialAccessToken: step((token, at, audit) => {
    if (token.owner !== undefined && !isRegistered(state)(token.owner)) return E.left(unknownClient)
    forgetOver(state.tokens, expiry, at)
    state.tokens.set(token.hash, token)
    return changed(state, audit)
  }),
  findInitialAccessToken: certainly((hash) => O.fromNullable(state.tokens.get(hash))),
  listInitialAccessTokens: certainly((at, most) => inForce(state.tokens, at, most)),
  removeInitialAccessToken: certainly((hash, audit) => removeAudited(state, state.tokens, hash, audit)),
})

export const operatorTokens = (state: State): StoragePorts['operatorTokens'] => ({
  addOperatorToken: certainly((token, at, audit, replaced) => {
    if (replaced !== undefined && !state.operatorTokens.delete(replaced)) return false
    forgetOver(state.operatorTokens, expiry, at)
    state.operatorTokens.set(token.hash, token)
    writeAudit(state, audit)
    return true
  }),
  findOperatorToken: certainly((hash) => O.fromNullable(state.operatorTokens.get(hash))),
  listOperatorTokens: certainly((at, most) => inForce(state.operatorTokens, at, most)),
  removeOperatorToken: certainly((hash, audit) => removeAudited(state, state.operatorTokens, hash, audit)),
})
