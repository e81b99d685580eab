// What the browser keeps, sealed, while another party authenticates the end-user.
import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { EpochSeconds } from '../codec/epoch-seconds.js'
import type { AuthenticatedEndUser } from './authenticated-end-user.js'
import { type LoginRefused, loginRefused } from './login-refused.js'
import { maxAuthenticationSkew } from './read-end-user.js'

/** Seconds in which an end-user must return. */
export const loginLifetime = 900

export const LoginState = t.readonly(
  t.exact(
    t.type({
      /** The party that authenticates: a login that began at another one is refused. */
      method: t.string,
      interaction: t.string,
      handle: t.string,
      /** Of the login method alone. */
      memo: t.string,
      /** OpenID Core §3.1.2.1: the maximum age of the authentication; null for any. */
      max_age: t.union([t.number, t.null]),
      begun_at: EpochSeconds,
    }),
  ),
  'LoginState',
)
export interface LoginState extends t.TypeOf<typeof LoginState> {}

/** The present method, the parameter `state` of the request, and its time. */
export type LoginReturn = {
  readonly method: string
  readonly handle: string | undefined
  readonly at: EpochSeconds
}

// RFC 6749 §10.12: a response belongs to the browser and to the request that began the login.
const faultOf = (state: LoginState, { method, handle, at }: LoginReturn): string | undefined => {
  if (state.handle !== handle) return 'the response is that of another login'
  if (state.method !== method) return 'the login began with another login method'
  return at < state.begun_at + loginLifetime ? undefined : `the end-user returned after ${loginLifetime} seconds`
}

/** Whether the browser returns from the login that it began. */
export const acceptReturn = (state: LoginState, returned: LoginReturn): E.Either<LoginRefused, LoginState> => {
  const fault = faultOf(state, returned)
  return fault === undefined ? E.right(state) : E.left(loginRefused(fault))
}

/** OpenID Core §3.1.2.1: whether the end-user authenticated within max_age of the request. */
export const acceptAuthTime =
  ({ max_age, begun_at }: LoginState) =>
  (endUser: AuthenticatedEndUser): E.Either<LoginRefused, AuthenticatedEndUser> =>
    max_age === null || endUser.auth_time + max_age + maxAuthenticationSkew >= begun_at
      ? E.right(endUser)
      : E.left(loginRefused('the end-user was authenticated too long ago: the request demands a new authentication'))
