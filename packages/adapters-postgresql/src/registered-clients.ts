import { type EpochSeconds, type Registration, observedDaysKept, useTime } from '@clientele/domain'
import * as t from 'io-ts'
import type { Query } from './database.js'

// Locks the client against removal until the transaction ends.
const selectOrdinal = {
  name: 'select_client_ordinal',
  text: 'SELECT ordinal FROM clients WHERE client_id = $1 AND registration_id = $2 FOR KEY SHARE',
}
/** Makes the UTC day of the value an observed one; of several that do so at once, one waits for the other. */
export const observeDayIf = (condition: string, day: string): string => `, forgotten AS (
  DELETE FROM observed_days WHERE day < ${day}::bigint - ${observedDaysKept} AND ${condition}
)
INSERT INTO observed_days (day)
SELECT ${day}::bigint WHERE ${condition} AND NOT EXISTS (SELECT 1 FROM observed_days WHERE day = ${day})
ON CONFLICT DO NOTHING`

// Writes only at the first use, and at the first of a UTC day.
// A lock beside which others record something for the client: `FOR UPDATE` would wait for them, and they for it.
const updateUsed = {
  name: 'use_clients',
  text: `
WITH used AS (
  UPDATE clients SET unused_open = 0, used_at = greatest(used_at, $2) WHERE ordinal IN
    (SELECT ordinal FROM clients
     WHERE ordinal = ANY ($1::bigint[]) AND (unused_open > 0 OR used_at IS NULL OR used_at < $2) ORDER BY ordinal
     FOR NO KEY UPDATE)
  RETURNING 1
)${observeDayIf('EXISTS (SELECT 1 FROM used)', '$2')}`,
}

const Found = t.type({ ordinal: t.number })

/** The client of this registration, if it is registered. */
export const ordinalOf = async (
  query: Query,
  { client_id, registration_id }: Registration,
): Promise<number | undefined> => {
  const [row] = await query(selectOrdinal, [client_id, registration_id])
  return Found.is(row) ? row.ordinal : undefined
}

/** The clients count as used from now on. */
export const useClients = async (query: Query, ordinals: ReadonlyArray<number>, at: EpochSeconds): Promise<void> => {
  await query(updateUsed, [ordinals, useTime(at)])
}
