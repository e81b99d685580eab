// The states of a client, and the days for which its use can be known.
import type { RegisteredBy } from '../authorization/credential.js'
import { type EpochSeconds, secondsAfter } from '../kernel/time.js'

// The life cycle of a client: docs/life-cycle.md.

/** In the order of a life without an operator; an operator suspends a client in any of the first four. */
export const clientStates = ['unused', 'active', 'idle', 'parked', 'suspended', 'gone'] as const
export type ClientState = (typeof clientStates)[number]

/** Seconds; of the first two, observed days alone count (`dueParking`). */
export type LifeCyclePolicy = {
  /** After it began to wait, until an unused client of open registration is parked. */
  readonly unusedOpenParkedAfter: number
  /** After it began to wait, until such a client is removed: later than it is parked. */
  readonly unusedOpenRemovedAfter: number
  /** After its last use, until a client is idle. */
  readonly idleAfter: number
  /** After its removal, until a client_id is forgotten. */
  readonly tombstoneLifetime: number
  /** After the service removed a client by itself, while it can be restored; 0 where it cannot. */
  readonly restorableFor: number
}

const day = 86_400

export const defaultLifeCycle: LifeCyclePolicy = {
  unusedOpenParkedAfter: 7 * day,
  unusedOpenRemovedAfter: 30 * day,
  idleAfter: 90 * day,
  tombstoneLifetime: 90 * day,
  restorableFor: 30 * day,
}

/** The unit of a last use: one write per client and day. */
export const useUnit = day

/** The start of the UTC day: what is stored of a use at the time. */
export const useTime = (at: EpochSeconds): EpochSeconds => secondsAfter(at, -(at % useUnit))

/** What of a stored client its state depends on. */
export type LifeCycleFacts = {
  /** Since when the operator suspends the client; left out where it does not. */
  readonly suspended_at?: EpochSeconds
  /** Whether the service has parked it: an open client that was not used on enough observed days. */
  readonly parked: boolean
}

/** Whether the client was registered without a token: it counts as unused and open until its first use. */
export const isOpenClient = ({ registered_by }: { readonly registered_by: RegisteredBy }): boolean =>
  registered_by === 'nobody'

/**
 * The state of a client. `client` is undefined where none is registered; `lastUse` is undefined before the first use. A
 * use is known to the day, so that a client is idle up to a day early.
 */
export const stateOf = (
  client: LifeCycleFacts | undefined,
  lastUse: EpochSeconds | undefined,
  now: EpochSeconds,
  { idleAfter }: Pick<LifeCyclePolicy, 'idleAfter'>,
): ClientState => {
  if (client === undefined) return 'gone'
  if (client.suspended_at !== undefined) return 'suspended'
  if (lastUse !== undefined) return now - lastUse >= idleAfter ? 'idle' : 'active'
  return client.parked ? 'parked' : 'unused'
}

/**
 * Since when a client waits for its first use: its registration, or later its import, the end of its suspension or its
 * restoration.
 */
export const waitsSince = ({
  client_id_issued_at,
  waits_since,
}: {
  readonly client_id_issued_at: EpochSeconds
  readonly waits_since?: EpochSeconds
}): EpochSeconds => waits_since ?? client_id_issued_at

/** What the service removed by itself after this time can be restored. */
export const restorableSince = (
  now: EpochSeconds,
  { restorableFor }: Pick<LifeCyclePolicy, 'restorableFor'>,
): EpochSeconds => secondsAfter(now, -Math.min(now, restorableFor))

// The waits of unused clients: they count observed days alone, UTC days on which a use would have been seen. A day on which
// the service was down, or on which nobody recorded uses, shows nothing of a client. docs/decisions/0157.

/** The days that a wait of so many seconds takes: whole ones, and at least one. */
const daysOf = (seconds: number): number => Math.max(1, Math.ceil(seconds / useUnit))

/** The days that must be observed from the time at which a client is parked until it is removed: its announcement. */
export const noticeOf = ({ unusedOpenParkedAfter, unusedOpenRemovedAfter }: LifeCyclePolicy): number =>
  daysOf(unusedOpenRemovedAfter - unusedOpenParkedAfter)

/** The number of observed days that the decisions look at. */
export const daysLookedAt = ({ unusedOpenParkedAfter, unusedOpenRemovedAfter }: LifeCyclePolicy): number =>
  daysOf(Math.max(unusedOpenParkedAfter, unusedOpenRemovedAfter)) + 1

/** A store keeps at least the observed days of so many seconds, which is longer than the longest wait. */
export const observedDaysKept = 3_700 * useUnit

/**
 * The latest time since which so many observed days have passed as a whole: the start of the earliest of them. Today has
 * not passed. Undefined where fewer were observed.
 */
const passedSince = (
  now: EpochSeconds,
  observed: ReadonlyArray<EpochSeconds>,
  days: number,
): EpochSeconds | undefined =>
  [...new Set(observed.map(useTime))]
    .filter((day) => day < useTime(now))
    .sort((one, other) => other - one)
    .at(days - 1)

/** Which unused clients are parked: those that wait since that time or earlier, with this time and notice. */
export type DueParking = { readonly waitsSince: EpochSeconds; readonly at: EpochSeconds; readonly notice: number }

/** Undefined while none can be due. */
export const dueParking = (
  now: EpochSeconds,
  observed: ReadonlyArray<EpochSeconds>,
  policy: LifeCyclePolicy,
): DueParking | undefined => {
  const waitsSince = passedSince(now, observed, daysOf(policy.unusedOpenParkedAfter))
  return waitsSince === undefined ? undefined : { waitsSince, at: now, notice: noticeOf(policy) }
}

/**
 * Which parked clients are removed: those that wait since the first time or earlier, and were parked at the second one or
 * earlier, with a notice of at most so many days.
 */
export type DueRemoval = {
  readonly waitsSince: EpochSeconds
  readonly parkedUntil: EpochSeconds
  readonly notice: number
}

/** Undefined while none can be due. */
export const dueRemoval = (
  now: EpochSeconds,
  observed: ReadonlyArray<EpochSeconds>,
  policy: LifeCyclePolicy,
): DueRemoval | undefined => {
  const notice = noticeOf(policy)
  const waitsSince = passedSince(now, observed, daysOf(policy.unusedOpenRemovedAfter))
  const parkedUntil = passedSince(now, observed, notice)
  return waitsSince === undefined || parkedUntil === undefined ? undefined : { waitsSince, parkedUntil, notice }
}

/** The beginning of the UTC day that is so many days later. */
const dayAfter = (now: EpochSeconds, days: number): EpochSeconds => secondsAfter(useTime(now), days * useUnit)

/** What is due at the beginning of that later day, if uses are observed on each day until then: it cannot be more. */
export const dueRemovalIn = (
  days: number,
  now: EpochSeconds,
  observed: ReadonlyArray<EpochSeconds>,
  policy: LifeCyclePolicy,
): DueRemoval | undefined =>
  dueRemoval(
    dayAfter(now, days),
    [...observed, ...Array.from({ length: days }, (_, index) => dayAfter(now, index))],
    policy,
  )

/** The earliest time at which an open client that begins to wait now is parked: whole days follow the present one. */
export const earliestParking = (now: EpochSeconds, { unusedOpenParkedAfter }: LifeCyclePolicy): EpochSeconds =>
  dayAfter(secondsAfter(now, useUnit - 1), daysOf(unusedOpenParkedAfter))
