/**
 * The maximum numbers of pending logout notifications. Above them, the oldest of the client, or of all, are removed.
 */
export type NotificationLimits = { readonly maxPerClient: number; readonly maxInAll: number }

/**
 * An application that is down for hours loses no notification, and repeated sign-ins and logouts do not fill the disk.
 */
export const defaultNotificationLimits: NotificationLimits = { maxPerClient: 10_000, maxInAll: 100_000 }

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
