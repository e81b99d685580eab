import {
  type JwkSetSource,
  type KeySettings,
  type KeyState,
  type ManageKeysPorts,
  publishJwkSet,
  unreadKeys,
} from '@clientele/domain'
import type { KeySource } from './key-source.js'

export type InstanceKeys = Pick<KeySource, 'keyRings' | 'foreignKeys'> &
  JwkSetSource & {
    readonly state: () => KeyState
    readonly take: (next: KeyState) => void
  }

/** The keys as this instance last read them; the set is rendered again only after a change. */
export const createInstanceKeys = (
  { policy }: KeySettings,
  ports: Pick<ManageKeysPorts, 'now'>,
  onChange: (before: KeyState, after: KeyState) => void,
): InstanceKeys => {
  const publish = publishJwkSet(policy, ports)
  let state = unreadKeys
  let publishedJwkSet = publish([], [])
  return {
    keyRings: () => state.published,
    foreignKeys: () => state.foreign,
    publishedJwkSet: () => publishedJwkSet(),
    state: () => state,
    take: (next) => {
      const before = state
      state = next
      if (next.published !== before.published || next.foreign !== before.foreign)
        publishedJwkSet = publish(next.published, next.foreign)
      onChange(before, next)
    },
  }
}
