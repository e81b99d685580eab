// The operator suspends, resumes or removes all clients that a filter selects, in batches: docs/managing-clients.md.
import * as E from 'fp-ts/lib/Either.js'
import type * as T from 'fp-ts/lib/Task.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { TokenHash } from '../authorization/credential.js'
import type { Operator } from '../authorization/operator.js'
import type { ClientId } from '../client/client-id.js'
import { type CountChanged, type InvalidRequest, type Unavailable, countChanged } from '../errors.js'
import type { LifeCyclePolicy } from '../life-cycle/client-state.js'
import { type BulkChange, type BulkRequest, type Rest, readBulkRequest, restText } from '../managing/bulk-request.js'
import type { ClientFilter, FilterFacts } from '../managing/client-filter.js'
import type { ClientSearch } from '../ports/client-search.js'
import { type RemoveListedClientPorts, removeListedClient } from './remove-listed-client.js'
import type { WithOrigin } from './steps/audited.js'
import { mapConcurrently } from './steps/map-concurrently.js'
import { type SuspendClientPorts, resumeClient, suspendClient } from './suspend-client.js'

export type ChangeClientsPorts = SuspendClientPorts &
  RemoveListedClientPorts &
  Pick<ClientSearch, 'searchClients' | 'lastPosition'> & {
    readonly lifeCycle: LifeCyclePolicy
    readonly hashToken: (text: string) => TokenHash
  }

/** The number of clients that the filter selects. */
export type CountedClients = { readonly count: number }

/**
 * One batch: how many clients it changed, and how many were as requested, or removed, before. The next request takes `next`; it is left
 * out where all are done.
 */
export type ChangedClients = { readonly changed: number; readonly unchanged: number; readonly next?: string }

export type ChangeClientsError = InvalidRequest | CountChanged | Unavailable

/** Clients of one request, so that it ends soon; and those that are changed at once. */
export const changedTogether = 200
const concurrency = 16
const countedTogether = 500

type Operators = Operator<'clients:read' | 'clients:write'>
type Requested = WithOrigin & { readonly operator: Operators }
type ChangeOne = (requested: Requested, id: ClientId) => TE.TaskEither<Unavailable, boolean>

const countUntil = (
  { searchClients }: ChangeClientsPorts,
  filter: ClientFilter,
  facts: FilterFacts,
  until: number,
): TE.TaskEither<Unavailable, number> => {
  const countFrom = async (after: number, before: number): Promise<E.Either<Unavailable, number>> => {
    const page = await searchClients(filter, facts, { after, until, limit: countedTogether })()
    if (E.isLeft(page)) return page
    const { clients, next } = page.right
    const count = before + clients.length
    return next === undefined ? E.right(count) : countFrom(next, count)
  }
  return () => countFrom(0, 0)
}

/** Whether the client was changed; one that is gone meanwhile is as requested. */
const changeOne = (change: BulkChange, ports: ChangeClientsPorts): ChangeOne => {
  const suspending = change === 'suspension' ? suspendClient(ports) : resumeClient(ports)
  const removing = removeListedClient(ports)
  const changing: ChangeOne =
    change === 'removal'
      ? ({ operator, origin }, clientId) =>
          pipe(
            removing({ operator, clientId, origin }),
            TE.map(() => true),
            TE.orElse((refusal) => (refusal.error === 'unavailable' ? TE.left(refusal) : TE.right(false))),
          )
      : ({ operator, origin }, clientId) =>
          pipe(
            suspending({ operator, clientId, origin }),
            TE.map(({ unchanged }) => !unchanged),
            TE.orElse((refusal) => (refusal.error === 'unavailable' ? TE.left(refusal) : TE.right(false))),
          )
  return changing
}

const changeBatch = (change: BulkChange, ports: ChangeClientsPorts) => {
  const one = changeOne(change, ports)
  const nextText = restText(ports.hashToken, change)
  return async (
    requested: Requested,
    filter: ClientFilter,
    facts: FilterFacts,
    { count, after, until }: Rest,
  ): Promise<E.Either<Unavailable, ChangedClients>> => {
    const page = await ports.searchClients(filter, facts, { after, until, limit: changedTogether })()
    if (E.isLeft(page)) return page
    const tasks: ReadonlyArray<T.Task<E.Either<Unavailable, boolean>>> = page.right.clients.map(({ client_id }) =>
      one(requested, client_id),
    )
    const outcomes = await mapConcurrently(concurrency)(tasks)()
    const failed = outcomes.find(E.isLeft)
    // What was changed stays so: the same request again finds those that are left.
    if (failed !== undefined) return failed
    const changed = outcomes.filter((outcome) => E.isRight(outcome) && outcome.right).length
    const { next } = page.right
    const done = { changed, unchanged: outcomes.length - changed }
    return E.right(next === undefined ? done : { ...done, next: nextText(filter, { count, after: next, until }) })
  }
}

/**
 * The operator confirms the number of the clients at the beginning, which fixes the last of them: clients that are registered later are
 * not changed. Nothing is kept between the requests, so that any instance goes on with the next one, which needs `next` of
 * the answer: nobody makes one up.
 */
export const changeClients = (
  change: BulkChange,
  ports: ChangeClientsPorts,
): ((
  request: Requested & { readonly body: E.Either<InvalidRequest, unknown> },
) => TE.TaskEither<ChangeClientsError, CountedClients | ChangedClients>) => {
  const batch = changeBatch(change, ports)
  const read = readBulkRequest(ports.hashToken, change)
  const perform =
    (requested: Requested, request: BulkRequest): TE.TaskEither<ChangeClientsError, CountedClients | ChangedClients> =>
    async () => {
      const facts = { now: ports.now(), lifeCycle: ports.lifeCycle }
      if (request.kind === 'go_on') return batch(requested, request.filter, facts, request)
      const until = await ports.lastPosition()
      if (E.isLeft(until)) return until
      const count = await countUntil(ports, request.filter, facts, until.right)()
      if (E.isLeft(count)) return count
      if (request.kind === 'count') return E.right({ count: count.right })
      if (request.count !== count.right) return E.left(countChanged(count.right))
      return batch(requested, request.filter, facts, { count: count.right, after: 0, until: until.right })
    }
  return ({ operator, origin, body }) =>
    pipe(
      TE.fromEither(body),
      TE.flatMapEither(read),
      TE.flatMap((request) => perform({ operator, origin }, request)),
    )
}
