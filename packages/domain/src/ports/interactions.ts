// Authorization requests that wait for the end-user: OpenID Connect Core §3.1.2.3 and §3.1.2.4.
import type * as TE from 'fp-ts/lib/TaskEither.js'
import type { JsonObject } from '../codec/json-object.js'
import type { TooManyRequests, Unavailable } from '../errors.js'
import type { AuthenticatedEndUser } from '../login/authenticated-end-user.js'
import type { RegisteredClient } from '../registration/registered-client.js'
import type { Subject } from '../sessions/end-user-session.js'

/** There is no such interaction any more, or it belongs to another browser. */
export type InteractionGone = { readonly error: 'interaction_gone' }
export const interactionGone: InteractionGone = { error: 'interaction_gone' }

export type InteractionRefusal = InteractionGone | TooManyRequests | Unavailable

export type Interaction = {
  /** In the path of its pages. */
  readonly id: string
  /** What the authorization server waits for. */
  readonly prompt: 'login' | 'consent'
  readonly client: RegisteredClient
  /** The redirection URI of this request. */
  readonly redirectUri: string
  /** The requested scope values to which the end-user did not consent yet. */
  readonly scope: ReadonlyArray<string>
  /** RFC 8707 §2: the same by resource. */
  readonly resources: Readonly<Record<string, ReadonlyArray<string>>>
  /** The end-user who is signed in; present for consent. */
  readonly sub?: Subject
  /** The claims of that end-user from the last login. */
  readonly claims?: JsonObject
  /** OpenID Core §3.1.2.1: the request has prompt=consent, so that no earlier consent or policy skips the page. */
  readonly mustAsk?: boolean
  /** OpenID Core §3.1.2.1 */
  readonly uiLocales?: string
  /** OpenID Core §3.1.2.1 */
  readonly loginHint?: string
  /** OpenID Core §3.1.2.1: the maximum age of the authentication in seconds; 0 for prompt=login. */
  readonly maxAge?: number
}

export type InteractionAnswer =
  | { readonly answer: 'signed_in'; readonly endUser: AuthenticatedEndUser }
  /** With the shown facts, which are recorded with the consent. */
  | { readonly answer: 'consented'; readonly shown: JsonObject }
  | { readonly answer: 'denied' }

/** Where the browser goes on, and the Set-Cookie fields of that response. */
export type AnsweredInteraction = { readonly location: string; readonly setCookies: ReadonlyArray<string> }

/** The browser of a request: the value of its Cookie field. */
export type BrowserCookies = { readonly cookie: string | undefined }

export type Interactions = {
  readonly findInteraction: (id: string, browser: BrowserCookies) => TE.TaskEither<InteractionRefusal, Interaction>
  /** The interaction can be answered once. `signed_in` also starts the end-user session. */
  readonly answerInteraction: (
    id: string,
    browser: BrowserCookies,
    answer: InteractionAnswer,
  ) => TE.TaskEither<InteractionRefusal, AnsweredInteraction>
}
