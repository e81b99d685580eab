import * as t from 'io-ts'
import { EpochSeconds, later } from '../codec/epoch-seconds.js'
import { neededUntil } from './published-until.js'
import { forgottenAt } from './retire-ring.js'
import type { KeyPolicy } from './key-settings.js'
import { type AnnouncedKey, type KeyRing, KeyUse } from './key-ring.js'
import { signsFrom } from './advance.js'
import { announcedAt } from './roll-over.js'

/** A key for operators, without its private half. */
export const KeyDescription = t.readonly(
  t.exact(
    t.intersection([
      t.type({
        kid: t.string,
        alg: t.string,
        use: KeyUse,
        phase: t.keyof({ announced: null, signing: null, closed: null, retired: null }),
        published_at: EpochSeconds,
        /** The start of the present phase. */
        since: EpochSeconds,
        /** The next change and its time. */
        next: t.keyof({ signs: null, 'successor is announced': null, retires: null, 'is forgotten': null }),
        next_at: EpochSeconds,
      }),
      /** The time at which the key leaves the set, if known. */
      t.partial({ forgotten_at: EpochSeconds }),
    ]),
  ),
  'KeyDescription',
)
export interface KeyDescription extends t.TypeOf<typeof KeyDescription> {}

type Phase = Pick<KeyDescription, 'phase' | 'since' | 'next' | 'next_at' | 'forgotten_at'>

// A key retires when its successor signs, and is published until its last signature has expired.
const leaving = (policy: KeyPolicy, ring: KeyRing, announced: AnnouncedKey): Phase => {
  const retires = signsFrom(policy, announced)
  const forgotten_at = later(ring.current.goodUntil, neededUntil(ring, policy, retires))
  return { phase: 'signing', since: ring.current.since, next: 'retires', next_at: retires, forgotten_at }
}

const ofCurrent = (policy: KeyPolicy, ring: KeyRing): Phase => {
  const { current, announced, closedAt, opensAt } = ring
  const end = forgottenAt(ring)
  if (closedAt !== undefined && end !== undefined)
    return { phase: 'closed', since: closedAt, next: 'is forgotten', next_at: end, forgotten_at: end }
  if (opensAt !== undefined)
    return { phase: 'announced', since: current.key.publishedAt, next: 'signs', next_at: opensAt }
  if (announced !== undefined) return leaving(policy, ring, announced)
  const next_at = announcedAt(policy, ring)
  return { phase: 'signing', since: current.since, next: 'successor is announced', next_at }
}

const ofAnnounced = (policy: KeyPolicy, announced: AnnouncedKey): Phase => ({
  phase: 'announced',
  since: announced.key.publishedAt,
  next: 'signs',
  next_at: signsFrom(policy, announced),
})

const describeRing =
  (policy: KeyPolicy) =>
  (ring: KeyRing): ReadonlyArray<KeyDescription> => {
    const { alg, use, announced, current, retired } = ring
    const named = ({ kid, publishedAt }: KeyRing['current']['key'], phase: Phase): KeyDescription => ({
      kid,
      alg,
      use,
      published_at: publishedAt,
      ...phase,
    })
    return [
      ...(announced === undefined ? [] : [named(announced.key, ofAnnounced(policy, announced))]),
      named(current.key, ofCurrent(policy, ring)),
      ...retired.map(({ key, since, forgottenAt: end }) =>
        named(key, { phase: 'retired', since, next: 'is forgotten', next_at: end, forgotten_at: end }),
      ),
    ]
  }

/** All keys of the rings, each with its phase and its next change. */
export const describeKeys = (policy: KeyPolicy, rings: ReadonlyArray<KeyRing>): ReadonlyArray<KeyDescription> =>
  rings.flatMap(describeRing(policy))
