import type { NotificationLimits } from './notification-limits.js'

/** The operator's settings for logout. */
export type LogoutPolicy = {
  /** The provider: the claim iss of its ID tokens. */
  readonly issuer: string
  /** Seconds for which an expired hint is accepted; 0 for unlimited. */
  readonly hintMaxAge: number
  /** Seconds in which the confirmation page can be answered. */
  readonly confirmationLifetime: number
  /** Whether logout tokens are sent to applications. */
  readonly backchannel: boolean
  readonly notificationLimits: NotificationLimits
  /** Whether authorizations for offline access end with their session. */
  readonly endsOfflineAccess: boolean
}
