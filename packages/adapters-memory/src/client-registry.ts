import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { pipe } from 'fp-ts/lib/function.js'
import {
  clientChanged,
  clientIdTaken,
  initialAccessTokenSpent,
  registryFull,
  unknownClient,
  type ClientId,
  type ClientRegistry,
  type RefusedAddition,
  type RegisteredClient,
  type RegistryLimits,
  type TokenHash,
} from '@clientele/domain'
import type { Kept } from './kept.js'
import { forget, withClients } from './kept.js'
import { step } from './step.js'

const isSpent = ({ tokens }: Kept, spending: O.Option<TokenHash>): boolean =>
  O.isSome(spending) && !tokens.has(spending.value)

const isFull = ({ clients, usedClients }: Kept, client: RegisteredClient, limits: RegistryLimits): boolean => {
  if (clients.size >= limits.clients) return true
  const isUnusedOpen = (each: RegisteredClient): boolean =>
    each.registered_by === 'nobody' && !usedClients.has(each.client_id)
  return isUnusedOpen(client) && [...clients.values()].filter(isUnusedOpen).length >= limits.unusedOpenClients
}

const add = (
  kept: Kept,
  client: RegisteredClient,
  spending: O.Option<TokenHash>,
  limits: RegistryLimits,
): E.Either<RefusedAddition, void> => {
  if (isSpent(kept, spending)) return E.left(initialAccessTokenSpent)
  if (kept.clients.has(client.client_id)) return E.left(clientIdTaken)
  if (isFull(kept, client, limits)) return E.left(registryFull)
  if (O.isSome(spending)) kept.tokens.delete(spending.value)
  kept.clients.set(client.client_id, client)
  return E.right(undefined)
}

const isCurrent = ({ clients }: Kept, read: RegisteredClient): boolean => {
  const present = clients.get(read.client_id)
  const { hash } = read.registration_access_token
  return present?.version === read.version && present.registration_access_token.hash === hash
}

// All that was recorded for it goes along.
const remove = ({ clients, usedClients, authorizations, sessions, notices }: Kept, removed: ClientId): void => {
  clients.delete(removed)
  usedClients.delete(removed)
  forget(authorizations, ({ client_id }) => client_id === removed)
  forget(notices, ({ client_id }) => client_id === removed)
  for (const [sid, { cookie, session }] of sessions)
    sessions.set(sid, { cookie, session: withClients(session, (id) => id !== removed) })
}

const opens =
  (token: TokenHash) =>
  (client: RegisteredClient): boolean =>
    client.registration_access_token.hash === token

export const inMemoryClientRegistry = (kept: Kept): ClientRegistry => ({
  addClient: (client, spending, limits) => step(() => add(kept, client, spending, limits)),
  findClient: (id) => step(() => E.right(O.fromNullable(kept.clients.get(id)))),
  findClientByToken: (id, token) =>
    step(() => E.right(pipe(O.fromNullable(kept.clients.get(id)), O.filter(opens(token))))),
  isRegistrationAccessToken: (token) => step(() => E.right([...kept.clients.values()].some(opens(token)))),
  streamClients: async function* () {
    for (const client of [...kept.clients.values()]) yield await Promise.resolve(E.right(client))
  },
  replaceClient: (next, replacing) =>
    step(() => {
      if (!isCurrent(kept, replacing)) return E.left(clientChanged)
      kept.clients.set(next.client_id, next)
      return E.right(undefined)
    }),
  removeClient: (id, token) =>
    step(() => {
      const client = kept.clients.get(id)
      if (client === undefined || (O.isSome(token) && !opens(token.value)(client))) return E.left(unknownClient)
      remove(kept, id)
      return E.right(undefined)
    }),
})
