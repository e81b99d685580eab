// The use of a client: written at the first one, and at the first of a UTC day.
import type { EpochSeconds } from '@clientele/domain/kernel'
import { observedDaysKept, useTime } from '@clientele/domain/life-cycle'
import { change, together } from './statement.js'
import type { Tx } from './verb.js'

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
