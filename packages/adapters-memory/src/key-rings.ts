import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import {
  type EpochSeconds,
  epochSeconds,
  isInTime,
  keyRingChanged,
  type KeyRing,
  type KeyRingChange,
  type KeyRings,
} from '@clientele/domain'
import { writeAudit } from './audit-log.js'
import { emptyState, type State } from './state.js'
import { step } from './step.js'

const nameOf = ({ alg, use }: KeyRing): string => `${use} ${alg}`

/** The rings by use and algorithm, as in the state. */
export const keyRingsOf = (rings: ReadonlyArray<KeyRing>): State['keyRings'] =>
  new Map(rings.map((ring) => [nameOf(ring), ring]))

/** `now` is the clock of the store. */
export const inMemoryKeyRings = (
  state: State = emptyState(),
  now: () => EpochSeconds = () => epochSeconds(Date.now()),
): KeyRings => {
  const rings = state.keyRings
  const isAsRead = ({ next, replacing }: KeyRingChange): boolean =>
    rings.get(nameOf(next))?.version === O.toUndefined(replacing)?.version
  return {
    confirmReads: TE.right(undefined),
    readStoreTime: TE.fromIO(now),
    readKeyRingVersions: step(() =>
      E.right([...rings.values()].map(({ alg, use, version }) => ({ alg, use, version }))),
    ),
    readKeyRings: step(() => E.right([...rings.values()])),
    replaceKeyRings: (changes, decidedAt, audit) =>
      step(() => {
        if (!isInTime(decidedAt, now()) || !changes.every(isAsRead)) return E.left(keyRingChanged)
        for (const { next } of changes) rings.set(nameOf(next), next)
        writeAudit(state, audit)
        return E.right(undefined)
      }),
  }
}
