// A page of the host, to which each request goes signed, and from which each response comes signed.
import { type EpochSeconds, secondsAfter, unavailable } from '@clientele/domain/kernel'
import { type UnsignedToken, ownTokenTypes } from '@clientele/domain/keys'
import type { TokenSigner } from '@clientele/domain/ports'
import {
  type LoginRefused,
  type SignedHandOver,
  judgeHandOver,
  loginRefused,
  maxHandOverLifetime,
} from '@clientele/domain/provider'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { LoginMethod, LoginRequest } from './login-method.js'

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

type Hints = Pick<LoginRequest, 'loginHint' | 'uiLocales' | 'maxAge'>

const hintsOf = ({ loginHint, uiLocales, maxAge }: Hints): UnsignedToken['claims'] => ({
  ...(loginHint === undefined ? {} : { login_hint: loginHint }),
  ...(uiLocales === undefined ? {} : { ui_locales: uiLocales }),
  ...(maxAge === undefined ? {} : { max_age: maxAge }),
})

// RFC 6749 §4.1.2.1: the characters of an error code
const errorOf = (parameters: Readonly<Record<string, string>>): string => {
  const { error = '' } = parameters
  return /^[a-z_]{1,40}$/.test(error)
    ? `the login page answered with the error ${error}`
    : 'the login page returned no response'
}

/** The login page: the request is the parameter `request` of its URL, and `response` that of the return. */
export const createLoginPage = (
  { issuer, page, alg }: LoginPageSettings,
  { signToken, readHandOver, now, identifier }: LoginPagePorts,
): LoginMethod => ({
  name: `page ${page}`,
  begin: ({ handle, redirectUri, ...hints }) => {
    const jti = identifier()
    const redirect_uri = withParameter(redirectUri, 'state', handle)
    const claims = { aud: page, jti, redirect_uri, ...hintsOf(hints) }
    return pipe(
      signToken({ alg, typ: ownTokenTypes.loginRequest, claims, expiresAt: secondsAfter(now(), maxHandOverLifetime) }),
      TE.mapLeft(unavailable),
      TE.map((request) => ({ location: withParameter(page, 'request', request), memo: jti })),
    )
  },
  complete: ({ parameters, memo: nonce }) =>
    pipe(
      TE.fromNullable(loginRefused(errorOf(parameters)))(parameters['response']),
      TE.flatMap(readHandOver),
      TE.flatMapEither((signed) => judgeHandOver({ page, issuer, nonce, at: now() })(signed)),
    ),
})
