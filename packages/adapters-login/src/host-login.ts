import type { EpochSeconds } from '@clientele/domain/kernel'
import { loginRefused, readEndUser } from '@clientele/domain/provider'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { LoginMethod, LoginRequest, ReturnedLogin } from './login-method.js'

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
