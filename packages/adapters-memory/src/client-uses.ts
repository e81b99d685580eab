import {
  type ClientId,
  type ClientUses,
  type DueRemoval,
  type EpochSeconds,
  type RegisteredClient,
  type Registration,
  clientIdTaken,
  isOpenClient,
  isSuspended,
  listedClient,
  unknownClient,
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

const keepAside = ({ removedClients }: State, client: RegisteredClient, removed_at: EpochSeconds): void => {
  const position = Math.max(0, ...[...removedClients.values()].map((each) => each.position)) + 1
  removedClients.delete(client.client_id)
  removedClients.set(client.client_id, { client, removed_at, position })
}

const restoring = (state: State): Pick<ClientUses, 'listRemoved' | 'restoreRemoved' | 'forgetRemoved'> => ({
  listRemoved: (since, { after, max }) =>
    step(() => {
      const found = [...state.removedClients.values()].filter(
        (each) => each.removed_at > since && each.position > after,
      )
      const clients = found.slice(0, max).map(({ client, removed_at }) => ({
        client: listedClient(client, { last_use: undefined, parked: true }),
        removed_at,
      }))
      const last = found[max - 1]
      return E.right(found.length > max && last !== undefined ? { clients, next: last.position } : { clients })
    }),
  restoreRemoved: (id, { since, at, tombstone }, audit) =>
    step(() => {
      const kept = state.removedClients.get(id)
      if (kept === undefined || kept.removed_at <= since) return E.left(unknownClient)
      if (state.clients.has(id)) return E.left(clientIdTaken)
      state.removedClients.delete(id)
      if (tombstone !== undefined) state.tombstones.delete(tombstone)
      state.clients.set(id, { ...kept.client, waits_since: at })
      state.positions.of.delete(kept.client.registration_id)
      state.unusedOpenClients.set(id, undefined)
      writeAudit(state, audit)
      return E.right(undefined)
    }),
  forgetRemoved: (until, max) =>
    step(() => {
      const over = [...state.removedClients]
        .filter(([, { removed_at }]) => removed_at <= until)
        .sort(([, one], [, other]) => one.removed_at - other.removed_at)
        .slice(0, max)
      for (const [id] of over) state.removedClients.delete(id)
      return E.right(over.length)
    }),
})

const sweeping = (state: State): Pick<ClientUses, 'parkUnused' | 'listParked' | 'countParked' | 'removeParked'> => ({
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
  countParked: (due, max) => step(() => E.right(Math.min(max, dueOf(state, due).length))),
  removeParked: (registration, due, tombstone, removedAt, audit) =>
    step(() => {
      const client = dueOf(state, due).find(({ registration_id }) => registration_id === registration.registration_id)
      if (client === undefined) return E.right(false)
      remove(state, registration, tombstone)
      if (removedAt !== undefined) keepAside(state, client, removedAt)
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
  ...restoring(state),
  isRemembered: (id, at) =>
    step(() => {
      const until = state.tombstones.get(id)
      return E.right(until !== undefined && at < until)
    }),
})
