// How end-users sign in. The authorization server has no directory of passwords of its own.
import type * as TE from 'fp-ts/lib/TaskEither.js'
import type { JsonObject } from '../codec/json-object.js'
import type { Unavailable } from '../errors.js'
import type { LoginRefused } from '../login/login-refused.js'
import type { AuthenticatedEndUser } from '../login/authenticated-end-user.js'

/** A login that began at another page. */
export type BegunLogin = {
  /** Where the browser goes. */
  readonly location: string
  /** The parameter `state` with which the browser returns: it tells the logins of one browser apart. */
  readonly handle: string
  /** Sealed, for a cookie of this browser alone; the handle and the interaction are in it. */
  readonly state: string
}

export type LoginElsewhere = {
  readonly kind: 'elsewhere'
  /** The URL of the page of the other party, for an interaction. `redirectUri` is where it sends the browser back. */
  readonly begin: (request: {
    readonly interaction: string
    readonly redirectUri: string
    readonly loginHint: string | undefined
    readonly uiLocales: string | undefined
    /** OpenID Core §3.1.2.1: the maximum age of the authentication in seconds; 0 for prompt=login. */
    readonly maxAge?: number | undefined
    /** Whether the end-user asks for another account than the one that was refused. */
    readonly otherAccount?: boolean
  }) => TE.TaskEither<LoginRefused | Unavailable, BegunLogin>
  /**
   * Reads the returned parameters against the state of the browser; the interaction is that of `begin`. One response is
   * good for that interaction only, which can be answered once.
   */
  readonly complete: (returned: {
    readonly state: string
    readonly parameters: Readonly<Record<string, string>>
    readonly redirectUri: string
  }) => TE.TaskEither<
    LoginRefused | Unavailable,
    { readonly interaction: string; readonly endUser: AuthenticatedEndUser }
  >
}

export type DevelopmentAccount = { readonly username: string; readonly claims: JsonObject }

export type EndUserLogin =
  /** A page asks for a name and a password: for development only, which the page says. */
  | {
      readonly kind: 'development'
      readonly check: (given: {
        readonly username: string
        readonly password: string
      }) => TE.TaskEither<LoginRefused | Unavailable, { readonly endUser: AuthenticatedEndUser }>
      /** The present accounts, for a page that helps developers. */
      readonly listAccounts: TE.TaskEither<Unavailable, ReadonlyArray<DevelopmentAccount>>
    }
  | LoginElsewhere
