// The conditions of unused clients of open registration in SQL, in which both databases agree.

/** The value of the column unused_open of a parked client; it is 1 for another open client before its first use, and else 0. */
export const parkedMark = 2

/** Since when an unused client waits, as the indexes have it: waitsSince of the domain. */
export const waitsSinceColumn = 'coalesce(waits_since, client_id_issued_at)'

/** A client that may be parked. */
export const mayBeParked = `unused_open = 1 AND suspended_at IS NULL AND registered_by = 'nobody'`

/** A parked client that may be removed: not one that an operator registered, or an import brought. */
export const mayBeRemoved = `unused_open = ${parkedMark} AND suspended_at IS NULL AND registered_by = 'nobody' AND imported = 0`

/** The days of its notice, as the index has them; longer than every notice for a client that was parked without one. */
export const noticeColumn = 'coalesce(notice, 1000000)'

/** A parked client whose removal is due (DueRemoval). */
export const isDue = `${mayBeRemoved} AND ${waitsSinceColumn} <= :waitsSince AND parked_at <= :parkedUntil AND notice <= :notice`
export const dueTypes = { waitsSince: 'number', parkedUntil: 'number', notice: 'number' } as const
