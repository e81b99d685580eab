import { noRow } from '../examples/examples.js'
// What the contracts leave to a store: the order of entries that several steps add at once, and what follows from it.
import { defaultNotificationLimits } from '@clientele/domain/logout'
import type { StoragePorts } from '@clientele/domain/ports'
import type { RegisteredClient } from '@clientele/domain/registration'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import { listed } from '../contracts/contract.js'
import { sorted } from './text-of.js'

const all = 1_000

async function* eachOf(
  clients: Promise<ReadonlyArray<RegisteredClient>>,
): AsyncIterable<E.Either<never, RegisteredClient>> {
  for (const client of sorted(await clients)) yield E.right(client)
}

/**
 * The ports, where nothing depends on the order in which entries were added. A list of clients, or of parked ones, may
 * have them in any order if they are added at once. So may the notifications of sessions that end at once; these ends do
 * not see each other's notifications either, so that the next end removes those above the limits.
 */
export const unordered = (ports: StoragePorts): StoragePorts => {
  const { registry, clientUses, clientSearch, endUserSessions, sessionTermination, pendingNotifications } = ports
  return {
    ...ports,
    registry: { ...registry, streamClients: () => eachOf(listed(registry)) },
    clientUses: {
      ...clientUses,
      listParked: (due, max) => pipe(clientUses.listParked(due, max), TE.map(sorted)),
      listRemoved: (since, page) =>
        pipe(
          clientUses.listRemoved(since, page),
          TE.map(({ clients }) => ({ clients: sorted(clients) })),
        ),
    },
    clientSearch: {
      ...clientSearch,
      searchClients: (filter, at, page) =>
        pipe(
          clientSearch.searchClients(filter, at, page),
          TE.map(({ clients }) => ({ clients: sorted(clients) })),
        ),
    },
    endUserSessions: {
      ...endUserSessions,
      listSessions: (sub) => pipe(endUserSessions.listSessions(sub), TE.map(sorted)),
    },
    sessionTermination: {
      ...sessionTermination,
      endSession: (ended) =>
        sessionTermination.endSession({ ...ended, notificationLimits: defaultNotificationLimits }, noRow),
    },
    pendingNotifications: {
      ...pendingNotifications,
      claimDue: (at, claim) => pipe(pendingNotifications.claimDue(at, claim, all), TE.map(sorted)),
      listNotifications: (max) => pipe(pendingNotifications.listNotifications(max), TE.map(sorted)),
    },
  }
}
