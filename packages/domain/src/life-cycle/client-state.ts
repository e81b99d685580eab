// The life cycle of a client: docs/life-cycle.md.
import type { RegisteredBy } from '../authorization/credential.js'
import { type EpochSeconds, secondsAfter } from '../codec/epoch-seconds.js'

/** In the order of a life without an operator; an operator suspends a client in any of the first four. */
export const clientStates = ['unused', 'active', 'idle', 'parked', 'suspended', 'gone'] as const
export type ClientState = (typeof clientStates)[number]

/** Seconds; of the first two, observed days alone count (observed-days.ts). */
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
  /** Whether the service has parked it: an open client that was not used on enough observed days (observed-days.ts). */
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
