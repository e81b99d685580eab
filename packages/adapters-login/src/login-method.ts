import type { Unavailable } from '@clientele/domain/kernel'
import type { AuthenticatedEndUser, LoginRefused } from '@clientele/domain/provider'
import type * as TE from 'fp-ts/lib/TaskEither.js'

export type LoginRequest = {
  readonly interaction: string
  /** The parameter `state` with which the browser must return. */
  readonly handle: string
  readonly redirectUri: string
  readonly loginHint: string | undefined
  readonly uiLocales: string | undefined
  /** OpenID Core §3.1.2.1 */
  readonly maxAge: number | undefined
  /** Whether the end-user asks for another account than the one that was refused. */
  readonly otherAccount: boolean
}

export type ReturnedLogin = {
  readonly handle: string
  readonly interaction: string
  readonly redirectUri: string
  readonly parameters: Readonly<Record<string, string>>
  /** The text of `begin`. */
  readonly memo: string
}

/** A way in which another party authenticates end-users; its state is what `createLoginElsewhere` seals. */
export type LoginMethod = {
  /** Names the party: a login that began at another one is refused. */
  readonly name: string
  /** `memo` is returned to `complete`. */
  readonly begin: (
    request: LoginRequest,
  ) => TE.TaskEither<LoginRefused | Unavailable, { readonly location: string; readonly memo: string }>
  readonly complete: (returned: ReturnedLogin) => TE.TaskEither<LoginRefused | Unavailable, AuthenticatedEndUser>
}
