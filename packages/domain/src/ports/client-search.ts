// Finding clients among very many. Each verb reads a limited number of them, so that other operations go on.
import type * as O from 'fp-ts/lib/Option.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import type { ClientId } from '../client/client-id.js'
import type { Unavailable } from '../errors.js'
import type { ClientFilter, FilterFacts } from '../managing/client-filter.js'
import type { ListedClient } from '../managing/listed-client.js'

/** Clients have increasing positions in the order of their registration, which never change. */
export type ClientRange = {
  /** The position before the first. */
  readonly after: number
  /** The position of the last; left out for the last of all. */
  readonly until?: number
  readonly limit: number
}

export type FoundClients = {
  readonly clients: ReadonlyArray<ListedClient>
  /** Where the next page begins; left out after the last. A page may have fewer clients than the limit, also none. */
  readonly next?: number
}

export type ClientSearch = {
  /**
   * The clients that `matches` selects, in the order of registration, by pages: those of all pages together are those of
   * the whole list that were there all the time.
   */
  readonly searchClients: (
    filter: ClientFilter,
    facts: FilterFacts,
    range: ClientRange,
  ) => TE.TaskEither<Unavailable, FoundClients>
  readonly findListedClient: (id: ClientId) => TE.TaskEither<Unavailable, O.Option<ListedClient>>
  /** The position of the last client; 0 where there is none. */
  readonly lastPosition: TE.TaskEither<Unavailable, number>
  /**
   * Makes the texts of up to so many clients ready for fast search; a search finds the others as well. Returns their
   * number: 0 if all are.
   */
  readonly indexTexts: (max: number) => TE.TaskEither<Unavailable, number>
}
