// The texts of clients for search, written after the registration. One that another instance is writing is left to it.
import { searchTexts } from '@clientele/domain'
import { fromListedRow, listedColumns } from '@clientele/stored-rows'
import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import type { Write } from './database.js'

const selectDue = {
  name: 'select_clients_to_index',
  text: `
SELECT ${listedColumns}, version FROM clients WHERE search_version IS DISTINCT FROM version
ORDER BY ordinal LIMIT $1 FOR NO KEY UPDATE SKIP LOCKED`,
}
const updateTexts = {
  name: 'index_client_texts',
  text: `
UPDATE clients SET search_text = given.text, search_version = given.version
FROM unnest($1::bigint[], $2::text[], $3::bigint[]) AS given (ordinal, text, version)
WHERE clients.ordinal = given.ordinal`,
}

const Due = t.type({ version: t.number })

/** Running it again has the same result. */
export const indexingOf = (max: number): Write<never, number> => ({
  run: async (query) => {
    const due = (await query(selectDue, [max])).flatMap((row) =>
      fromListedRow(row).map((placed) => ({ ...placed, version: Due.is(row) ? row.version : 0 })),
    )
    if (due.length > 0)
      await query(updateTexts, [
        due.map(({ position }) => position),
        due.map(({ client }) => searchTexts(client).join('\n')),
        due.map(({ version }) => version),
      ])
    return E.right(due.length)
  },
})
