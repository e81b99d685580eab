import { type ClientFilter, type FilterFacts, type FoundClients, matches } from '@clientele/domain'
import { fromListedRow } from './listed-row.js'

/** What a store looked at: the rows that may match, and where it ended; `end` is left out at the last client. */
export type LookedAt = { readonly rows: ReadonlyArray<unknown>; readonly end?: number }

/** The page of these rows: at most so many clients, and none is passed over. */
export const foundPage =
  (filter: ClientFilter, facts: FilterFacts, limit: number) =>
  ({ rows, end }: LookedAt): FoundClients => {
    const isMatch = matches(filter, facts)
    const found = rows.flatMap(fromListedRow).filter(({ client }) => isMatch(client))
    const page = found.slice(0, limit)
    const clients = page.map(({ client }) => client)
    const next = found.length > limit ? page.at(-1)?.position : end
    return next === undefined ? { clients } : { clients, next }
  }
