// The registered clients, their uses, and those that were parked or removed.
import type { TokenHash } from '@clientele/domain/authorization'
import type { ClientId } from '@clientele/domain/client'
import { type EpochSeconds, clientIdTaken, epochSeconds, registryFull, unknownClient } from '@clientele/domain/kernel'
import {
  type DueParking,
  type DueRemoval,
  isOpenClient,
  isSuspended,
  observedDaysKept,
  useTime,
  waitsSince,
  withdrawalOf,
} from '@clientele/domain/life-cycle'
import type { EndUserSession } from '@clientele/domain/logout'
import { listedClient, matches } from '@clientele/domain/managing'
import {
  type ClientUse,
  type RegistryLimits,
  type StoragePorts,
  type Tombstone,
  clientChanged,
  clientSuspended,
  initialAccessTokenConsumed,
  maxForgotten,
  minStoredTombstones,
  registeredBefore,
  requestedBefore,
} from '@clientele/domain/ports'
import type { RegisteredClient, Registration } from '@clientele/domain/registration'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { identity, pipe } from 'fp-ts/lib/function.js'
import {
  type State,
  type Use,
  certainly,
  changed,
  expiry,
  forgetOver,
  isRegistered,
  recordEvent,
  replaceStored,
  step,
  writeAudit,
} from './state.js'

const observeDay = ({ observedDays }: State, at: EpochSeconds): void => {
  const day = useTime(at)
  observedDays.add(day)
  for (const each of observedDays) if (each < day - observedDaysKept) observedDays.delete(each)
}

/** The client counts as used from now on, by a use of that day; whether it was not known to be used on it. */
const markUsed = ({ uses }: State, client_id: ClientId, at: EpochSeconds): boolean => {
  const use = uses.get(client_id)
  const day = useTime(at)
  if (use === undefined) return false
  const isNew = use.last_use === undefined || use.last_use < day
  uses.set(client_id, { ...use, unused: undefined, parked: undefined, last_use: isNew ? day : use.last_use })
  return isNew
}

/** The client counts as used from now on, by a use that shows that uses are recorded. */
export const useClient = (state: State, client_id: ClientId, at: EpochSeconds): void => {
  if (markUsed(state, client_id, at)) observeDay(state, at)
}

/** What is known of the use of a client. */
export const useOf = ({ uses }: State, id: ClientId): Pick<ClientUse, 'last_use' | 'parked'> => ({
  last_use: uses.get(id)?.last_use,
  parked: uses.get(id)?.parked !== undefined,
})

export const positionOf = ({ uses }: State, { client_id }: Pick<Registration, 'client_id'>): number =>
  uses.get(client_id)?.position ?? 0

/** A page of those that were found, and where the next one begins. */
export const pageOf = <Found, Shown>(
  found: ReadonlyArray<Found>,
  max: number,
  show: (each: Found) => Shown,
  placeOf: (each: Found) => number,
): { readonly clients: ReadonlyArray<Shown>; readonly next?: number } => {
  const page = found.slice(0, max)
  const last = page.at(-1)
  const clients = page.map(show)
  return found.length > max && last !== undefined ? { clients, next: placeOf(last) } : { clients }
}

/** The clients after the position, in the order of registration. */
export const clientsAfter = (state: State, after: number): ReadonlyArray<RegisteredClient> =>
  [...state.clients.values()].filter((client) => positionOf(state, client) > after)

const list = (state: State, client: RegisteredClient) => listedClient(client, useOf(state, client.client_id))

/** The session without the clients whose registration has ended. */
export const withRegistered = (state: State, session: EndUserSession): EndUserSession => ({
  ...session,
  clients: session.clients.filter(isRegistered(state)),
})

const register = (state: State, client: RegisteredClient, fingerprint?: TokenHash): void => {
  state.last.client += 1
  const position = state.last.client
  state.clients.set(client.client_id, client)
  state.uses.set(client.client_id, isOpenClient(client) ? { position, unused: { fingerprint } } : { position })
}

const isFull = ({ clients, uses }: State, client: RegisteredClient, limits: RegistryLimits): boolean =>
  clients.size >= limits.clients ||
  (isOpenClient(client) && uses.where('waiting', 'unused').size >= limits.unusedOpenClients)

