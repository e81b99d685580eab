import type { EpochSeconds } from '../codec/epoch-seconds.js'
import type { JsonObject } from '../codec/json-object.js'
import type { Subject } from '../sessions/end-user-session.js'
import type { LogoutElsewhere } from './logout-elsewhere.js'

/** An end-user whom a login method authenticated. */
export type AuthenticatedEndUser = {
  readonly sub: Subject
  /** OpenID Core §5.1: claims beside sub. */
  readonly claims: JsonObject
  readonly auth_time: EpochSeconds
  /** OpenID Core §2 */
  readonly acr?: string
  readonly amr?: ReadonlyArray<string>
  /** The logout at the OpenID provider that authenticated the end-user. */
  readonly logoutElsewhere?: LogoutElsewhere
}
