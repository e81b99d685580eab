// Parks and removes unused clients of open registration, in limited batches: docs/life-cycle.md.
import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import { serviceActor } from '../audit/audit-entry.js'
import type { EpochSeconds } from '../codec/epoch-seconds.js'
import type { Unavailable } from '../errors.js'
import { type LifeCyclePolicy, restorableSince, useTime } from '../life-cycle/client-state.js'
import { type DueRemoval, daysLookedAt, dueParking, dueRemoval } from '../life-cycle/observed-days.js'
import type { MakeTombstone } from './steps/tombstone.js'
import type { ClientUses } from '../ports/client-uses.js'
import type { CredentialGenerator } from '../ports/credential-generator.js'
import type { Registration } from '../registration/registered-client.js'
import { type AuditPorts, audited } from './steps/audited.js'
import { mapConcurrently } from './steps/map-concurrently.js'

export type SweepClientsPorts = Pick<
  ClientUses,
  'observeDay' | 'observedDays' | 'parkUnused' | 'listParked' | 'removeParked' | 'forgetRemoved'
> &
  Pick<CredentialGenerator, 'now'> &
  AuditPorts & {
    readonly tombstone: MakeTombstone
    /** Whether each use is recorded while the service runs: its authorization server issues what clients get. */
    readonly recordsUses: boolean
    /** Whether the service parks and removes clients: where registration is open. */
    readonly removes: boolean
  }

/** What a pass did, and whether another one has something to do. */
export type Swept = { readonly parked: number; readonly removed: number; readonly more: boolean }

/** The maximum number of clients that a pass parks, and that it removes. */
export const maxSwept = 100

// Each removal is a transaction of its own, with the event that it records.
const removedTogether = 4

/** The observed days, with that of this pass if uses are recorded now. */
const observe =
  (policy: LifeCyclePolicy, ports: SweepClientsPorts, at: EpochSeconds) =>
  async (): Promise<E.Either<Unavailable, ReadonlyArray<EpochSeconds>>> => {
    const days = await ports.observedDays(at, daysLookedAt(policy))()
    const [latest] = E.isRight(days) ? days.right : []
    if (E.isLeft(days) || !ports.recordsUses || latest === useTime(at)) return days
    const observed = await ports.observeDay(at)()
    return E.isLeft(observed) ? observed : days
  }

const remove =
  ({ restorableFor }: LifeCyclePolicy, ports: SweepClientsPorts, at: EpochSeconds, due: DueRemoval) =>
  (registration: Registration): TE.TaskEither<Unavailable, boolean> =>
    ports.removeParked(
      registration,
      due,
      ports.tombstone(registration.client_id),
      restorableFor > 0 ? at : undefined,
      audited(ports, { origin: { door: 'service', request_id: registration.registration_id } }, () => ({
        at,
        action: 'client_deleted',
        client_id: registration.client_id,
        actor: serviceActor,
        members: [],
      })),
    )

/**
 * One pass. Instances may run passes at the same time: a client is parked and removed only once, and only while it is
 * unused. Without observed days enough, nothing is due.
 */
export const sweepClients =
  (policy: LifeCyclePolicy, ports: SweepClientsPorts): TE.TaskEither<Unavailable, Swept> =>
  async () => {
    const at = ports.now()
    const days = await observe(policy, ports, at)()
    if (E.isLeft(days)) return days
    const forgotten = await ports.forgetRemoved(restorableSince(at, policy), maxSwept)()
    if (E.isLeft(forgotten)) return forgotten
    const parking = dueParking(at, days.right, policy)
    if (!ports.removes || parking === undefined)
      return E.right({ parked: 0, removed: 0, more: forgotten.right >= maxSwept })
    const parked = await ports.parkUnused(parking, maxSwept)()
    if (E.isLeft(parked)) return parked
    const removal = dueRemoval(at, days.right, policy)
    const due = removal === undefined ? E.right([]) : await ports.listParked(removal, maxSwept)()
    if (E.isLeft(due)) return due
    const outcomes = await mapConcurrently(removedTogether)(
      removal === undefined ? [] : due.right.map(remove(policy, ports, at, removal)),
    )()
    const failed = outcomes.find(E.isLeft)
    if (failed !== undefined) return failed
    const removed = outcomes.filter((outcome) => E.isRight(outcome) && outcome.right).length
    const isFull = [forgotten.right, parked.right, due.right.length].some((count) => count >= maxSwept)
    return E.right({ parked: parked.right, removed, more: isFull })
  }
