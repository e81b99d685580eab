// The service announces what it removes by itself; the operator lists what it has removed, and restores one: docs/life-cycle.md.
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import { actorOfOperator } from '../audit/audit-entry.js'
import type { ForOperator, Operator } from '../authorization/operator.js'
import { ClientId } from '../client/client-id.js'
import { type EpochSeconds, secondsAfter } from '../codec/epoch-seconds.js'
import {
  type InvalidRequest,
  type RestorationConflict,
  type Unavailable,
  type UnknownClient,
  restorationConflict,
  unknownClient,
} from '../errors.js'
import { type LifeCyclePolicy, restorableSince, useTime, useUnit } from '../life-cycle/client-state.js'
import { daysLookedAt, dueRemovalIn } from '../life-cycle/observed-days.js'
import { type Parameters, decodePage } from '../managing/decode-query.js'
import { type DescribedClient, describeClient } from '../managing/described-client.js'
import { positionText } from '../managing/list-position.js'
import type { ClientUses, RemovedClient } from '../ports/client-uses.js'
import type { ConfirmReads } from '../ports/confirm-reads.js'
import type { CredentialGenerator } from '../ports/credential-generator.js'
import { type AuditPorts, type WithOrigin, audited } from './steps/audited.js'
import { confirmed } from './steps/confirmed.js'
import type { MakeTombstone } from './steps/tombstone.js'

export type AnnounceRemovalsPorts = Pick<ClientUses, 'observedDays' | 'countParked'> &
  Pick<CredentialGenerator, 'now'> & {
    readonly lifeCycle: LifeCyclePolicy
    /** Whether the service removes clients by itself. */
    readonly removes: boolean
  }

/** The parked clients that the service will remove, if they stay unused and uses are observed on each day: it cannot be more. */
export type AnnouncedRemovals = {
  /** All whose removal is announced, and of them those of today and tomorrow, and of the next seven days; each up to maxAnnounced. */
  readonly clients: number
  readonly within_a_day: number
  readonly within_a_week: number
  /** The beginning of the UTC day of the first removal; left out where there is none. */
  readonly first_at?: EpochSeconds
}

export const maxAnnounced = 100_000

/** The first of the days from `early` to `late` on which any is due. On each later day no fewer are: half of the days are left out at once. */
const firstOf = (
  countIn: (days: number) => TE.TaskEither<Unavailable, number>,
  early: number,
  late: number,
): TE.TaskEither<Unavailable, number> => {
  if (early >= late) return TE.right(late)
  const middle = Math.floor((early + late) / 2)
  return pipe(
    countIn(middle),
    TE.flatMap((count) => (count > 0 ? firstOf(countIn, early, middle) : firstOf(countIn, middle + 1, late))),
  )
}

export const announceRemovals =
  ({
    lifeCycle,
    removes,
    now,
    observedDays,
    countParked,
  }: AnnounceRemovalsPorts): TE.TaskEither<Unavailable, AnnouncedRemovals> =>
  async () => {
    const none: AnnouncedRemovals = { clients: 0, within_a_day: 0, within_a_week: 0 }
    const at = now()
    const looked = daysLookedAt(lifeCycle)
    const observed = removes ? await observedDays(at, looked)() : E.right([])
    if (E.isLeft(observed)) return observed
    const countIn = (days: number, max: number): TE.TaskEither<Unavailable, number> => {
      const due = dueRemovalIn(days, at, observed.right, lifeCycle)
      return due === undefined ? TE.right(0) : countParked(due, max)
    }
    const all = removes ? await countIn(looked, maxAnnounced)() : E.right(0)
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

export type RemovedClientsPorts = AnnounceRemovalsPorts & Pick<ClientUses, 'listRemoved'>

/**
 * A page of the clients that can be restored, in the order of their removal: as a list describes them, with two times; and
 * what the service will remove next.
 */
export type RemovalsPage = {
  readonly announced: AnnouncedRemovals
  readonly removed: ReadonlyArray<
    DescribedClient & { readonly removed_at: EpochSeconds; readonly restorable_until: EpochSeconds }
  >
  readonly next?: string
}

export const listRemovedClients =
  (
    ports: RemovedClientsPorts,
  ): ForOperator<'clients:read', (query: Parameters) => TE.TaskEither<InvalidRequest | Unavailable, RemovalsPage>> =>
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
      TE.fromEither(decodePage(query)),
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
        ...(next === undefined ? {} : { next: positionText(next) }),
      })),
    )
  }

export type RestoreClientPorts = Pick<ClientUses, 'restoreRemoved'> &
  Pick<CredentialGenerator, 'now'> &
  ConfirmReads &
  AuditPorts & { readonly lifeCycle: LifeCyclePolicy; readonly tombstone?: MakeTombstone }

export type RestoreClientRequest = WithOrigin & {
  readonly operator: Operator<'clients:write'>
  readonly clientId: string
}

/** The client is registered again as it was, with its credentials, and begins to wait for its first use. */
export const restoreClient =
  (ports: RestoreClientPorts) =>
  (
    request: RestoreClientRequest,
  ): TE.TaskEither<UnknownClient | RestorationConflict | Unavailable, { readonly client_id: ClientId }> => {
    const { operator, clientId } = request
    if (!ClientId.is(clientId)) return TE.left(unknownClient)
    const at = ports.now()
    const row = audited(ports, request, () => ({
      at,
      action: 'client_restored',
      client_id: clientId,
      actor: actorOfOperator(operator),
      members: [],
    }))
    return pipe(
      ports.restoreRemoved(
        clientId,
        { since: restorableSince(at, ports.lifeCycle), at, tombstone: ports.tombstone?.(clientId).id },
        row,
      ),
      TE.mapLeft((refusal) => (refusal.error === 'client_id_taken' ? restorationConflict : refusal)),
      TE.orElse((refusal) => (refusal.error === 'unavailable' ? TE.left(refusal) : confirmed(ports)(E.left(refusal)))),
      TE.map(() => ({ client_id: clientId })),
    )
  }
