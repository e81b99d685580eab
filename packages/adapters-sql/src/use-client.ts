// The use of a client in its row: the conditions of unused clients of open registration, in which both databases agree, and
// the statements that record a use.
import type { EpochSeconds } from '@clientele/domain/kernel'
import { observedDaysKept, useTime } from '@clientele/domain/life-cycle'
import { change, together } from './statement.js'
import type { Tx } from './verb.js'

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

// A use is written at the first one, and at the first of a UTC day.
export const setUsed = 'unused_open = 0, used_at = CASE WHEN used_at > :day THEN used_at ELSE :day END'
export const isUsedBefore = '(unused_open > 0 OR used_at IS NULL OR used_at < :day)'
const updateUsed = together(
  change(`UPDATE clients SET ${setUsed} WHERE ordinal = :ordinal AND ${isUsedBefore}`, {
    ordinal: 'number',
    day: 'number',
  }),
)
const insertDay = change('INSERT INTO observed_days (day) VALUES (:day) ON CONFLICT DO NOTHING', { day: 'number' })
const forgetDays = change('DELETE FROM observed_days WHERE day < :day', { day: 'number' })

/** A use on the day would be recorded. */
export const observeDay = async (tx: Tx, at: EpochSeconds): Promise<void> => {
  const day = useTime(at)
  if ((await tx.run(insertDay, { day })) > 0) await tx.run(forgetDays, { day: day - observedDaysKept })
}

/** The client of the ordinal counts as used from now on, unless it did already. The verb relies on the client. */
export const useClient = async (tx: Tx, ordinal: number, at: EpochSeconds): Promise<void> => {
  if ((await tx.run(updateUsed, { ordinal, day: useTime(at) })) > 0) await observeDay(tx, at)
}

/** The same of several clients. */
export const useClients = async (tx: Tx, ordinals: ReadonlyArray<number>, at: EpochSeconds): Promise<void> => {
  const used = await Promise.all(ordinals.map(async (ordinal) => tx.run(updateUsed, { ordinal, day: useTime(at) })))
  if (used.some((rows) => rows > 0)) await observeDay(tx, at)
}

/** The same of a client whose use was elsewhere: it shows nothing of the days here. */
export const useElsewhere = async (tx: Tx, ordinal: number, at: EpochSeconds): Promise<void> => {
  await tx.run(updateUsed, { ordinal, day: useTime(at) })
}
