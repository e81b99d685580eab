// The life cycle of a client: docs/life-cycle.md.
import type { RegisteredBy } from '../authorization/credential.js'
import { type EpochSeconds, secondsAfter } from '../codec/epoch-seconds.js'

/** In the order of a life without an operator; an operator suspends a client in any of the first four. */
export const clientStates = ['unused', 'active', 'idle', 'parked', 'suspended', 'gone'] as const
export type ClientState = (typeof clientStates)[number]

/** Seconds. */
export type LifeCyclePolicy = {
  /** After the registration, until an unused client of open registration is parked. */
  readonly unusedOpenParkedAfter: number
  /** After the registration, until such a client is removed: later than it is parked. */
  readonly unusedOpenRemovedAfter: number
  /** After its last use, until a client is idle. */
  readonly idleAfter: number
  /** After its removal, until a client_id is forgotten. */
  readonly tombstoneLifetime: number
}

const day = 86_400

export const defaultLifeCycle: LifeCyclePolicy = {
  unusedOpenParkedAfter: 7 * day,
  unusedOpenRemovedAfter: 30 * day,
  idleAfter: 90 * day,
  tombstoneLifetime: 90 * day,
}

/** The unit of a last use: one write per client and day. */
export const useUnit = day

/** The start of the UTC day: what is stored of a use at the time. */
export const useTime = (at: EpochSeconds): EpochSeconds => secondsAfter(at, -(at % useUnit))

/** What of a stored client its state depends on. */
export type LifeCycleFacts = {
  /** The authority for the registration. */
  readonly registered_by: RegisteredBy
  readonly client_id_issued_at: EpochSeconds
  /** Since when the operator suspends the client; left out where it does not. */
  readonly suspended_at?: EpochSeconds
}

/** Whether the client was registered without a token: it counts as unused and open until its first use. */
export const isOpenClient = ({ registered_by }: Pick<LifeCycleFacts, 'registered_by'>): boolean =>
  registered_by === 'nobody'

/**
 * The state of a client. `client` is undefined where none is registered; `lastUse` is undefined before the first use. A
 * use is known to the day, so that a client is idle up to a day early.
 */
export const stateOf = (
  client: LifeCycleFacts | undefined,
  lastUse: EpochSeconds | undefined,
  now: EpochSeconds,
  policy: LifeCyclePolicy,
): ClientState => {
  if (client === undefined) return 'gone'
  if (client.suspended_at !== undefined) return 'suspended'
  if (lastUse !== undefined) return now - lastUse >= policy.idleAfter ? 'idle' : 'active'
  const isParked = isOpenClient(client) && now - client.client_id_issued_at >= policy.unusedOpenParkedAfter
  return isParked ? 'parked' : 'unused'
}

/** Whether the client is removed at the next pass: only one that was parked before, and never a suspended one. */
export const isRemovable = (
  client: LifeCycleFacts,
  lastUse: EpochSeconds | undefined,
  now: EpochSeconds,
  policy: LifeCyclePolicy,
): boolean =>
  stateOf(client, lastUse, now, policy) === 'parked' &&
  now - client.client_id_issued_at >= policy.unusedOpenRemovedAfter

/** The latest time of registration of the unused open clients that are this many seconds old. */
export const registeredUntil = (now: EpochSeconds, seconds: number): EpochSeconds =>
  secondsAfter(now, -Math.min(now, seconds))
