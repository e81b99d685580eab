import type * as E from 'fp-ts/lib/Either.js'
import type { EpochSeconds } from '@clientele/domain/kernel'
import {
  type GeneratedKey,
  type KeyPolicy,
  type KeyRing,
  type LastRead,
  type RingKey,
  type SigningRequest,
  advance,
  forgottenAt,
  maxAgeOf,
  permitSigning,
  retireRing,
  rollOver,
} from '@clientele/domain/keys'
import { type Law, lawsAbout } from './law.js'

type Judged<Value> = E.Either<{ readonly error: string }, Value>

/**
 * The functions that the laws of keys are about: what an instance publishes and signs by the rings that it last read, and
 * how rings change meanwhile.
 */
export type KeyRules = {
  /** The seconds for which a set of these rings may be cached. */
  readonly maxAgeOf: (policy: KeyPolicy, rings: ReadonlyArray<KeyRing>) => (read: LastRead) => Judged<number>
  readonly permitSigning: (
    policy: KeyPolicy,
    read: LastRead,
  ) => (ring: KeyRing, request: SigningRequest) => Judged<RingKey>
  /** All due changes that need no new key. */
  readonly advance: (policy: KeyPolicy, at: EpochSeconds) => (ring: KeyRing) => KeyRing
  /** Announces a successor. */
  readonly rollOver: (
    policy: KeyPolicy,
    at: EpochSeconds,
  ) => (ring: KeyRing, generated: GeneratedKey) => Judged<KeyRing>
  /** Closes the ring of an algorithm that is not used any more. */
  readonly retireRing: (at: EpochSeconds) => (ring: KeyRing) => KeyRing
  /** The time at which a closed ring leaves the set. */
  readonly forgottenAt: (ring: KeyRing) => EpochSeconds | undefined
}

/** The domain's own rules. */
export const keyRules: KeyRules = { maxAgeOf, permitSigning, advance, rollOver, retireRing, forgottenAt }

export type KeyLaw = Law<KeyRules>

export const keyLaw = lawsAbout(keyRules)
