import { type KeyPhase, type KeyRing, keysOf } from './key-ring.js'

const phasesOf = (ring: KeyRing | undefined): ReadonlyMap<string, KeyPhase> =>
  new Map(ring === undefined ? [] : keysOf(ring).map(({ key, phase }) => [key.kid, phase]))

/** The keys that were added or removed, or changed their phase, sorted. */
export const changedKids = (before: KeyRing | undefined, after: KeyRing): ReadonlyArray<string> => {
  const were = phasesOf(before)
  const are = phasesOf(after)
  return [...new Set([...were.keys(), ...are.keys()])].filter((kid) => were.get(kid) !== are.get(kid)).sort()
}
