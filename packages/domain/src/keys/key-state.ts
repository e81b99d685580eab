// The keys as one instance knows them from the store: what it publishes, signs with and takes hints by.
import type { EpochSeconds } from '../codec/epoch-seconds.js'
import { notForgotten } from './retire-ring.js'
import type { ForeignKey } from './foreign-key.js'
import type { KeyRing } from './key-ring.js'
import { type KeySettings, ringNames } from './key-settings.js'

export type KeyState = {
  /** All rings that are stored. */
  readonly rings: ReadonlyArray<KeyRing>
  /** Those that are not forgotten. */
  readonly published: ReadonlyArray<KeyRing>
  readonly foreign: ReadonlyArray<ForeignKey>
  /** Until when this instance holds the lease by which it may reconcile the rings. */
  readonly leasedUntil: EpochSeconds | undefined
}

/** Of an instance that has read nothing yet. */
export const unreadKeys: KeyState = { rings: [], published: [], foreign: [], leasedUntil: undefined }

type Version = { readonly alg: string; readonly use: string; readonly version: number }

const isVersion =
  ({ alg, use, version }: Version) =>
  (ring: KeyRing): boolean =>
    ring.alg === alg && ring.use === use && ring.version === version

/** Whether the state holds the rings in these versions, and no others. */
export const hasVersions = ({ rings }: KeyState, versions: ReadonlyArray<Version>): boolean =>
  rings.length === versions.length && versions.every((version) => rings.some(isVersion(version)))

// In the order of the settings, so that instances with the same settings publish the same text.
const ordered = (settings: KeySettings, rings: ReadonlyArray<KeyRing>): ReadonlyArray<KeyRing> => {
  const named = ringNames(settings).flatMap(({ alg, use }) =>
    rings.filter((ring) => ring.alg === alg && ring.use === use),
  )
  return [...named, ...rings.filter((ring) => !named.includes(ring))]
}

// What was rendered and imported is remembered by the very list and ring, so that equal ones stay the very ones.
const sameList = <Item>(before: ReadonlyArray<Item>, now: ReadonlyArray<Item>): ReadonlyArray<Item> =>
  before.length === now.length && before.every((item, index) => item === now[index]) ? before : now

/** The state with these rings; a ring in a version that the state has already stays the very ring. */
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
