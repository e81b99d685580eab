import {
  type JwkSetSource,
  type KeySettings,
  type KeyState,
  type ManageKeysPorts,
  publishJwkSet,
  unreadKeys,
} from '@clientele/domain'
import type { KeySource } from './key-source.js'

export type HeldKeys = Pick<KeySource, 'keyRings' | 'foreignKeys'> &
  JwkSetSource & {
    readonly state: () => KeyState
    readonly take: (next: KeyState) => void
  }

/** The keys as this instance read them last; the set is rendered anew only when they change. */
export const createHeldKeys = (
  { policy }: KeySettings,
  ports: Pick<ManageKeysPorts, 'now'>,
  onChange: (before: KeyState, after: KeyState) => void,
): HeldKeys => {
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
