// Registrations where the policy sets a limit, and those with a key. Those that arrive together pass the gate together;
// each batch counts what the ones before it have committed.
import {
  type RefusedAddition,
  type RegistryLimits,
  type Unavailable,
  clientIdTaken,
  initialAccessTokenConsumed,
  isOpenClient,
  noLimits,
  registeredBefore,
  registryFull,
  requestedBefore,
} from '@clientele/domain'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import * as t from 'io-ts'
import type { Database, Query, Write } from './database.js'
import {
  type Added,
  type AddedOrNot,
  type Addition,
  type BatchRefusal,
  findAll,
  insertAll,
  namesOf,
  refusalOfBatch,
} from './insert-clients.js'
import { findKeysInForce, insertKeyed } from './keyed-registrations.js'
import { createLane } from './lane.js'

const passGate = { name: 'pass_client_gate', text: 'SELECT 1 FROM client_gate FOR UPDATE' }
// Locked, so that a token that is there now is there when the clients are inserted.
const lockTokens = {
  name: 'lock_tokens',
  text: 'SELECT hash FROM initial_access_tokens WHERE hash = ANY ($1::text[]) ORDER BY hash FOR UPDATE',
}
// The number, or, where the room is enough for the batch, an upper bound of it: the clients are no more than the ordinals
// from the lowest to the highest, which the index has. A limit of null is none.
const atMost = (from: string, max: string, batch: string): string => `
  (SELECT CASE WHEN ${max}::bigint IS NULL THEN 0 WHEN spanned <= ${max} - ${batch}::bigint THEN spanned
     ELSE (SELECT count(*) FROM (SELECT 1 FROM ${from} LIMIT ${max}) AS counted) END
   FROM (SELECT coalesce(max(ordinal) - min(ordinal) + 1, 0) AS spanned FROM ${from}) AS ordinals)`
// In one snapshot, because a service without limits does not wait at the gate.
const selectRoom = {
  name: 'select_room_for_clients',
  text: `
SELECT found.clients, found.unused_open, taken.client_id, taken.credentials, taken.fingerprint
FROM (SELECT ${atMost('clients', '$2', '$4')} AS clients,
        ${atMost('clients WHERE unused_open = 1', '$3', '$4')} AS unused_open) AS found
LEFT JOIN (
  SELECT client_id, credentials, NULL AS fingerprint FROM clients WHERE client_id = ANY ($1::text[])
  UNION ALL
  SELECT client_id, credentials, fingerprint FROM clients WHERE fingerprint = ANY ($5::text[]) AND unused_open = 1
) AS taken ON true`,
}

const Token = t.type({ hash: t.string })
const Room = t.type({ clients: t.number, unused_open: t.number })
const Repeated = t.type({ fingerprint: t.string })
const Taken = t.type({ client_id: t.string, credentials: t.string, fingerprint: t.null })

/** What is stored: `taken` has the sealed credentials of each client, which have a random nonce. */
type Found = {
  readonly tokens: ReadonlySet<string>
  readonly taken: ReadonlyMap<string, string>
  /** The fingerprints of unused clients. */
  readonly repeated: ReadonlySet<string>
  readonly keysInForce: ReadonlySet<string>
  readonly room: RegistryLimits
}

const limitOf = (max: number): number | null => (max === Infinity ? null : Math.max(0, max))

const find = async (query: Query, limits: RegistryLimits, additions: ReadonlyArray<Addition>): Promise<Found> => {
  const named = additions.flatMap(({ token }) => token ?? [])
  const tokens = named.length === 0 ? [] : await query(lockTokens, [named])
  const isAnyOpen = additions.some(({ row }) => isOpenClient(row))
  const open = isAnyOpen ? limitOf(limits.unusedOpenClients) : null
  const ids = additions.map(({ row }) => row.client_id)
  const prints = additions.flatMap(({ fingerprint }) => fingerprint ?? [])
  const rows = await query(selectRoom, [ids, limitOf(limits.clients), open, additions.length, prints])
  const [room] = rows.filter(Room.is)
  return {
    tokens: new Set(tokens.filter(Token.is).map(({ hash }) => hash)),
    taken: new Map(rows.filter(Taken.is).map(({ client_id, credentials }) => [client_id, credentials])),
    repeated: new Set(rows.filter(Repeated.is).map(({ fingerprint }) => fingerprint)),
    keysInForce: await findKeysInForce(query, additions),
    room: {
      clients: limits.clients - (room?.clients ?? Infinity),
      unusedOpenClients: limits.unusedOpenClients - (room?.unused_open ?? Infinity),
    },
  }
}

const hasRoom = ({ clients, unusedOpenClients }: RegistryLimits, { row }: Addition): boolean =>
  clients > 0 && (!isOpenClient(row) || unusedOpenClients > 0)

// RFC 7591 has no order for these refusals: that of all stores is token, identifier, limits.
const refusalOf = (addition: Addition, found: Found): RefusedAddition | undefined => {
  const { row, token, fingerprint, keyed } = addition
  const { tokens, taken, repeated, keysInForce, room } = found
  if (keyed !== undefined && keysInForce.has(keyed.key)) return requestedBefore
  if (token !== undefined && !tokens.has(token)) return initialAccessTokenConsumed
  if (taken.has(row.client_id)) return clientIdTaken
  if (fingerprint !== undefined && repeated.has(fingerprint)) return registeredBefore
  return hasRoom(room, addition) ? undefined : registryFull
}

