// Reads of the rings that took no time.
import * as E from 'fp-ts/lib/Either.js'
import type { EpochSeconds } from '../../src/kernel/time.js'
import type { KeyPolicy, KeyRing, LastRead } from '../../src/keys/ring.js'
import { maxAgeOf } from '../../src/keys/published.js'

export const justRead = (at: EpochSeconds): LastRead => ({ at, age: 0 })

/** The max-age of a set whose rings were just read. */
export const maxAgeAt = (policy: KeyPolicy, rings: ReadonlyArray<KeyRing>, at: EpochSeconds): number => {
  const maxAge = maxAgeOf(policy, rings)(justRead(at))
  if (E.isLeft(maxAge)) throw new Error(String(maxAge.left.detail))
  return maxAge.right
}
