// One of several instances over one store, with its own settings, name and clock.
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type EpochSeconds, secondsAfter } from '../../src/kernel/time.js'
import type { KeySettings } from '../../src/keys/ring.js'
import { type KeyState, unreadKeys } from '../../src/keys/published.js'
import { keyRingsLease, readKeyState, rotateKeys } from '../../src/operations/roll-over.js'
import { done } from '@clientele/testing'
import type { KeyService } from './key-maker.js'

export type KeyInstance = {
  readonly settings: KeySettings
  readonly ports: KeyService['ports']
  readonly holder: string
  state: KeyState
}

/** A new instance; the clock of the host of the store that answers it is ahead by that much. */
export const beginKeyInstance = (
  { ports, clock }: KeyService,
  settings: KeySettings,
  holder: string,
  ahead = 0,
): KeyInstance => ({
  settings,
  holder,
  ports: { ...ports, readStoreTime: TE.fromIO(() => secondsAfter(clock.at, ahead)) },
  state: unreadKeys,
})

export const reads = async (instance: KeyInstance): Promise<void> => {
  instance.state = await done(readKeyState(instance.settings, instance.ports)(instance.state))
}

/** The work of the schedule every few seconds. */
export const looks = async (instance: KeyInstance): Promise<void> => {
  await reads(instance)
  instance.state = await done(rotateKeys(instance.settings, instance.ports, instance.holder)(instance.state))
}

export const storeTimeOf = ({ ports }: KeyInstance): Promise<EpochSeconds> => done(ports.readStoreTime)

export const isLeaseHolder = ({ state }: KeyInstance): boolean => state.leasedUntil !== undefined

export const stops = (instance: KeyInstance): Promise<void> =>
  done(instance.ports.releaseLease(keyRingsLease, instance.holder))
