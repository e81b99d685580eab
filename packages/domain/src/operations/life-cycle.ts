// Clients that are parked and removed by themselves, and how they come back.
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import { serviceActor } from '../audit/entries.js'
import type { ForOperator } from '../authorization/credential.js'
import { ClientId } from '../client/ids.js'
import {
  type InvalidRequest,
  type RestorationConflict,
  type Unavailable,
  type UnknownClient,
  restorationConflict,
  unknownClient,
} from '../kernel/refusals.js'
import { type EpochSeconds, secondsAfter } from '../kernel/time.js'
import {
  type DueRemoval,
  daysLookedAt,
  longestNotice,
  dueParking,
  dueRemoval,
  dueRemovalIn,
  dueUnapproved,
  dueUnapprovedIn,
  restorableSince,
  revokedSince,
  useTime,
  useUnit,
} from '../life-cycle/states.js'
import { type DescribedClient, describeClient, nextPage } from '../managing/filters.js'
import { type Parameters, decodeListQuery } from '../managing/query.js'
import type { Answer, Clock, LifeCycle } from '../ports/outside.js'
import type { ClientUses, ConfirmReads, Connections, RemovedClient, Tombstones } from '../ports/store.js'
import type { Registration } from '../registration/registered-client.js'
import { type AuditPorts, type OperatorRequest, audited, auditedBy } from './audit.js'
import { confirmingRefusals, mapConcurrently } from './conflicts.js'

// Parks and removes unused clients of open registration, in limited batches: docs/operate/year.md#life-cycle-of-a-client.

export type SweepClientsPorts = ClientUses &
  Pick<Connections, 'forgetConnections'> &
  Clock &
  AuditPorts &
  Tombstones &
  LifeCycle & {
    /** Whether each use is recorded while the service runs: its authorization server issues what clients get. */
    readonly recordsUses: boolean
  }

/** What a pass did, and whether another one has something to do. */
type Swept = { readonly parked: number; readonly removed: number; readonly more: boolean }

/** The maximum number of clients that a pass parks, and that it removes. */
const maxSwept = 100
/** The maximum number of revoked connections that a pass forgets. */
const maxForgottenConnections = 1_000

// Each removal is a transaction of its own, with the event that it records.
const removedTogether = 4

/** The days that were observed before; if uses are recorded now, this day is observed as well. */
const observe =
  (ports: SweepClientsPorts, at: EpochSeconds) =>
  async (): Promise<E.Either<Unavailable, ReadonlyArray<EpochSeconds>>> => {
    const days = await ports.observedDays(at, daysLookedAt(ports.lifeCycle))()
    const [latest] = E.isRight(days) ? days.right : []
    if (E.isLeft(days) || !ports.recordsUses || latest === useTime(at)) return days
    const observed = await ports.observeDay(at)()
    return E.isLeft(observed) ? observed : days
  }

const remove =
  (ports: SweepClientsPorts, at: EpochSeconds, due: DueRemoval) =>
  (registration: Registration): Answer<boolean> =>
    ports.removeParked(
      registration,
      due,
      ports.tombstone(registration.client_id),
      ports.lifeCycle.restorableFor > 0 ? at : undefined,
      audited(
        ports,
        { origin: { door: 'service', request_id: registration.registration_id } },
        { at, action: 'client_deleted', client_id: registration.client_id, actor: serviceActor },
      ),
    )

/** Forgets what was kept aside for long enough: removed clients, and revoked connections. Whether there may be more. */
const forget =
  (ports: SweepClientsPorts, at: EpochSeconds): Answer<boolean> =>
  async () => {
    const clients = await ports.forgetRemoved(restorableSince(at, ports.lifeCycle), maxSwept)()
    if (E.isLeft(clients)) return clients
    const connections = await ports.forgetConnections(revokedSince(at, ports.lifeCycle), maxForgottenConnections)()
    if (E.isLeft(connections)) return connections
    return E.right(clients.right >= maxSwept || connections.right >= maxForgottenConnections)
  }

