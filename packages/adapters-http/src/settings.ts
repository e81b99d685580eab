import type { TokenHash } from '@clientele/domain/authorization'
import type { KeyPolicy } from '@clientele/domain/keys'
import type { LogoutPolicy, SessionLifetimes } from '@clientele/domain/logout'
import type { RegistrationSettings } from '@clientele/domain/registration'

export type LogoutSettings = {
  readonly policy: LogoutPolicy
  /**
   * The path of the end-session endpoint after the base URL, for example '/logout'; undefined disables the endpoint.
   */
  readonly path: string | undefined
  readonly sessions: SessionLifetimes
}

/** A static document of the service. */
export type PublishedDocument = {
  /** The path after the base URL, for example '/playground'. */
  readonly path: string
  /** Content-Type and other headers of the document. */
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

/** The operator's settings for the HTTP side. */
export type HttpSettings = {
  readonly registration: RegistrationSettings
  readonly keyPolicy: KeyPolicy
  /** The digests of the master tokens, of which several may count at once. */
  readonly masterToken: TokenHash | ReadonlyArray<TokenHash>
  /** The way by which only the operator of the machine can send requests: one without a token is the operator's. */
  readonly operatorAlone?: 'socket' | 'command'
  /** The path of the base URL: '' or, for example, '/op'. */
  readonly basePath: string
  readonly registrationStatus: 200 | 201
  /** Whether the answers to a registration and an update have its warnings as a member; not unless it is set. */
  readonly answersWithWarnings?: boolean
  readonly logout: LogoutSettings
  /** Origins whose pages may call the registration endpoints. */
  readonly corsOrigins: ReadonlyArray<string>
  /** Whether GET /clients is on the public port beside a management port; true unless it is set. */
  readonly listsClientsPublicly?: boolean
  /** Documents that are public beside the endpoints. */
  readonly documents?: ReadonlyArray<PublishedDocument>
}
