import type { RegistrationMode } from './authorization/authorize-registrant.js'
import type { CredentialPolicy } from './client/registered-client.js'

/** What the operator decides about registration. The endpoint is an absolute URL without a trailing slash. */
export type RegistrationSettings = {
  readonly mode: RegistrationMode
  readonly credentials: CredentialPolicy
  readonly registrationEndpoint: string
  /** Seconds that an initial access token lives when its request does not say. */
  readonly initialAccessTokenLifetime: number
}