/** Removes those that are due, up to the maximum, and says how many were removed and how many were due. */
const removeDue =
  (ports: SweepClientsPorts, at: EpochSeconds, due: DueRemoval) =>
  async (): Promise<E.Either<Unavailable, { readonly removed: number; readonly due: number }>> => {
    const listed = await ports.listParked(due, maxSwept)()
    if (E.isLeft(listed)) return listed
    const outcomes = await mapConcurrently(removedTogether)(listed.right.map(remove(ports, at, due)))()
    const failed = outcomes.find(E.isLeft)
    if (failed !== undefined) return failed
    const removed = outcomes.filter((outcome) => E.isRight(outcome) && outcome.right).length
    return E.right({ removed, due: listed.right.length })
  }

const isFull = (...counts: ReadonlyArray<number>): boolean => counts.some((count) => count >= maxSwept)

/** Unused clients of open registration. Without observed days enough, nothing is due. */
const sweepUnused = (ports: SweepClientsPorts, at: EpochSeconds, days: ReadonlyArray<EpochSeconds>): Answer<Swept> => {
  const parking = ports.removes ? dueParking(at, days, ports.lifeCycle) : undefined
  const removal = dueRemoval(at, days, ports.lifeCycle)
  return async () => {
    if (parking === undefined) return E.right({ parked: 0, removed: 0, more: false })
    const parked = await ports.parkUnused(parking, maxSwept)()
    if (E.isLeft(parked)) return parked
    const swept = removal === undefined ? E.right({ removed: 0, due: 0 }) : await removeDue(ports, at, removal)()
    if (E.isLeft(swept)) return swept
    const { removed, due } = swept.right
    return E.right({ parked: parked.right, removed, more: isFull(parked.right, due) })
  }
}

/** Clients that waited for an approval for too long, and those that were refused as long ago. */
const sweepUnapproved =
  (ports: SweepClientsPorts, at: EpochSeconds): Answer<Swept> =>
  async () => {
    const { announced, removed: removal } = dueUnapproved(at, ports.lifeCycle)
    const marked = await ports.parkUnused(announced, maxSwept)()
    if (E.isLeft(marked)) return marked
    const swept = await removeDue(ports, at, removal)()
    if (E.isLeft(swept)) return swept
    return E.right({ parked: 0, removed: swept.right.removed, more: isFull(marked.right, swept.right.due) })
  }

/**
 * One pass. Instances may run passes at the same time: a client is parked and removed only once, and only while it is
 * unused.
 */
export const sweepClients =
  (ports: SweepClientsPorts): Answer<Swept> =>
  async () => {
    const at = ports.now()
    const days = await observe(ports, at)()
    if (E.isLeft(days)) return days
    const forgotten = await forget(ports, at)()
    if (E.isLeft(forgotten)) return forgotten
    const unused = await sweepUnused(ports, at, days.right)()
    if (E.isLeft(unused)) return unused
    const unapproved = await sweepUnapproved(ports, at)()
    if (E.isLeft(unapproved)) return unapproved
    return E.right({
      parked: unused.right.parked,
      removed: unused.right.removed + unapproved.right.removed,
      more: unused.right.more || unapproved.right.more || forgotten.right,
    })
  }

// The service announces what it removes by itself; the operator lists what it has removed, and restores one: docs/operate/year.md#life-cycle-of-a-client.

/**
 * The clients that the service will remove: parked ones, if they stay unused and uses are observed on each day, and those
 * without an approval, if they get none. It cannot be more.
 */
export type AnnouncedRemovals = {
  /** All whose removal is announced, and of them those of today and tomorrow, and of the next seven days; each up to maxAnnounced. */
  readonly clients: number
  readonly within_a_day: number
  readonly within_a_week: number
  /** The beginning of the UTC day of the first removal; left out where there is none. */
  readonly first_at?: EpochSeconds
}

const maxAnnounced = 100_000

/** The first of the days from `early` to `late` on which any is due. On each later day no fewer are: half of the days are left out at once. */
const firstOf = (countIn: (days: number) => Answer<number>, early: number, late: number): Answer<number> => {
  if (early >= late) return TE.right(late)
  const middle = Math.floor((early + late) / 2)
  return pipe(
    countIn(middle),
    TE.flatMap((count) => (count > 0 ? firstOf(countIn, early, middle) : firstOf(countIn, middle + 1, late))),
  )
}

