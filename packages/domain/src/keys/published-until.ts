// How long verifiers may have a set that lacks a change, and how long a key must be available after its last use.
import { type EpochSeconds, later, secondsAfter } from '../codec/epoch-seconds.js'
import type { KeyPromises, KeyRing } from './key-ring.js'
import { maxReadAge, maxSkew } from './last-read.js'

/**
 * RFC 9111 §5.2.2.1: the time until which verifiers may cache sets without a change that is made at `at`. An instance
 * that cannot read the change publishes the set without it for the promised publishAhead (see maxAgeOf).
 */
export const cachedUntilOf = (
  { cachedUntil, promised }: Pick<KeyRing, 'cachedUntil' | 'promised'>,
  at: EpochSeconds,
): EpochSeconds => later(cachedUntil, secondsAfter(at, promised.publishAhead ?? promised.maxAge))

// Clients may encrypt to a key for as long as they may cache a set that contains it.
const useLasts = (use: KeyRing['use'], { retention, publishAhead = 0 }: KeyPromises): number =>
  use === 'enc' ? Math.max(retention, publishAhead) : retention

/**
 * The time until which a key is needed that is replaced at `at`: an instance that last read the ring just before signs
 * with the key until its read is too old.
 */
export const neededUntil = ({ use }: Pick<KeyRing, 'use'>, promised: KeyPromises, at: EpochSeconds): EpochSeconds =>
  secondsAfter(at, useLasts(use, promised) + maxReadAge + maxSkew)
