import type { KeyPolicy, LogoutPolicy, RegistrationSettings, SessionLifetimes, TokenHash } from '@clientele/domain'
import type { operatorAlone } from './http/bearer.js'

export type LogoutSettings = {
  readonly policy: LogoutPolicy
  /** The end-session endpoint after the base URL, as '/logout'; without it there is none. */
  readonly path: string | undefined
  readonly sessions: SessionLifetimes
}

/** What never changes while the service runs, and is served as it is. */
export type PublishedDocument = {
  /** After the base URL, as '/playground'. */
  readonly path: string
  /** Content-Type, and whatever else a browser has to know of it. */
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

/** What the operator decides about the HTTP side. */
export type HttpSettings = {
  readonly registration: RegistrationSettings
  readonly keyPolicy: KeyPolicy
  /** The digest of the master token, or that the operator alone can send a request. */
  readonly masterToken: TokenHash | typeof operatorAlone
  /** The path of the base URL: '' or as '/op'. */
  readonly basePath: string
  readonly registrationStatus: 200 | 201
  readonly logout: LogoutSettings
  /** Origins whose pages may call the registration endpoints. */
  readonly corsOrigins: ReadonlyArray<string>
  /** What everybody is served beside the endpoints. */
  readonly documents?: ReadonlyArray<PublishedDocument>
}