export const announceRemovals =
  ({ lifeCycle, removes, now, observedDays, countParked }: ClientUses & Clock & LifeCycle): Answer<AnnouncedRemovals> =>
  async () => {
    const none: AnnouncedRemovals = { clients: 0, within_a_day: 0, within_a_week: 0 }
    const at = now()
    const looked = Math.max(daysLookedAt(lifeCycle), longestNotice + 1)
    const observed = removes ? await observedDays(at, looked)() : E.right([])
    if (E.isLeft(observed)) return observed
    const countIn = (days: number, max: number): Answer<number> => {
      const due = removes ? dueRemovalIn(days, at, observed.right, lifeCycle) : undefined
      const unused = due === undefined ? TE.right(0) : countParked(due, max)
      return pipe(
        unused,
        TE.flatMap((count) =>
          pipe(
            countParked(dueUnapprovedIn(days, at, lifeCycle), max),
            TE.map((others) => Math.min(max, count + others)),
          ),
        ),
      )
    }
    const all = await countIn(looked, maxAnnounced)()
    if (E.isLeft(all) || all.right === 0) return E.map(() => none)(all)
    const day = await countIn(1, maxAnnounced)()
    if (E.isLeft(day)) return day
    const week = await countIn(7, maxAnnounced)()
    if (E.isLeft(week)) return week
    const first = await firstOf((days) => countIn(days, 1), 0, looked)()
    if (E.isLeft(first)) return first
    const first_at = secondsAfter(useTime(at), first.right * useUnit)
    return E.right({ clients: all.right, within_a_day: day.right, within_a_week: week.right, first_at })
  }

/**
 * A page of the clients that can be restored, in the order of their removal: as a list describes them, with two times; and
 * what the service will remove next.
 */
type RemovalsPage = {
  readonly announced: AnnouncedRemovals
  readonly removed: ReadonlyArray<
    DescribedClient & { readonly removed_at: EpochSeconds; readonly restorable_until: EpochSeconds }
  >
  readonly next?: string
}

export const listRemovedClients =
  (
    ports: ClientUses & Clock & LifeCycle,
  ): ForOperator<'clients:read', (query: Parameters) => Answer<RemovalsPage, InvalidRequest>> =>
  () =>
  (query) => {
    const { listRemoved, lifeCycle } = ports
    const at = ports.now()
    const described = ({ client, removed_at }: RemovedClient): RemovalsPage['removed'][number] => ({
      ...describeClient({ now: at, lifeCycle })(client),
      state: 'gone',
      removed_at,
      restorable_until: secondsAfter(removed_at, lifeCycle.restorableFor),
    })
    return pipe(
      TE.fromEither(decodeListQuery({}, query)),
      TE.flatMap(({ after, limit }) => listRemoved(restorableSince(at, lifeCycle), { after, max: limit })),
      TE.flatMap((page) =>
        pipe(
          announceRemovals(ports),
          TE.map((announced) => ({ ...page, announced })),
        ),
      ),
      TE.map(({ announced, clients, next }) => ({
        announced,
        removed: clients.map(described),
        ...nextPage(next),
      })),
    )
  }

/** The client is registered again as it was, with its credentials, and begins to wait for its first use. */
export const restoreClient =
  (ports: ClientUses & Clock & ConfirmReads & AuditPorts & Tombstones & LifeCycle) =>
  (
    request: OperatorRequest<'clients:write'> & { readonly clientId: string },
  ): Answer<{ readonly client_id: ClientId }, UnknownClient | RestorationConflict> => {
    const { operator, clientId } = request
    if (!ClientId.is(clientId)) return TE.left(unknownClient)
    const at = ports.now()
    const row = auditedBy(ports, operator, request)(at, 'client_restored', { client_id: clientId })
    return pipe(
      ports.restoreRemoved(
        clientId,
        { since: restorableSince(at, ports.lifeCycle), at, tombstone: ports.tombstone(clientId).id },
        row,
      ),
      TE.mapLeft((refusal) => (refusal.error === 'client_id_taken' ? restorationConflict : refusal)),
      confirmingRefusals(ports, ['unknown_client', 'client_id_taken']),
      TE.map(() => ({ client_id: clientId })),
    )
  }
