// Changing all things that a filter selects, in batches: docs/operate/operators.md#managing-clients.
import * as E from 'fp-ts/lib/Either.js'
import * as RA from 'fp-ts/lib/ReadonlyArray.js'
import type * as T from 'fp-ts/lib/Task.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { ClientId } from '../client/ids.js'
import { type CountChanged, type InvalidRequest, type Unavailable, countChanged } from '../kernel/refusals.js'
import type { EpochSeconds } from '../kernel/time.js'
import {
  type BulkRequest,
  type Rest,
  type Selecting,
  type Telling,
  readBulkRequest,
  restText,
} from '../managing/query.js'
import type { Answer, Clock, Hashing } from '../ports/outside.js'
import type { ListRange } from '../ports/store.js'
import type { MetadataWarning } from '../registration/information.js'
import type { WithBody } from './audit.js'
import { mapConcurrently } from './conflicts.js'

/** What of a client that was changed the service does not do. */
export type WarnedClient = { readonly client_id: ClientId; readonly warnings: ReadonlyArray<MetadataWarning> }

/** Whether a thing was changed; one that is gone meanwhile is as requested, and one that cannot be read is named. */
export type ChangedOne = {
  readonly changed: boolean
  readonly unreadable?: ClientId
  readonly warned?: WarnedClient
}

/** How the things of one kind are found and changed. */
export type Bulk<Filter, Found, Requested, Told> = Selecting<Filter> &
  Telling<Told> & {
    /** A page of those that the filter selects at the time. */
    readonly search: (
      at: EpochSeconds,
    ) => (
      filter: Partial<Filter>,
      range: ListRange,
    ) => Answer<{ readonly found: ReadonlyArray<Found>; readonly next?: number }>
    readonly lastPosition: Answer<number>
    readonly changeOne: (requested: Requested, found: Found, told: Told) => Answer<ChangedOne>
  }

/** The number of things that the filter selects. */
type Counted = { readonly count: number }

/**
 * One batch: how many things it changed, and how many were as requested, or removed, before. The next request takes `next`;
 * it is left out where all are done. `warned` is left out where there is nothing to say of a client, and `unreadable` where
 * each client could be read.
 */
type Changed = {
  readonly changed: number
  readonly unchanged: number
  readonly unreadable?: ReadonlyArray<ClientId>
  readonly warned?: ReadonlyArray<WarnedClient>
  readonly next?: string
}

/** Things of one request, so that it ends soon; and those that are changed at once. */
const changedTogether = 200
const concurrency = 16
const countedTogether = 500

type Search<Filter, Found> = ReturnType<Bulk<Filter, Found, unknown, unknown>['search']>

const countUntil = <Filter>(
  search: Search<Filter, unknown>,
  filter: Partial<Filter>,
  until: number,
): Answer<number> => {
  const countFrom = async (after: number, before: number): Promise<E.Either<Unavailable, number>> => {
    const page = await search(filter, { after, until, limit: countedTogether })()
    if (E.isLeft(page)) return page
    const { found, next } = page.right
    const count = before + found.length
    return next === undefined ? E.right(count) : countFrom(next, count)
  }
  return () => countFrom(0, 0)
}

const doneIn = (outcomes: ReadonlyArray<ChangedOne>): Changed => {
  const changed = outcomes.filter((outcome) => outcome.changed).length
  const unreadable = outcomes.flatMap((outcome) => outcome.unreadable ?? [])
  const warned = outcomes.flatMap((outcome) => outcome.warned ?? [])
  return {
    changed,
    unchanged: outcomes.length - changed - unreadable.length,
    ...(unreadable.length === 0 ? {} : { unreadable }),
    ...(warned.length === 0 ? {} : { warned }),
  }
}

/**
 * What was changed stays so, and is told. `next` begins the batch again: those that are as requested are counted then.
 */
const interrupted = (
  failed: Unavailable,
  { changed, warned = [] }: Changed,
  { failures, things, next }: { readonly failures: number; readonly things: string; readonly next: string },
): Unavailable => {
  if (changed === 0) return failed
  const error_description = `The store could not answer for ${failures} of the ${things}, and ${changed} were changed: go on with next`
  return {
    ...failed,
    done: { error_description, changed, failed: failures, ...(warned.length === 0 ? {} : { warned }), next },
  }
}

const changeBatch = <Filter extends object, Found, Requested, Told>(
  { hashToken }: Hashing,
  bulk: Bulk<Filter, Found, Requested, Told>,
) => {
  const nextText = restText(hashToken, bulk)
  return async (
    search: Search<Filter, Found>,
    requested: Requested,
    told: Told,
    filter: Partial<Filter>,
    { count, after, until }: Rest,
  ): Promise<E.Either<Unavailable, Changed>> => {
    const page = await search(filter, { after, until, limit: changedTogether })()
    if (E.isLeft(page)) return page
    const tasks: ReadonlyArray<T.Task<E.Either<Unavailable, ChangedOne>>> = page.right.found.map((found) =>
      bulk.changeOne(requested, found, told),
    )
    const { left: failures, right: outcomes } = RA.separate(await mapConcurrently(concurrency)(tasks)())
    const done = doneIn(outcomes)
    const [failed] = failures
    if (failed !== undefined) {
      const rest = { failures: failures.length, things: bulk.things, next: nextText(filter, { count, after, until }) }
      return E.left(interrupted(failed, done, rest))
    }
    const { next } = page.right
    return E.right(next === undefined ? done : { ...done, next: nextText(filter, { count, after: next, until }) })
  }
}

export type ChangeMany<Requested> = (
  request: Requested & WithBody,
) => Answer<Counted | Changed, InvalidRequest | CountChanged>

/**
 * The operator confirms the number of the things at the beginning, which fixes the last of them: those that come later are
 * not changed. Nothing is kept between the requests, so that any instance goes on with the next one, which needs `next` of
 * the answer: nobody makes one up.
 */
export const changeMany = <Filter extends object, Found, Requested, Told>(
  ports: Clock & Hashing,
  bulk: Bulk<Filter, Found, Requested, Told>,
): ChangeMany<Requested> => {
  const batch = changeBatch(ports, bulk)
  const read = readBulkRequest(ports.hashToken, bulk)
  const perform =
    (
      requested: Requested,
      request: BulkRequest<Filter, Told>,
    ): Answer<Counted | Changed, InvalidRequest | CountChanged> =>
    async () => {
      const search = bulk.search(ports.now())
      if (request.kind === 'go_on') return batch(search, requested, request.told, request.filter, request)
      const until = await bulk.lastPosition()
      if (E.isLeft(until)) return until
      const count = await countUntil(search, request.filter, until.right)()
      if (E.isLeft(count)) return count
      if (request.kind === 'count') return E.right({ count: count.right })
      if (request.count !== count.right) return E.left(countChanged(count.right, bulk.things))
      return batch(search, requested, request.told, request.filter, {
        count: count.right,
        after: 0,
        until: until.right,
      })
    }
  return (request) =>
    pipe(
      TE.fromEither(request.body),
      TE.flatMapEither(read),
      TE.flatMap((asked) => perform(request, asked)),
    )
}
