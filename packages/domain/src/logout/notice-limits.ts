/** How many notices may be owed. Beyond that those that were written first give way, of the client or of all. */
export type NoticeLimits = { readonly maxPerClient: number; readonly maxInAll: number }

/** An application that is down for hours misses nothing; and whoever signs in and out for ever does not fill the disk. */
export const usualNoticeLimits: NoticeLimits = { maxPerClient: 10_000, maxInAll: 100_000 }
