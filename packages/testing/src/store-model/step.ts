import type { TokenHash } from '@clientele/domain/authorization'
import { type EpochSeconds, secondsAfter } from '@clientele/domain/kernel'
import type { KeyRing } from '@clientele/domain/keys'
import type { EndUserSession } from '@clientele/domain/logout'
import type { StoragePorts } from '@clientele/domain/ports'
import type { RegisteredClient } from '@clientele/domain/registration'
import * as fc from 'fast-check'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import { exampleTime } from '../examples/examples.js'

/** The values that were read after each group of steps, the latest last; later steps may use them. */
export type Seen = {
  readonly clients: ReadonlyArray<RegisteredClient>
  readonly initialAccessTokens: ReadonlyArray<TokenHash>
  readonly sessions: ReadonlyArray<EndUserSession>
  /** The ids. */
  readonly notifications: ReadonlyArray<string>
  readonly keyRings: ReadonlyArray<ReadonlyArray<KeyRing>>
}

export type Run = (ports: StoragePorts, seen: Seen) => TE.TaskEither<unknown, unknown>

/** One operation on a port. */
export type Step = {
  readonly name: string
  readonly run: Run
  /** Where a port may remove expired entries, or leave entries to a later step: the step in each way that is permitted. */
  readonly permitted?: ReadonlyArray<Run>
}

/** A part of a store: the steps that change it, and what they change. */
export type StoreModel = {
  readonly name: string
  /** Fills a new store. */
  readonly prepare: (ports: StoragePorts) => Promise<void>
  readonly step: fc.Arbitrary<Step>
  /** Everything that the ports return about this part. */
  readonly look: (ports: StoragePorts, seen: Seen) => Promise<unknown>
}

/** How many reads ago a value was read: mostly the latest. */
export const ago = fc.oneof({ weight: 3, arbitrary: fc.constant(1) }, fc.integer({ min: 2, max: 12 }))

/** Times in no order, as from the clocks of several hosts. */
export const time = fc.integer({ min: 0, max: 12 }).map((steps): EpochSeconds => secondsAfter(exampleTime, steps * 100))

export const subsetsOf = <Value>(values: ReadonlyArray<Value>): ReadonlyArray<ReadonlyArray<Value>> =>
  values.reduce<ReadonlyArray<ReadonlyArray<Value>>>(
    (all, each) => [...all, ...all.map((some) => [...some, each])],
    [[]],
  )
