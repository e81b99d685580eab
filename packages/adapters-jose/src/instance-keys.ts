import type { EpochSeconds } from '@clientele/domain/kernel'
import { type KeySettings, type KeyState, type LastRead, unreadKeys } from '@clientele/domain/keys'
import { publishJwkSet } from '@clientele/domain/operations'
import type { JwkSetSource } from '@clientele/domain/ports'
import type { KeySource } from './key-source.js'
import { stopwatch } from './timing.js'

/** Measures the seconds since a read began. */
export type ReadAge = () => number

export type InstanceKeys = Pick<KeySource, 'keyRings' | 'foreignKeys' | 'lastRead'> &
  JwkSetSource & {
    readonly state: () => KeyState
    /** Takes the state after a change by this instance. */
    readonly take: (next: KeyState) => void
    /** Takes the state as read from the store. */
    readonly takeRead: (next: KeyState, age: ReadAge) => void
    readonly beginRead: () => ReadAge
  }

/** The keys as this instance last read them; the set is rendered again only after a change. */
export const createInstanceKeys = (
  { policy }: KeySettings,
  now: () => EpochSeconds,
  onChange: (before: KeyState, after: KeyState) => void,
): InstanceKeys => {
  const publish = publishJwkSet(policy)
  let state = unreadKeys
  let age: ReadAge = () => Infinity
  let publishedJwkSet = publish([], [])
  const lastRead = (): LastRead => ({ at: state.readAt, age: age() })
  const take = (next: KeyState): void => {
    const before = state
    state = next
    if (next.published !== before.published || next.foreign !== before.foreign)
      publishedJwkSet = publish(next.published, next.foreign)
    onChange(before, next)
  }
  return {
    keyRings: () => state.published,
    foreignKeys: () => state.foreign,
    lastRead,
    publishedJwkSet: () => publishedJwkSet(lastRead()),
    state: () => state,
    take,
    takeRead: (next, readAge) => {
      age = readAge
      take(next)
    },
    beginRead: () => stopwatch(now),
  }
}
