// Registrations where the policy sets a limit. Those that arrive together pass the gate together; each batch counts what
// the ones before it have committed.
import {
  type RefusedAddition,
  type RegistryLimits,
  type Unavailable,
  clientIdTaken,
  initialAccessTokenConsumed,
  isOpenClient,
  registryFull,
} from '@clientele/domain'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import * as t from 'io-ts'
import type { Database, Query, Statement, Write } from './database.js'
import { sqlState, uniqueViolation } from './failures.js'
import {
  type Added,
  type AddedOrNot,
  type Addition,
  type BatchRefusal,
  findAll,
  insertAll,
  namesOf,
  takenInBatch,
} from './insert-clients.js'
import { createLane } from './lane.js'

const passGate = { name: 'pass_client_gate', text: 'SELECT 1 FROM client_gate FOR UPDATE' }
// Locked, so that a token that is there now is there when the clients are inserted.
const lockTokens = {
  name: 'lock_tokens',
  text: 'SELECT hash FROM initial_access_tokens WHERE hash = ANY ($1::text[]) ORDER BY hash FOR UPDATE',
}
const selectIds = {
  name: 'select_client_ids',
  text: 'SELECT client_id, credentials FROM clients WHERE client_id = ANY ($1::text[])',
}
// Exact where the room may be too small for the batch ($2). Else it is not counted: the clients are no more than the
// ordinals from the lowest to the highest, which the index has.
const count = (name: string, from: string): Statement => ({
  name,
  text: `
SELECT CASE WHEN spanned <= $1::bigint - $2::bigint THEN spanned
  ELSE (SELECT count(*) FROM (SELECT 1 FROM ${from} LIMIT $1::bigint) AS counted) END AS clients
FROM (SELECT coalesce(max(ordinal) - min(ordinal) + 1, 0) AS spanned FROM ${from}) AS ordinals`,
})
const countClients = count('count_clients', 'clients')
const countUnusedOpen = count('count_unused_open', 'clients WHERE unused_open = 1')

const Counted = t.type({ clients: t.number })
const Token = t.type({ hash: t.string })
const Named = t.type({ client_id: t.string, credentials: t.string })

/** `clients` has the sealed credentials of each client, which have a random nonce. */
type Present = { readonly tokens: ReadonlySet<string>; readonly clients: ReadonlyMap<string, string> }

const findPresent = async (query: Query, additions: ReadonlyArray<Addition>): Promise<Present> => {
  const asked = additions.flatMap(({ token }) => token ?? [])
  const tokens = asked.length === 0 ? [] : await query(lockTokens, [asked])
  const named = await query(selectIds, [additions.map(({ row }) => row.client_id)])
  return {
    tokens: new Set(tokens.filter(Token.is).map(({ hash }) => hash)),
    clients: new Map(named.filter(Named.is).map(({ client_id, credentials }) => [client_id, credentials])),
  }
}

const roomFor = async (query: Query, statement: Statement, max: number, asked: number): Promise<number> => {
  if (max === Infinity || max <= 0) return max
  const [counted] = await query(statement, [max, asked])
  return Counted.is(counted) ? max - counted.clients : 0
}

const findRoom = async (
  query: Query,
  limits: RegistryLimits,
  additions: ReadonlyArray<Addition>,
): Promise<RegistryLimits> => {
  const clients = await roomFor(query, countClients, limits.clients, additions.length)
  const open = additions.filter(({ row }) => isOpenClient(row)).length
  const unusedOpenClients = open === 0 ? 0 : await roomFor(query, countUnusedOpen, limits.unusedOpenClients, open)
  return { clients, unusedOpenClients }
}

// RFC 7591 has no order for these refusals: that of all stores is token, identifier, limits.
const refusalOf = ({ row, token }: Addition, { tokens, clients }: Present): RefusedAddition | undefined => {
  if (token !== undefined && !tokens.has(token)) return initialAccessTokenConsumed
  return clients.has(row.client_id) ? clientIdTaken : undefined
}

type Decided = { readonly accepted: ReadonlyArray<Addition>; readonly outcomes: ReadonlyArray<Added> }

/** In the order of arrival, as many as there is room for. */
const decide = (additions: ReadonlyArray<Addition>, present: Present, room: RegistryLimits): Decided => {
  const accepted: Array<Addition> = []
  const left = { clients: room.clients, open: room.unusedOpenClients }
  const outcomes = additions.map((addition): Added => {
    const { row } = addition
    // By this write, of which the commit was in doubt.
    if (present.clients.get(row.client_id) === row.credentials) return E.right(undefined)
    const refusal = refusalOf(addition, present)
    if (refusal !== undefined) return E.left(refusal)
    const isOpen = isOpenClient(row)
    if (left.clients <= 0 || (isOpen && left.open <= 0)) return E.left(registryFull)
    left.clients -= 1
    if (isOpen) left.open -= 1
    accepted.push(addition)
    return E.right(undefined)
  })
  return { accepted, outcomes }
}

const addBelow = (
  limits: RegistryLimits,
  additions: ReadonlyArray<Addition>,
): Write<BatchRefusal, ReadonlyArray<Added>> => {
  const last: { decided: Decided } = { decided: { accepted: [], outcomes: [] } }
  return {
    run: async (query) => {
      await query(passGate)
      const present = await findPresent(query, additions)
      last.decided = decide(additions, present, await findRoom(query, limits, additions))
      if (last.decided.accepted.length > 0) await insertAll(query, last.decided.accepted)
      return E.right(last.decided.outcomes)
    },
    // All clients that were accepted, or none of them.
    isDone: async (query) => {
      const { accepted, outcomes } = last.decided
      return accepted.length > 0 && (await findAll(query, accepted)).size > 0 ? O.some(outcomes) : O.none
    },
    // By a service without limits, which does not wait at the gate.
    refusalOf: (error) => (sqlState(error) === uniqueViolation ? takenInBatch : undefined),
  }
}

const addAll = async (
  db: Database,
  limits: RegistryLimits,
  additions: ReadonlyArray<Addition>,
): Promise<ReadonlyArray<AddedOrNot>> => {
  const added = await db.transaction(addBelow(limits, additions))()
  if (E.isRight(added)) return added.right
  const { left } = added
  if (left.error !== 'taken_in_batch') return additions.map(() => E.left(left))
  return additions.length === 1 ? [E.left(clientIdTaken)] : addEach(db, limits, additions)
}

// One after the other, so that those that wait at the gate take no connection from others.
const addEach = async (
  db: Database,
  limits: RegistryLimits,
  additions: ReadonlyArray<Addition>,
): Promise<ReadonlyArray<AddedOrNot>> => {
  const outcomes: Array<AddedOrNot> = []
  for (const addition of additions) outcomes.push(...(await addAll(db, limits, [addition])))
  return outcomes
}

type AddBelowLimits = (addition: Addition) => TE.TaskEither<RefusedAddition | Unavailable, void>

/** Registrations of one pair of limits that arrive together share a transaction. */
export const createAddBelowLimits = (db: Database): ((limits: RegistryLimits) => AddBelowLimits) => {
  const lanes = new Map<string, AddBelowLimits>()
  return (limits) => {
    const name = `${limits.clients} ${limits.unusedOpenClients}`
    const lane = lanes.get(name) ?? createLane((additions) => addAll(db, limits, additions), namesOf, db.maxTogether)
    lanes.set(name, lane)
    return lane
  }
}
