import type { NoticeLimits } from './notice-limits.js'

/** What the operator decides about logout. */
export type LogoutPolicy = {
  /** The provider, as ID tokens name it in iss. */
  readonly issuer: string
  /** Seconds after which an expired hint does not count any more; 0 is never. */
  readonly hintMaxAge: number
  /** Seconds in which a dialog can be answered. */
  readonly dialogLifetime: number
  /** Whether logout tokens are sent to applications. */
  readonly backchannel: boolean
  readonly noticeLimits: NoticeLimits
  /** Whether grants for offline access end with the session that gave them. */
  readonly endsOfflineAccess: boolean
}
