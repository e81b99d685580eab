import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import {
  clientChanged,
  clientIdTaken,
  clientSuspended,
  initialAccessTokenConsumed,
  isOpenClient,
  isSuspended,
  minStoredTombstones,
  registeredBefore,
  requestedBefore,
  maxForgotten,
  noLimits,
  registryFull,
  unknownClient,
  type ClientChanged,
  type ClientImport,
  type ClientRegistry,
  type KeyedRegistration,
  type RefusedAddition,
  type RefusedImport,
  type RegisteredClient,
  type Registration,
  type RegistryLimits,
  type TokenHash,
  type Tombstone,
} from '@clientele/domain'
import { withAudit, writeAudit } from './audit-log.js'
import { recordEvent } from './provider-events.js'
import { type State, forget, forgetFirst, isRegistered, markUsed, withRegistered } from './state.js'
import { step } from './step.js'

const isConsumed = ({ tokens }: State, consumedToken: O.Option<TokenHash>): boolean =>
  O.isSome(consumedToken) && !tokens.has(consumedToken.value)

const isRepeated = (
  { unusedOpenClients }: State,
  client: RegisteredClient,
  fingerprint: TokenHash | undefined,
): boolean => fingerprint !== undefined && isOpenClient(client) && [...unusedOpenClients.values()].includes(fingerprint)

const isFull = ({ clients, unusedOpenClients }: State, client: RegisteredClient, limits: RegistryLimits): boolean =>
  clients.size >= limits.clients || (isOpenClient(client) && unusedOpenClients.size >= limits.unusedOpenClients)

const add = (
  state: State,
  client: RegisteredClient,
  consumedToken: O.Option<TokenHash>,
  limits: RegistryLimits,
  fingerprint: TokenHash | undefined,
): E.Either<RefusedAddition, void> => {
  if (isConsumed(state, consumedToken)) return E.left(initialAccessTokenConsumed)
  if (state.clients.has(client.client_id)) return E.left(clientIdTaken)
  const own = O.isNone(consumedToken) ? fingerprint : undefined
  if (isRepeated(state, client, own)) return E.left(registeredBefore)
  if (isFull(state, client, limits)) return E.left(registryFull)
  if (O.isSome(consumedToken)) state.tokens.delete(consumedToken.value)
  state.clients.set(client.client_id, client)
  if (isOpenClient(client)) state.unusedOpenClients.set(client.client_id, own)
  return E.right(undefined)
}

const addKeyed = (
  state: State,
  keyed: KeyedRegistration,
  { client_id_issued_at: at }: RegisteredClient,
  run: () => E.Either<RefusedAddition, void>,
): E.Either<RefusedAddition, void> => {
  const { keyedRegistrations } = state
  const isOver = ({ expires_at }: KeyedRegistration): boolean => expires_at <= at
  const before = keyedRegistrations.get(keyed.key)
  if (before !== undefined && !isOver(before)) return E.left(requestedBefore)
  const added = run()
  if (E.isLeft(added)) return added
  keyedRegistrations.set(keyed.key, keyed)
  forgetFirst(keyedRegistrations, isOver, ({ expires_at }) => expires_at, maxForgotten.keyedRegistrations)
  return added
}

// Beyond the number that is stored, the oldest are forgotten.
const bury = ({ tombstones }: State, { id, until }: Tombstone): void => {
  tombstones.delete(id)
  tombstones.set(id, until)
  const [oldest] = tombstones.keys()
  if (tombstones.size > minStoredTombstones && oldest !== undefined) tombstones.delete(oldest)
}

// Removes the client with all that is recorded for it.
export const remove = (
  state: State,
  { client_id, registration_id }: Registration,
  tombstone: Tombstone | undefined,
): void => {
  const isOfRemoved = (recorded: Registration): boolean => recorded.registration_id === registration_id
  state.clients.delete(client_id)
  state.unusedOpenClients.delete(client_id)
  state.parkedClients.delete(client_id)
  state.lastUses.delete(client_id)
  if (tombstone !== undefined) bury(state, tombstone)
  forget(state.authorizations, isOfRemoved)
  forget(state.tokens, ({ owner }) => owner !== undefined && isOfRemoved(owner))
  forget(state.artefacts, ({ artefact: { client } }) => client !== undefined && isOfRemoved(client))
  forget(state.consents, ({ client }) => isOfRemoved(client))
  forget(state.keyedRegistrations, isOfRemoved)
  forget(state.notifications, ({ entry }) => isOfRemoved(entry))
  for (const [sid, { cookie, session }] of state.sessions)
    state.sessions.set(sid, { cookie, session: withRegistered(state, session) })
  recordEvent(state, { event: 'client_deleted', client_id, registration_id })
}