/** By a write of which the commit was in doubt. */
const isThere = ({ row }: Addition, { taken }: Found): boolean => taken.get(row.client_id) === row.credentials

/** An outcome that is left out is decided by the next transaction, which sees the clients of this one. */
type Decided = { readonly accepted: ReadonlyArray<Addition>; readonly outcomes: ReadonlyArray<Added | undefined> }

/** In the order of arrival, as many as there is room for. */
const decide = (additions: ReadonlyArray<Addition>, found: Found): Decided => {
  const accepted: Array<Addition> = []
  const left = { ...found.room }
  const outcomes = additions.map((addition): Added | undefined => {
    if (isThere(addition, found)) return E.right(undefined)
    const refusal = refusalOf(addition, found)
    if (refusal !== undefined) return E.left(refusal)
    if (!hasRoom(left, addition)) return undefined
    left.clients -= 1
    if (isOpenClient(addition.row)) left.unusedOpenClients -= 1
    accepted.push(addition)
    return E.right(undefined)
  })
  return { accepted, outcomes }
}

type Outcomes = Decided['outcomes']

// Left out, so that the next transaction finds what a service without limits, which does not wait at the gate, has added.
const withoutLate = (
  { accepted, outcomes }: Decided,
  additions: ReadonlyArray<Addition>,
  added: ReadonlySet<string>,
): Decided => {
  const late = accepted.filter(({ row }) => !added.has(row.registration_id))
  const isLate = (addition: Addition | undefined): boolean => addition !== undefined && late.includes(addition)
  return { accepted, outcomes: outcomes.map((each, place) => (isLate(additions[place]) ? undefined : each)) }
}

/** In one transaction; an outcome that is left out is decided by the next one. */
const addBelow = (limits: RegistryLimits, additions: ReadonlyArray<Addition>): Write<BatchRefusal, Outcomes> => {
  const last: { decided: Decided } = { decided: { accepted: [], outcomes: [] } }
  return {
    run: async (query) => {
      await query(passGate)
      last.decided = decide(additions, await find(query, limits, additions))
      const { accepted } = last.decided
      if (accepted.length > 0) last.decided = withoutLate(last.decided, additions, await insertAll(query, accepted))
      await insertKeyed(query, accepted)
      return E.right(last.decided.outcomes)
    },
    // All clients that were accepted, or none of them.
    isDone: async (query) => {
      const { accepted, outcomes } = last.decided
      return accepted.length > 0 && (await findAll(query, accepted)).size > 0 ? O.some(outcomes) : O.none
    },
    // By a service without limits, which does not wait at the gate.
    refusalOf: refusalOfBatch,
  }
}

type AddAll = (additions: ReadonlyArray<Addition>) => Promise<ReadonlyArray<AddedOrNot>>

// One transaction after the other, so that those that wait at the gate take no connection from others.
const createAddAll = (db: Database, limits: RegistryLimits): AddAll => {
  const addEach: AddAll = async (additions) => {
    const outcomes: Array<AddedOrNot> = []
    for (const addition of additions) outcomes.push(...(await addAll([addition])))
    return outcomes
  }
  const addLeft = async (
    additions: ReadonlyArray<Addition>,
    outcomes: Outcomes,
  ): Promise<ReadonlyArray<AddedOrNot>> => {
    const left = additions.filter((_, place) => outcomes[place] === undefined)
    const next = left.length === 0 ? [] : [...(await addAll(left))]
    return outcomes.map((outcome) => outcome ?? next.shift() ?? E.left(registryFull))
  }
  const addAll: AddAll = async (additions) => {
    const added = await db.transaction(addBelow(limits, additions))()
    if (E.isRight(added)) return addLeft(additions, added.right)
    const { left } = added
    if (left.error !== 'taken_in_batch') return additions.map(() => E.left(left))
    return additions.length === 1 ? [E.left(clientIdTaken)] : addEach(additions)
  }
  return addAll
}

/** A registration within limits. */
export type Gated = { readonly addition: Addition; readonly limits: RegistryLimits }

// Limits differ for a moment where the policy is read again.
const byLimits = (all: ReadonlyArray<Gated>): Iterable<ReadonlyArray<Gated>> => {
  const groups = new Map<string, Array<Gated>>()
  for (const each of all) {
    const name = `${each.limits.clients} ${each.limits.unusedOpenClients}`
    const group = groups.get(name)
    if (group === undefined) groups.set(name, [each])
    else group.push(each)
  }
  return groups.values()
}

/**
 * Registrations that arrive together share a transaction. This instance has one transaction at the gate at a time: if it
 * stands still there, the others wait for this one alone.
 */
export const createAddThroughGate = (
  db: Database,
): ((gated: Gated) => TE.TaskEither<RefusedAddition | Unavailable, void>) =>
  createLane(
    async (all: ReadonlyArray<Gated>) => {
      const outcomes = new Map<Gated, AddedOrNot | undefined>()
      for (const group of byLimits(all)) {
        const { limits } = group[0] ?? { limits: noLimits }
        const added = await createAddAll(db, limits)(group.map(({ addition }) => addition))
        group.forEach((each, place) => outcomes.set(each, added[place]))
      }
      return all.map((each) => outcomes.get(each) ?? E.left(registryFull))
    },
    ({ addition }) => namesOf(addition),
    db.maxTogether,
  )
