import {
  type ClientId,
  type ClientUses,
  type EpochSeconds,
  type RegisteredClient,
  type Registration,
  isSuspended,
} from '@clientele/domain'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { writeAudit } from './audit-log.js'
import { remove } from './client-registry.js'
import { type State, isRegistered, useClient } from './state.js'
import { step } from './step.js'

const namesOf = ({ client_id, registration_id }: RegisteredClient): Registration => ({ client_id, registration_id })

/** The clients of these ids that the operator has not suspended, registered until then, in the order of registration. */
const due = (
  { clients }: State,
  ids: { readonly has: (id: ClientId) => boolean },
  registeredUntil: EpochSeconds,
  max: number,
): ReadonlyArray<RegisteredClient> =>
  [...clients.values()]
    .filter((client) => ids.has(client.client_id) && !isSuspended(client))
    .filter(({ client_id_issued_at }) => client_id_issued_at <= registeredUntil)
    .slice(0, max)

const sweeping = (state: State): Pick<ClientUses, 'parkUnused' | 'listParked' | 'removeParked'> => ({
  parkUnused: (registeredUntil, max) =>
    step(() => {
      const parked = due(state, state.unusedOpenClients, registeredUntil, max)
      for (const { client_id } of parked) {
        state.unusedOpenClients.delete(client_id)
        state.parkedClients.add(client_id)
      }
      return E.right(parked.length)
    }),
  listParked: (registeredUntil, max) =>
    step(() => E.right(due(state, state.parkedClients, registeredUntil, max).map(namesOf))),
  removeParked: (registration, tombstone, audit) =>
    step(() => {
      const client = state.clients.get(registration.client_id)
      const isDue =
        client?.registration_id === registration.registration_id &&
        state.parkedClients.has(client.client_id) &&
        !isSuspended(client)
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
  findUses: (ids) =>
    step(() =>
      E.right(
        [...new Set(ids)]
          .flatMap((id) => state.clients.get(id) ?? [])
          .map((client) => ({ ...namesOf(client), last_use: state.lastUses.get(client.client_id) })),
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
