import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import {
  maxForgotten,
  unknownClient,
  unknownSession,
  type AuthorizationKind,
  type ClientAuthorization,
  type ClientAuthorizations,
  type EpochSeconds,
  type TokenHash,
} from '@clientele/domain'
import { type State, forgetFirst, isRegistered, useClient } from './state.js'
import { step } from './step.js'

const keyOf = (kind: AuthorizationKind, hash: TokenHash): string => `${kind} ${hash}`

// offline: false is stored as absent.
const asRecorded = ({ offline, ...authorization }: ClientAuthorization): ClientAuthorization =>
  offline === true ? { ...authorization, offline } : authorization

const hasExpired =
  (at: EpochSeconds) =>
  ({ expires_at }: ClientAuthorization): boolean =>
    expires_at !== 0 && expires_at <= at

export const inMemoryClientAuthorizations = (state: State): ClientAuthorizations => ({
  recordAuthorization: (authorization, at) =>
    step(() => {
      const { kind, hash, client_id, session, offline } = authorization
      if (!isRegistered(state)(authorization)) return E.left(unknownClient)
      if (session !== undefined && offline !== true && !state.sessions.has(session)) return E.left(unknownSession)
      forgetFirst(state.authorizations, hasExpired(at), ({ expires_at }) => expires_at, maxForgotten.authorizations)
      useClient(state, client_id, at)
      state.authorizations.set(keyOf(kind, hash), asRecorded(authorization))
      return E.right(undefined)
    }),
  findAuthorization: (kind, hash) => step(() => E.right(O.fromNullable(state.authorizations.get(keyOf(kind, hash))))),
  revokeAuthorization: (kind, hash) => step(() => E.right(void state.authorizations.delete(keyOf(kind, hash)))),
})
