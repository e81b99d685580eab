// How end-users sign in. The authorization server has no directory of passwords of its own.
import type * as TE from 'fp-ts/lib/TaskEither.js'
import type { JsonObject } from '../codec/json-object.js'
import type { Unavailable } from '../errors.js'
import type { AuthenticatedEndUser } from './interactions.js'

/** The login was refused or failed; `reason` is for the log, and contains no secret. */
export type LoginRefused = { readonly error: 'login_refused'; readonly reason: string }

/** A login that began at another page, and the value that its browser returns with: sealed, for this browser alone. */
export type BegunLogin = { readonly location: string; readonly state: string }

export type LoginElsewhere = {
  readonly kind: 'elsewhere'
  /** The URL of the page of the other party, for an interaction. `redirectUri` is where it sends the browser back. */
  readonly begin: (request: {
    readonly interaction: string
    readonly redirectUri: string
    readonly loginHint: string | undefined
    readonly uiLocales: string | undefined
  }) => TE.TaskEither<LoginRefused | Unavailable, BegunLogin>
  /** Reads the returned parameters against the state of the browser; the interaction is that of `begin`. */
  readonly complete: (returned: {
    readonly state: string
    readonly parameters: Readonly<Record<string, string>>
    readonly redirectUri: string
  }) => TE.TaskEither<
    LoginRefused | Unavailable,
    { readonly interaction: string; readonly endUser: AuthenticatedEndUser }
  >
}

export type EndUserLogin =
  /** A page asks for a name and a password: for development only, which the page says. */
  | {
      readonly kind: 'development'
      readonly check: (given: {
        readonly username: string
        readonly password: string
      }) => TE.TaskEither<LoginRefused | Unavailable, { readonly endUser: AuthenticatedEndUser }>
      /** The accounts, for a page that helps developers. */
      readonly accounts: ReadonlyArray<{ readonly username: string; readonly claims: JsonObject }>
    }
  | LoginElsewhere
