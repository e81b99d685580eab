// The key rings, the keys of other providers, and the leases of those who change them.
import { type EpochSeconds, epochSeconds, unavailable } from '@clientele/domain/kernel'
import { type KeyRing, hasVersions, isInTime, keysOf, maxForeignKeys } from '@clientele/domain/keys'
import { type StoragePorts, keyRingChanged } from '@clientele/domain/ports'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type State, certainly, changed, forgetOver, removeAudited, step } from './state.js'

const nameOf = ({ alg, use }: KeyRing): string => `${use} ${alg}`

/** The rings by use and algorithm, as in the state. */
export const keyRingsOf = (rings: ReadonlyArray<KeyRing>): State['keyRings'] =>
  new Map(rings.map((ring) => [nameOf(ring), ring]))

/** `now` is the clock of the store. */
export const keyRings = (
  state: State,
  now: () => EpochSeconds = () => epochSeconds(Date.now()),
): StoragePorts['keyRings'] => ({
  confirmReads: TE.right(undefined),
  readStoreTime: TE.fromIO(now),
  readKeyRingVersions: certainly(() =>
    [...state.keyRings.values()].map(({ alg, use, version }) => ({ alg, use, version })),
  )(),
  readKeyRings: certainly(() => [...state.keyRings.values()])(),
  replaceKeyRings: step((changes, decidedAt, audit) => {
    const areAsRead = changes.every(
      ({ next, replacing }) => state.keyRings.get(nameOf(next))?.version === O.toUndefined(replacing)?.version,
    )
    const areForeign = changes.some(({ next }) => keysOf(next).some(({ key }) => state.foreignKeys.has(key.kid)))
    if (!isInTime(decidedAt, now()) || !areAsRead || areForeign) return E.left(keyRingChanged)
    for (const { next } of changes) state.keyRings.set(nameOf(next), next)
    return changed(state, audit)
  }),
})

export const foreignKeys = (state: State): StoragePorts['foreignKeys'] => ({
  readForeignKeys: certainly(() => [...state.foreignKeys.values()])(),
  addForeignKeys: step((added, rings, audit) => {
    const isFull = state.foreignKeys.size + added.length > maxForeignKeys
    if (isFull || added.some(({ kid }) => state.foreignKeys.has(kid))) return E.left(keyRingChanged)
    if (!hasVersions([...state.keyRings.values()], rings)) return E.left(keyRingChanged)
    if (new Set(added.map(({ kid }) => kid)).size < added.length) return E.left(unavailable('taken'))
    for (const key of added) state.foreignKeys.set(key.kid, key)
    return changed(state, audit)
  }),
  removeForeignKey: certainly((kid, audit) => removeAudited(state, state.foreignKeys, kid, audit)),
})

export const leases = (state: State): StoragePorts['leases'] => ({
  acquireLease: certainly((lease, at) => {
    forgetOver(state.leases, ({ until }) => until, at)
    const current = state.leases.get(lease.name)
    if (current !== undefined && current.holder !== lease.holder) return false
    state.leases.set(lease.name, lease)
    return true
  }),
  releaseLease: certainly((name, holder) => {
    if (state.leases.get(name)?.holder === holder) state.leases.delete(name)
  }),
})
