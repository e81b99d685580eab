import { type ClientSearch, type RegisteredClient, type RegistrationId, listedClient, matches } from '@clientele/domain'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { type State, useOf } from './state.js'
import { step } from './step.js'

type Placed = { readonly position: number; readonly client: RegisteredClient }

// A registration gets its position when it is first listed: the map of clients is in the order of registration.
const placed = ({ clients, positions }: State): ReadonlyArray<Placed> =>
  [...clients.values()].map((client) => ({ client, position: positionOf(positions, client.registration_id) }))

const positionOf = (positions: State['positions'], id: RegistrationId): number => {
  const known = positions.of.get(id)
  if (known !== undefined) return known
  positions.last += 1
  positions.of.set(id, positions.last)
  return positions.last
}

export const inMemoryClientSearch = (state: State): ClientSearch => ({
  searchClients: (filter, facts, { after, until = Infinity, limit }) =>
    step(() => {
      const isMatch = matches(filter, facts)
      const found = placed(state)
        .filter(({ position }) => position > after && position <= until)
        .map(({ client, position }) => ({
          position,
          client: listedClient(client, useOf(state, client)),
        }))
        .filter(({ client }) => isMatch(client))
      const page = found.slice(0, limit)
      const clients = page.map(({ client }) => client)
      const next = page.at(-1)?.position
      return E.right(found.length > limit && next !== undefined ? { clients, next } : { clients })
    }),
  findListedClient: (id) =>
    step(() => {
      const client = state.clients.get(id)
      return E.right(client === undefined ? O.none : O.some(listedClient(client, useOf(state, client))))
    }),
  lastPosition: step(() => E.right(placed(state).reduce((last, { position }) => Math.max(last, position), 0))),
  indexTexts: () => step(() => E.right(0)),
})
