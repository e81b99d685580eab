// The login of a host: two functions in the same process, or a page to which each request goes signed, and from which each
// response comes signed.
import { type EpochSeconds, secondsAfter, unavailable } from '@clientele/domain/kernel'
import { ownTokenTypes } from '@clientele/domain/keys'
import type { TokenSigner } from '@clientele/domain/ports'
import {
  type LoginRefused,
  type SignedHandOver,
  judgeHandOver,
  loginRefused,
  maxHandOverLifetime,
  readEndUser,
} from '@clientele/domain/provider'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { LoginMethod, LoginRequest, ReturnedLogin } from './login-elsewhere.js'

/** The login of a host in the same process, as two functions. They may throw: the login is refused then. */
export type HostLogin = {
  /**
   * Returns the URL of the page that authenticates the end-user. It sends the browser to `redirectUri` with the
   * parameter `state`, whose value is `handle`. `memo` is returned to `complete`; the browser keeps it, sealed.
   */
  readonly begin: (request: LoginRequest) => Promise<{ readonly location: string; readonly memo?: string }>
  /** Returns the claims of the end-user, with sub; undefined refuses the login. */
  readonly complete: (returned: ReturnedLogin) => Promise<Readonly<Record<string, unknown>> | undefined>
}

const attempt = <A>(work: () => Promise<A>) =>
  TE.tryCatch(work, (error) =>
    loginRefused(`the login function of the host failed: ${error instanceof Error ? error.name : 'it threw no error'}`),
  )

export const createHostLogin = ({ begin, complete }: HostLogin, now: () => EpochSeconds): LoginMethod => ({
  name: 'host',
  offersAccounts: false,
  begin: (request) =>
    pipe(
      attempt(() => begin(request)),
      TE.map(({ location, memo = '' }) => ({ location, memo })),
    ),
  complete: (returned) =>
    pipe(
      attempt(() => complete(returned)),
      TE.filterOrElse(
        (claims) => claims !== undefined,
        () => loginRefused('the login function of the host refused the login'),
      ),
      TE.flatMapEither((claims) => readEndUser(claims, now())),
    ),
})

export type LoginPageSettings = {
  readonly issuer: string
  /** The URL of the page. */
  readonly page: string
  /** The algorithm of the ring that signs requests. */
  readonly alg: string
}

export type LoginPagePorts = TokenSigner & {
  readonly readHandOver: (response: string) => TE.TaskEither<LoginRefused, SignedHandOver>
  readonly now: () => EpochSeconds
  readonly identifier: () => string
}

const withParameter = (url: string, name: string, value: string): string => {
  const changed = new URL(url)
  changed.searchParams.set(name, value)
  return changed.href
}

// RFC 6749 §4.1.2.1: the characters of an error code
const noResponse = ({ error = '' }: ReturnedLogin['parameters']): LoginRefused =>
  loginRefused(
    /^[a-z_]{1,40}$/.test(error)
      ? `the login page answered with the error ${error}`
      : 'the login page returned no response',
  )

/** The login page: the request is the parameter `request` of its URL, and `response` that of the return. */
export const createLoginPage = (
  { issuer, page, alg }: LoginPageSettings,
  { signToken, readHandOver, now, identifier }: LoginPagePorts,
): LoginMethod => ({
  name: `page ${page}`,
  offersAccounts: false,
  begin: ({ handle, redirectUri, loginHint, uiLocales, maxAge }) => {
    const jti = identifier()
    const claims = {
      aud: page,
      jti,
      redirect_uri: withParameter(redirectUri, 'state', handle),
      ...(loginHint === undefined ? {} : { login_hint: loginHint }),
      ...(uiLocales === undefined ? {} : { ui_locales: uiLocales }),
      ...(maxAge === undefined ? {} : { max_age: maxAge }),
    }
    return pipe(
      signToken({ alg, typ: ownTokenTypes.loginRequest, claims, expiresAt: secondsAfter(now(), maxHandOverLifetime) }),
      TE.mapLeft(unavailable),
      TE.map((request) => ({ location: withParameter(page, 'request', request), memo: jti })),
    )
  },
  complete: ({ parameters, memo: nonce }) =>
    pipe(
      TE.fromNullable(noResponse(parameters))(parameters['response']),
      TE.flatMap(readHandOver),
      TE.flatMapEither((signed) => judgeHandOver({ page, issuer, nonce, at: now() })(signed)),
    ),
})
