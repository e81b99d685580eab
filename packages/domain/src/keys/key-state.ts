// The keys as this instance last read them from the store: for publishing, signing and reading hints.
import { type EpochSeconds, epochSeconds } from '../codec/epoch-seconds.js'
import { notForgotten } from './retire-ring.js'
import type { ForeignKey } from './foreign-key.js'
import type { KeyRing } from './key-ring.js'
import { type KeySettings, ringNames } from './key-settings.js'

export type KeyState = {
  /** All stored rings. */
  readonly rings: ReadonlyArray<KeyRing>
  /** The rings that are not forgotten. */
  readonly published: ReadonlyArray<KeyRing>
  readonly foreign: ReadonlyArray<ForeignKey>
  /** The store's time just before the last read. */
  readonly readAt: EpochSeconds
  /** The end of this instance's lease for the reconciliation of the rings. */
  readonly leasedUntil: EpochSeconds | undefined
}

/** The state before the first read. */
export const unreadKeys: KeyState = {
  rings: [],
  published: [],
  foreign: [],
  readAt: epochSeconds(0),
  leasedUntil: undefined,
}

type Version = { readonly alg: string; readonly use: string; readonly version: number }

const isVersion =
  ({ alg, use, version }: Version) =>
  (ring: KeyRing): boolean =>
    ring.alg === alg && ring.use === use && ring.version === version

/** Whether the state has exactly these rings in these versions. */
export const hasVersions = ({ rings }: KeyState, versions: ReadonlyArray<Version>): boolean =>
  rings.length === versions.length && versions.every((version) => rings.some(isVersion(version)))

// In the order of the settings, so that instances with equal settings publish the same text.
const ordered = (settings: KeySettings, rings: ReadonlyArray<KeyRing>): ReadonlyArray<KeyRing> => {
  const named = ringNames(settings).flatMap(({ alg, use }) =>
    rings.filter((ring) => ring.alg === alg && ring.use === use),
  )
  return [...named, ...rings.filter((ring) => !named.includes(ring))]
}

// Rendered sets and imported keys are memoized by object identity, so that equal lists and rings keep their identity.
const sameList = <Item>(before: ReadonlyArray<Item>, now: ReadonlyArray<Item>): ReadonlyArray<Item> =>
  before.length === now.length && before.every((item, index) => item === now[index]) ? before : now

/** The state with these rings; a ring of an unchanged version keeps its identity. */
export const withRings =
  (settings: KeySettings, at: EpochSeconds) =>
  (before: KeyState, stored: ReadonlyArray<KeyRing>): KeyState => {
    const known = stored.map((ring) => before.rings.find(isVersion(ring)) ?? ring)
    const rings = sameList(before.rings, ordered(settings, known))
    return { ...before, rings, published: sameList(before.published, notForgotten(rings, at)) }
  }

/** The state with these keys of other signers. */
export const withForeignKeys = (before: KeyState, foreign: ReadonlyArray<ForeignKey>): KeyState =>
  JSON.stringify(before.foreign) === JSON.stringify(foreign) ? before : { ...before, foreign }