// The first use of the newest token ends the one before it, in the same version.
const isCurrent = (state: State, registration: Registration, read: RegisteredClient): boolean => {
  const stored = state.clients.get(registration.client_id)
  return (
    isRegistered(state)(registration) &&
    stored?.version === read.version &&
    (read.preceding_token === undefined || stored.preceding_token?.hash === read.preceding_token.hash)
  )
}

const replace = (state: State, next: RegisteredClient, replacing: RegisteredClient): E.Either<ClientChanged, void> => {
  if (!isCurrent(state, next, replacing)) return E.left(clientChanged)
  state.clients.set(next.client_id, next)
  return E.right(undefined)
}

// Without limits and without a token, an addition is refused for its id alone.
const importOne =
  (state: State) =>
  ({ client, replacing, last_use, audit }: ClientImport): E.Either<RefusedImport, void> => {
    const stored =
      replacing === undefined
        ? E.mapLeft((): RefusedImport => clientIdTaken)(add(state, client, O.none, noLimits, undefined))
        : replace(state, client, replacing)
    if (E.isRight(stored) && last_use !== undefined) markUsed(state, client.client_id, last_use)
    return withAudit(state, audit, stored)
  }

const isNewestToken = (token: TokenHash, client: RegisteredClient): boolean =>
  client.registration_access_token.hash === token

const isTokenOf =
  (token: TokenHash) =>
  (client: RegisteredClient): boolean =>
    isNewestToken(token, client) || client.preceding_token?.hash === token

export const inMemoryClientRegistry = (state: State): ClientRegistry => ({
  confirmReads: TE.right(undefined),
  addClient: (client, consumedToken, limits, fingerprint, audit, keyed) =>
    step(() => {
      const run = (): E.Either<RefusedAddition, void> => add(state, client, consumedToken, limits, fingerprint)
      return withAudit(state, audit, keyed === undefined ? run() : addKeyed(state, keyed, client, run))
    }),
  findKeyedRegistration: (key) => step(() => E.right(O.fromNullable(state.keyedRegistrations.get(key)))),
  findClient: (id) => step(() => E.right(O.fromNullable(state.clients.get(id)))),
  findClients: (ids) =>
    step(() =>
      E.right([...new Set(ids)].flatMap((id) => state.clients.get(id) ?? []).map((client) => E.right(client))),
    ),
  findClientByToken: (id, token) =>
    step(() => E.right(pipe(O.fromNullable(state.clients.get(id)), O.filter(isTokenOf(token))))),
  isRegistrationAccessToken: (token) => step(() => E.right([...state.clients.values()].some(isTokenOf(token)))),
  streamClients: async function* () {
    for (const client of [...state.clients.values()]) yield await Promise.resolve(E.right(client))
  },
  streamClientsWithUse: async function* () {
    for (const client of [...state.clients.values()])
      yield await Promise.resolve(E.right({ client, last_use: state.lastUses.get(client.client_id) }))
  },
  replaceClient: (next, replacing, audit) => step(() => withAudit(state, audit, replace(state, next, replacing))),
  importClients: (clients) => step(() => E.right(clients.map(importOne(state)))),
  removeClient: (id, token, tombstone, audit, read) =>
    step(() => {
      const client = state.clients.get(id)
      if (client === undefined || (O.isSome(token) && !isNewestToken(token.value, client))) return E.left(unknownClient)
      if (O.isSome(token) && isSuspended(client)) return E.left(clientSuspended)
      if (read !== undefined && !isCurrent(state, read, read)) return E.left(clientChanged)
      remove(state, client, tombstone)
      writeAudit(state, audit)
      return E.right(undefined)
    }),
})