const isRepeated = ({ uses }: State, client: RegisteredClient, fingerprint: TokenHash | undefined): boolean =>
  fingerprint !== undefined && isOpenClient(client) && uses.where('fingerprint', fingerprint).size > 0

// Beyond the number that is stored, the oldest are forgotten.
const bury = ({ tombstones }: State, tombstone: Tombstone): void => {
  tombstones.delete(tombstone.id)
  tombstones.set(tombstone.id, tombstone)
  const [oldest] = tombstones.keys()
  if (tombstones.size > minStoredTombstones && oldest !== undefined) tombstones.delete(oldest)
}

/** Removes the client with all that is recorded for it. */
const remove = (state: State, { client_id, registration_id }: Registration, tombstone: Tombstone | undefined): void => {
  const { tokens, keyedRegistrations, authorizations, artefacts, notifications, sessions } = state
  const { connections, revokedConnections, secretUses: uses } = state
  state.clients.delete(client_id)
  state.uses.delete(client_id)
  if (tombstone !== undefined) bury(state, tombstone)
  const belonging = [tokens, keyedRegistrations, authorizations, artefacts, connections, revokedConnections]
  for (const rows of [...belonging, notifications, uses]) rows.deleteWhere('registration', registration_id)
  for (const [sid, { cookie, session }] of [...sessions.where('registration', registration_id)])
    sessions.set(sid, { cookie, session: withRegistered(state, session) })
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

/** The registered clients among the ids: each once, in the order of the ids. */
const named = ({ clients }: State, ids: ReadonlyArray<string>): ReadonlyArray<RegisteredClient> =>
  [...new Set(ids)].flatMap((id) => clients.get(id) ?? [])

export const clientRegistry = (state: State): StoragePorts['registry'] => ({
  confirmReads: TE.right(undefined),
  addClient: step(({ client, consumedToken, limits, fingerprint, keyed, audit }) => {
    const { tokens, keyedRegistrations } = state
    const token = O.toUndefined(consumedToken)
    const own = token === undefined ? fingerprint : undefined
    const at = client.client_id_issued_at
    const before = keyed && keyedRegistrations.get(keyed.key)
    if (before !== undefined && before.expires_at > at) return E.left(requestedBefore)
    if (token !== undefined && !tokens.has(token)) return E.left(initialAccessTokenConsumed)
    if (state.clients.has(client.client_id)) return E.left(clientIdTaken)
    if (isRepeated(state, client, own)) return E.left(registeredBefore)
    if (isFull(state, client, limits)) return E.left(registryFull)
    if (token !== undefined) tokens.delete(token)
    register(state, client, own)
    if (keyed !== undefined) {
      keyedRegistrations.set(keyed.key, keyed)
      forgetOver(keyedRegistrations, expiry, at, maxForgotten.keyedRegistrations)
    }
    return changed(state, audit)
  }),
  findKeyedRegistration: certainly((key) => O.fromNullable(state.keyedRegistrations.get(key))),
  findClient: certainly((id) => O.fromNullable(state.clients.get(id))),
  findClients: certainly((ids) => named(state, ids).map((client) => E.right(client))),
  findClientByToken: certainly((id, token) => O.fromNullable(state.clients.where('token', token).get(id))),
  isRegistrationAccessToken: certainly((token) => state.clients.where('token', token).size > 0),
  streamClients: async function* () {
    for (const client of [...state.clients.values()]) yield await Promise.resolve(E.right(client))
  },
  streamClientsWithUse: async function* () {
    for (const client of [...state.clients.values()])
      yield await Promise.resolve(E.right({ client, last_use: useOf(state, client.client_id).last_use }))
  },
  replaceClient: step(({ next, replacing, audit }) => {
    if (!isCurrent(state, next, replacing)) return E.left(clientChanged)
    replaceStored(state, next, replacing)
    return changed(state, audit)
  }),
  importClients: certainly((clients) =>
    clients.map(({ client, replacing, last_use, audit }) => {
      if (replacing === undefined && state.clients.has(client.client_id)) return E.left(clientIdTaken)
      if (replacing !== undefined && !isCurrent(state, client, replacing)) return E.left(clientChanged)
      if (replacing === undefined) register(state, client)
      else replaceStored(state, client, replacing)
      if (last_use !== undefined) markUsed(state, client.client_id, last_use)
      return changed(state, audit)
    }),
  ),
  removeClient: step(({ client_id: id, token, read, tombstone, audit }) => {
    const client = state.clients.get(id)
    if (client === undefined) return E.left(unknownClient)
    if (O.isSome(token)) {
      if (client.registration_access_token.hash !== token.value) return E.left(unknownClient)
      if (isSuspended(client)) return E.left(clientSuspended)
    }
    if (read !== undefined && !isCurrent(state, read, read)) return E.left(clientChanged)
    remove(state, client, tombstone)
    return changed(state, audit)
  }),
})

const namesOf = ({ client_id, registration_id }: RegisteredClient): Registration => ({ client_id, registration_id })

type Waiting = Use & { readonly client: RegisteredClient }

/** The open clients that are unused, or parked, except those that are not in force; in the order of registration. */
const waiting = (state: State, how: 'unused' | 'parked'): ReadonlyArray<Waiting> =>
  [...state.uses.where('waiting', how)]
    .flatMap(([id, use]) => named(state, [id]).map((client) => ({ ...use, client })))
    .filter(({ client }) => isOpenClient(client) && withdrawalOf(client) === undefined)
    .sort((one, other) => one.position - other.position)

const longestFirst = (clients: ReadonlyArray<Waiting>, until: EpochSeconds): ReadonlyArray<Waiting> =>
  clients
    .filter(({ client }) => waitsSince(client) <= until)
    .sort((one, other) => waitsSince(one.client) - waitsSince(other.client))

/** The parked clients, without those that an import brought. */
const removable = (state: State): ReadonlyArray<Waiting> =>
  waiting(state, 'parked').filter(({ client }) => client.provenance?.imported !== true)

/** The clients without an approval, without suspended ones and those that an import brought. */
const unapproved = (state: State): ReadonlyArray<Waiting> =>
  [...state.clients.values()].flatMap((client) => {
    const use = state.uses.get(client.client_id)
    const isMeant = client.approval !== undefined && !isSuspended(client) && client.provenance?.imported !== true
    return use !== undefined && isMeant ? [{ ...use, client }] : []
  })

/** Whether the removal was announced since the client began to wait. */
const isAnnounced = ({ client, announced }: Waiting): boolean =>
  announced !== undefined && announced.at >= waitsSince(client)

const announce = (state: State, { waitsSince: until, at, notice }: DueParking, max: number): number => {
  const due = longestFirst(unapproved(state), until).filter(
    (each) => !isAnnounced(each) || (each.announced?.notice ?? 0) > notice,
  )
  for (const { client, ...use } of due.slice(0, max))
    state.uses.set(client.client_id, { ...use, announced: { at, notice } })
  return Math.min(max, due.length)
}

const dueOf = (state: State, due: DueRemoval): ReadonlyArray<RegisteredClient> => {
  const { waitsSince: until, parkedUntil, notice } = due
  const those =
    due.unapproved === true
      ? unapproved(state)
          .filter(isAnnounced)
          .map((each) => ({ ...each, parked: each.announced }))
      : removable(state)
  return longestFirst(
    those.filter(({ parked }) => parked && parked.at <= parkedUntil && parked.notice <= notice),
    until,
  ).map(({ client }) => client)
}

const keepAside = ({ last, removedClients }: State, client: RegisteredClient, removed_at: EpochSeconds): void => {
  last.removed += 1
  removedClients.delete(client.client_id)
  removedClients.set(client.client_id, { client, removed_at, position: last.removed })
}

const parking = (
  state: State,
): Pick<StoragePorts['clientUses'], 'parkUnused' | 'listParked' | 'countParked' | 'removeParked'> => ({
  parkUnused: certainly((parking, max) => {
    const { waitsSince: until, at, notice } = parking
    if (parking.unapproved === true) return announce(state, parking, max)
    const due = longestFirst(waiting(state, 'unused'), until).slice(0, max)
    const longerNotice = removable(state).filter(({ parked }) => parked && parked.notice > notice)
    const both = [...due, ...longerNotice.slice(0, max)]
    for (const { client, position } of both) state.uses.set(client.client_id, { position, parked: { at, notice } })
    return both.length
  }),
  listParked: certainly((due, max) => dueOf(state, due).slice(0, max).map(namesOf)),
  countParked: certainly((due, max) => Math.min(max, dueOf(state, due).length)),
  removeParked: certainly((registration, due, tombstone, removedAt, audit) => {
    const client = dueOf(state, due).find(({ registration_id }) => registration_id === registration.registration_id)
    if (client === undefined) return false
    remove(state, registration, tombstone)
    if (removedAt !== undefined) keepAside(state, client, removedAt)
    writeAudit(state, audit)
    return true
  }),
})

const removed = (
  state: State,
): Pick<StoragePorts['clientUses'], 'listRemoved' | 'restoreRemoved' | 'forgetRemoved'> => ({
  listRemoved: certainly((since, { after, max }) => {
    const found = [...state.removedClients.values()].filter((each) => each.removed_at > since && each.position > after)
    const show = ({ client, removed_at }: (typeof found)[number]) => ({
      client: listedClient(client, { last_use: undefined, parked: true }),
      removed_at,
    })
    return pageOf(found, max, show, ({ position }) => position)
  }),
  restoreRemoved: step((id, { since, at, tombstone }, audit) => {
    const kept = state.removedClients.get(id)
    if (kept === undefined || kept.removed_at <= since) return E.left(unknownClient)
    if (state.clients.has(id)) return E.left(clientIdTaken)
    state.removedClients.delete(id)
    if (tombstone !== undefined) state.tombstones.delete(tombstone)
    register(state, { ...kept.client, waits_since: at })
    return changed(state, audit)
  }),
  forgetRemoved: certainly((until, max) =>
    forgetOver(state.removedClients, ({ removed_at }) => removed_at, until, max),
  ),
})

export const clientUses = (state: State): StoragePorts['clientUses'] => ({
  recordUse: certainly((registration, at) => {
    if (isRegistered(state)(registration)) useClient(state, registration.client_id, at)
  }),
  observeDay: certainly((at) => observeDay(state, at)),
  observedDays: certainly((until, max) =>
    [...state.observedDays]
      .filter((day) => day <= until)
      .sort((one, other) => other - one)
      .slice(0, max)
      .map((day) => epochSeconds(1000 * day)),
  ),
  findUses: certainly((ids) =>
    named(state, ids).map((client) => ({ ...namesOf(client), ...useOf(state, client.client_id) })),
  ),
  findUnused: certainly((fingerprint) => {
    const [id] = state.uses.where('fingerprint', fingerprint).keys()
    return O.fromNullable(id === undefined ? undefined : state.clients.get(id))
  }),
  ...parking(state),
  ...removed(state),
  isRemembered: certainly((id, at) => {
    const tombstone = state.tombstones.get(id)
    return tombstone !== undefined && at < tombstone.until
  }),
})

export const clientSearch = (state: State): StoragePorts['clientSearch'] => ({
  searchClients: certainly((filter, facts, { after, until = Infinity, limit }) => {
    const isMatch = matches(filter, facts)
    const found = clientsAfter(state, after)
      .filter((client) => positionOf(state, client) <= until)
      .map((client) => list(state, client))
      .filter(isMatch)
    return pageOf(found, limit, identity, (client) => positionOf(state, client))
  }),
  findListedClient: certainly((id) =>
    pipe(
      O.fromNullable(state.clients.get(id)),
      O.map((client) => list(state, client)),
    ),
  ),
  lastPosition: certainly(() => {
    const last = [...state.clients.values()].at(-1)
    return last === undefined ? 0 : positionOf(state, last)
  })(),
  indexTexts: certainly(() => 0),
})

/** Of one registration. */
const maxSecretUses = 4

export const secretUses = (state: State): StoragePorts['secretUses'] => ({
  recordSecretUses: certainly((uses) => {
    for (const { client, secret, at } of uses.filter((use) => isRegistered(state)(use.client))) {
      const { registration_id } = client
      const key = `${registration_id} ${secret}`
      const known = state.secretUses.get(key)
      if (known === undefined || known.used_at < useTime(at))
        state.secretUses.set(key, { registration_id, secret, used_at: useTime(at) })
      const latest = [...state.secretUses.where('registration', registration_id)].sort(
        ([, one], [, other]) => other.used_at - one.used_at || (one.secret < other.secret ? -1 : 1),
      )
      for (const [gone] of latest.slice(maxSecretUses)) state.secretUses.delete(gone)
    }
  }),
  findSecretUses: certainly(
    ({ registration_id }) =>
      new Map(
        [...state.secretUses.where('registration', registration_id).values()].map(({ secret, used_at }) => [
          secret,
          used_at,
        ]),
      ),
  ),
})
