// Keys with given names in place of real ones, and rings made of them.
import { unaudited } from '@clientele/domain/operations'
import * as fc from 'fast-check'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import { type EpochSeconds, epochSeconds } from '../../src/kernel/time.js'
import { type Unavailable, unavailable } from '../../src/kernel/refusals.js'
import { type GeneratedKey, laterRing, notForgotten, retireRing } from '../../src/keys/roll-over.js'
import type { KeyPolicy, KeyRing, KeySettings } from '../../src/keys/ring.js'
import type { KeyMaker } from '../../src/ports/outside.js'
import type { KeyRings, Leases, UnreadableKeyRing } from '../../src/ports/store.js'
import { emptyState, inMemoryStore } from '@clientele/adapters-memory'
import { type KeyEvent, done, keyEvent, keyPolicy, namedKey, noPauses, noRow } from '@clientele/testing'
import { type Simulated, begun, happens, tick } from '../keys/simulated-service.js'
import type { ManageKeysPorts } from '../../src/operations/keys.js'
import { type ReconcileKeyRingsPorts, reconcileKeyRings } from '../../src/operations/roll-over.js'

/** The beginning of all private halves that are made here. */
export const privateText = 'private half'

export type FakeKeyMaker = KeyMaker & { readonly made: ReadonlyArray<GeneratedKey> }

/** Every key has a new name. */
export const fakeKeyMaker = (fails: (alg: string) => boolean = () => false): FakeKeyMaker => {
  const made: Array<GeneratedKey> = []
  return {
    made,
    makeKey: (alg) =>
      TE.fromIOEither(() => {
        if (fails(alg)) return { _tag: 'Left', left: unavailable('no random bytes') }
        const key = namedKey(`${alg}-${made.length}`)
        made.push(key)
        return { _tag: 'Right', right: key }
      }),
  }
}

export type Lived = { readonly policy: KeyPolicy; readonly at: EpochSeconds; readonly ring: KeyRing }

const lifeOf = ([policy, events]: readonly [KeyPolicy, ReadonlyArray<KeyEvent>]): Lived => {
  const now = events.reduce<Simulated>((before, event) => happens(before, event, () => undefined), tick(begun(policy)))
  const { at, ring } = tick(now)
  return { policy: now.policy, at: epochSeconds(at * 1000), ring }
}

/** A ring in use after any history, when all due changes are made. */
export const livedRing = (): fc.Arbitrary<Lived> =>
  fc.tuple(keyPolicy(), fc.array(keyEvent(), { maxLength: 8 })).map(lifeOf)

const notOpenYet = ({ policy, at }: Lived): Lived => ({
  policy,
  at,
  ring: laterRing(policy, at, [])('EdDSA', 'sig', namedKey('later')),
})

/** A ring in use, one that is not open yet, or a closed one. */
export const anyRing = (): fc.Arbitrary<Lived> =>
  fc.oneof(
    { weight: 2, arbitrary: livedRing() },
    { weight: 1, arbitrary: livedRing().map(notOpenYet) },
    { weight: 1, arbitrary: livedRing().map((lived) => ({ ...lived, ring: retireRing(lived.at)(lived.ring) })) },
  )

export const beginning = epochSeconds(1_000_000_000_000)

export type KeyService = {
  /** Set by the test. */
  readonly clock: { at: EpochSeconds }
  readonly maker: FakeKeyMaker
  readonly ports: ManageKeysPorts & Leases
  /** The rings of each replacement. */
  readonly writes: ReadonlyArray<ReadonlyArray<KeyRing>>
  readonly stored: () => Promise<ReadonlyArray<KeyRing>>
}

/** A store in memory that records its writes, a key maker and a clock. */
export const keyService = (fails?: (alg: string) => boolean): KeyService => {
  const clock = { at: beginning }
  const maker = fakeKeyMaker(fails)
  const { keyRings, foreignKeys, leases } = inMemoryStore(emptyState(), () => clock.at)
  const writes: Array<ReadonlyArray<KeyRing>> = []
  const replaceKeyRings: KeyRings['replaceKeyRings'] = (changes, decidedAt) =>
    pipe(
      keyRings.replaceKeyRings(changes, decidedAt, noRow),
      TE.map(() => void writes.push(changes.map(({ next }) => next))),
    )
  return {
    clock,
    maker,
    ports: {
      ...unaudited,
      ...foreignKeys,
      ...leases,
      ...noPauses,
      ...keyRings,
      replaceKeyRings,
      makeKey: maker.makeKey,
    },
    writes,
    stored: () => done(keyRings.readKeyRings),
  }
}

/** The last call of an instance before it crashes, and whether the call takes effect without an answer. */
export type Crash = { readonly after: number; readonly isDone: boolean }

/** The ports of one instance, each call of which waits; after the crash, no call has an effect. */
export const instance = (ports: KeyService['ports'], pause: number, crash: Crash | undefined): KeyService['ports'] => {
  let left = crash?.after ?? Infinity
  const called =
    <Failure, Value>(port: TE.TaskEither<Failure, Value>): TE.TaskEither<Failure | Unavailable, Value> =>
    async () => {
      for (let turn = 0; turn < pause; turn += 1) await Promise.resolve()
      left -= 1
      if (left >= 0) return port()
      if (left === -1 && crash?.isDone === true) await port()
      return { _tag: 'Left', left: unavailable('crashed') }
    }
  return {
    ...ports,
    readKeyRingVersions: called(ports.readKeyRingVersions),
    readKeyRings: called(ports.readKeyRings),
    makeKey: (alg) => called(ports.makeKey(alg)),
    replaceKeyRings: (changes, decidedAt) => called(ports.replaceKeyRings(changes, decidedAt, noRow)),
  }
}

/** Reconciles the rings, and returns the published ones. */
export const publishedRings = (
  settings: KeySettings,
  ports: ReconcileKeyRingsPorts,
): TE.TaskEither<UnreadableKeyRing | Unavailable, ReadonlyArray<KeyRing>> =>
  pipe(
    reconcileKeyRings(settings, ports),
    TE.bindTo('rings'),
    TE.bindW('at', () => ports.readStoreTime),
    TE.map(({ rings, at }) => notForgotten(rings, at)),
  )
