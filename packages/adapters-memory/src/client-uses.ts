import {
  type ClientId,
  type ClientUses,
  type DueRemoval,
  type EpochSeconds,
  type RegisteredClient,
  type Registration,
  isOpenClient,
  isSuspended,
  waitsSince,
} from '@clientele/domain'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { writeAudit } from './audit-log.js'
import { remove } from './client-registry.js'
import { type State, isRegistered, observeDay, useClient, useOf } from './state.js'
import { step } from './step.js'

const namesOf = ({ client_id, registration_id }: RegisteredClient): Registration => ({ client_id, registration_id })

/** In the order in which they wait. */
const longestFirst = (clients: ReadonlyArray<RegisteredClient>): ReadonlyArray<RegisteredClient> =>
  [...clients].sort((one, other) => waitsSince(one) - waitsSince(other))

const waiting = (
  { clients }: State,
  ids: { readonly has: (id: ClientId) => boolean },
  until: EpochSeconds,
): ReadonlyArray<RegisteredClient> =>
  longestFirst(
    [...clients.values()].filter(
      (client) =>
        ids.has(client.client_id) && isOpenClient(client) && !isSuspended(client) && waitsSince(client) <= until,
    ),
  )

const isImported = ({ provenance }: RegisteredClient): boolean => provenance?.imported === true

const withLongerNotice = ({ clients, parkedClients }: State, notice: number): ReadonlyArray<RegisteredClient> =>
  [...clients.values()]
    .filter((client) => isOpenClient(client) && !isSuspended(client) && !isImported(client))
    .filter(({ client_id }) => (parkedClients.get(client_id)?.notice ?? 0) > notice)

const dueOf = (state: State, { waitsSince: until, parkedUntil, notice }: DueRemoval): ReadonlyArray<RegisteredClient> =>
  waiting(state, state.parkedClients, until).filter((client) => {
    const parked = state.parkedClients.get(client.client_id)
    return !isImported(client) && parked !== undefined && parked.at <= parkedUntil && parked.notice <= notice
  })

const sweeping = (state: State): Pick<ClientUses, 'parkUnused' | 'listParked' | 'removeParked'> => ({
  parkUnused: ({ waitsSince: until, at, notice }, max) =>
    step(() => {
      const parked = [
        ...waiting(state, state.unusedOpenClients, until).slice(0, max),
        ...withLongerNotice(state, notice).slice(0, max),
      ]
      for (const { client_id } of parked) {
        state.unusedOpenClients.delete(client_id)
        state.parkedClients.set(client_id, { at, notice })
      }
      return E.right(parked.length)
    }),
  listParked: (due, max) => step(() => E.right(dueOf(state, due).slice(0, max).map(namesOf))),
  removeParked: (registration, due, tombstone, audit) =>
    step(() => {
      const isDue = dueOf(state, due).some(({ registration_id }) => registration_id === registration.registration_id)
      if (!isDue) return E.right(false)
      remove(state, registration, tombstone)
      writeAudit(state, audit)
      return E.right(true)
    }),
})

export const inMemoryClientUses = (state: State): ClientUses => ({
  recordUse: (registration, at) =>
    step(() => {
      if (isRegistered(state)(registration)) useClient(state, registration.client_id, at)
      return E.right(undefined)
    }),
  observeDay: (at) => step(() => E.right(observeDay(state, at))),
  observedDays: (until, max) =>
    step(() =>
      E.right(
        [...state.observedDays]
          .filter((day) => day <= until)
          .sort((one, other) => other - one)
          .slice(0, max),
      ),
    ),
  findUses: (ids) =>
    step(() =>
      E.right(
        [...new Set(ids)]
          .flatMap((id) => state.clients.get(id) ?? [])
          .map((client) => ({ ...namesOf(client), ...useOf(state, client) })),
      ),
    ),
  findUnused: (fingerprint) =>
    step(() => {
      const found = [...state.unusedOpenClients].find(([, each]) => each === fingerprint)
      return E.right(O.fromNullable(found && state.clients.get(found[0])))
    }),
  ...sweeping(state),
  isRemembered: (id, at) =>
    step(() => {
      const until = state.tombstones.get(id)
      return E.right(until !== undefined && at < until)
    }),
})
