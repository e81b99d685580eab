/**
 * The maximum numbers of pending logout notifications. Above them, the oldest of the client, or of all, are removed.
 */
export type NotificationLimits = { readonly maxPerClient: number; readonly maxInAll: number }

/**
 * An application that is down for hours loses no notification, and repeated sign-ins and logouts do not fill the disk.
 */
export const defaultNotificationLimits: NotificationLimits = { maxPerClient: 10_000, maxInAll: 100_000 }
