// The published key set, and the keys as the operator sees them.
import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { isSameText } from '../kernel/json-object.js'
import type { Unavailable } from '../kernel/refusals.js'
import { EpochSeconds, earlier, epochSeconds, later } from '../kernel/time.js'
import { recordWith } from '../kernel/values.js'
import type { ForeignKey } from './by-operator.js'
import {
  type AnnouncedKey,
  type JwkSet,
  type KeyPolicy,
  type KeyRing,
  type KeyPhase,
  type KeySettings,
  type LastRead,
  type PublishedJwk,
  type RingKey,
  KeyUse,
  keysOf,
  maxSkew,
  neededUntil,
  phaseOfCurrent,
  notReadSince,
  presentTime,
  ringNames,
} from './ring.js'
import { announcedAt, forgottenAt, isOf, notForgotten, signsFrom } from './roll-over.js'

// The keys as this instance last read them from the store: for publishing, signing and reading hints.

export type KeyState = {
  /** All stored rings. */
  readonly rings: ReadonlyArray<KeyRing>
  /** The rings that are not forgotten. */
  readonly published: ReadonlyArray<KeyRing>
  readonly foreign: ReadonlyArray<ForeignKey>
  /** The store's time just before the last read. */
  readonly readAt: EpochSeconds
  /** The end of this instance's lease for the reconciliation of the rings. */
  readonly leasedUntil: EpochSeconds | undefined
}

/** The state before the first read. */
export const unreadKeys: KeyState = {
  rings: [],
  published: [],
  foreign: [],
  readAt: epochSeconds(0),
  leasedUntil: undefined,
}

/** The stored version of a ring. */
export type KeyRingVersion = { readonly alg: string; readonly use: string; readonly version: number }

const isVersion =
  ({ alg, use, version }: KeyRingVersion) =>
  (ring: KeyRingVersion): boolean =>
    ring.alg === alg && ring.use === use && ring.version === version

/** Whether the rings are exactly those of these versions. */
export const hasVersions = (rings: ReadonlyArray<KeyRingVersion>, versions: ReadonlyArray<KeyRingVersion>): boolean =>
  rings.length === versions.length && versions.every((version) => rings.some(isVersion(version)))

// In the order of the settings, so that instances with equal settings publish the same text.
const ordered = (settings: KeySettings, rings: ReadonlyArray<KeyRing>): ReadonlyArray<KeyRing> => {
  const named = ringNames(settings).flatMap((name) => rings.filter(isOf(name)))
  return [...named, ...rings.filter((ring) => !named.includes(ring))]
}

// Rendered sets and imported keys are memoized by object identity, so that equal lists and rings keep their identity.
const sameList = <Item>(before: ReadonlyArray<Item>, now: ReadonlyArray<Item>): ReadonlyArray<Item> =>
  before.length === now.length && before.every((item, index) => item === now[index]) ? before : now

/** The state with these rings; a ring of an unchanged version keeps its identity. */
export const withRings =
  (settings: KeySettings, at: EpochSeconds) =>
  (before: KeyState, stored: ReadonlyArray<KeyRing>): KeyState => {
    const known = stored.map((ring) => before.rings.find(isVersion(ring)) ?? ring)
    const rings = sameList(before.rings, ordered(settings, known))
    return { ...before, rings, published: sameList(before.published, notForgotten(rings, at)) }
  }

/** The state with these keys of other signers. */
export const withForeignKeys = (before: KeyState, foreign: ReadonlyArray<ForeignKey>): KeyState =>
  isSameText(before.foreign, foreign) ? before : { ...before, foreign }

const published = (ring: KeyRing, { kid, jwk }: RingKey): PublishedJwk => ({
  ...jwk,
  kid,
  use: ring.use,
  alg: ring.alg,
})

// A retired encryption key is not published, so that clients stop encrypting to it; it still decrypts.
const publishedOf = (ring: KeyRing): ReadonlyArray<RingKey> =>
  ring.use === 'enc' ? [ring.current.key] : keysOf(ring).map(({ key }) => key)

/**
 * RFC 7517 §5: the public halves of all keys that verify, including those of other signers, and of the current
 * encryption key.
 */
export const publishedKeys = (rings: ReadonlyArray<KeyRing>, foreign: ReadonlyArray<ForeignKey> = []): JwkSet => ({
  keys: [
    ...rings.flatMap((ring) => publishedOf(ring).map((key) => published(ring, key))),
    ...foreign.map(({ jwk, kid, alg }) => ({ ...jwk, kid, use: 'sig' as const, alg })),
  ],
})

const nextOfOpen = (policy: KeyPolicy, ring: KeyRing): EpochSeconds =>
  ring.announced === undefined ? announcedAt(policy, ring) : signsFrom(policy, ring.announced)

/** The time of the next change that is due in the ring. */
export const nextChange = (policy: KeyPolicy, ring: KeyRing): EpochSeconds => {
  const next =
    ring.closedAt === undefined ? (ring.opensAt ?? nextOfOpen(policy, ring)) : (forgottenAt(ring) ?? ring.closedAt)
  return ring.retired.map(({ forgottenAt: end }) => end).reduce(earlier, next)
}

/**
 * RFC 9111 §5.2.2.1: the seconds for which the set may be cached. They end before the next change, do not exceed the promise
 * of the rings, by which all instances compute the cache time, and end before a key can sign that another instance has
 * announced since the rings were read. Without keys, the set must not be cached, because the service makes keys soon.
 */
export const maxAgeOf = (
  policy: KeyPolicy,
  rings: ReadonlyArray<KeyRing>,
): ((read: LastRead) => E.Either<Unavailable, number>) => {
  if (rings.length === 0) return () => E.right(0)
  const next = Math.min(...rings.map((ring) => nextChange(policy, ring)))
  const longest = Math.min(policy.maxAge, ...rings.map(({ promised }) => promised.maxAge))
  const ahead = Math.min(...rings.map(({ promised }) => promised.publishAhead ?? policy.publishAhead))
  return (read) => {
    const left = Math.min(policy.publishAhead, ahead) - maxSkew - read.age
    return left <= 0
      ? E.left(notReadSince(read))
      : E.right(Math.min(longest, left, Math.max(0, next - presentTime(read))))
  }
}

/** A key for operators, without its private half. */
export const KeyDescription = recordWith(
  'KeyDescription',
  {
    kid: t.string,
    alg: t.string,
    use: KeyUse,
    phase: t.keyof({ announced: null, signing: null, published: null, closed: null, retired: null }),
    /** RFC 7517 §5: the time from which the set has the key; for an announced encryption key, it is to come. */
    published_at: EpochSeconds,
    /** The start of the present phase. */
    since: EpochSeconds,
    /** The next change and its time. */
    next: t.keyof({
      signs: null,
      'is published': null,
      'successor is announced': null,
      retires: null,
      'is forgotten': null,
    }),
    next_at: EpochSeconds,
  },
  /** The time at which the key leaves the set, if known. */
  { forgotten_at: EpochSeconds },
)
export interface KeyDescription extends t.TypeOf<typeof KeyDescription> {}

type Phase = Pick<KeyDescription, 'phase' | 'since' | 'next' | 'next_at' | 'forgotten_at'>

// A key retires when its successor takes over, and is forgotten when nothing that was signed by it, or encrypted to it, can
// come any more.
const leaving = (policy: KeyPolicy, ring: KeyRing, announced: AnnouncedKey): Phase => {
  const retires = signsFrom(policy, announced)
  const forgotten_at = later(ring.current.goodUntil, neededUntil(ring, policy, retires))
  return { phase: phaseOfCurrent(ring), since: ring.current.since, next: 'retires', next_at: retires, forgotten_at }
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
  return { phase: phaseOfCurrent(ring), since: current.since, next: 'successor is announced', next_at }
}

const ofAnnounced = (
  policy: KeyPolicy,
  use: KeyUse,
  announced: AnnouncedKey,
): Phase & { published_at?: EpochSeconds } => {
  const common = {
    phase: 'announced',
    since: announced.key.publishedAt,
    next_at: signsFrom(policy, announced),
  } as const
  return use === 'enc'
    ? { ...common, next: 'is published', published_at: common.next_at }
    : { ...common, next: 'signs' }
}

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
      ...(announced === undefined ? [] : [named(announced.key, ofAnnounced(policy, use, announced))]),
      named(current.key, ofCurrent(policy, ring)),
      ...retired.map(({ key, since, forgottenAt: end }) =>
        named(key, { phase: 'retired', since, next: 'is forgotten', next_at: end, forgotten_at: end }),
      ),
    ]
  }

/** All keys of the rings, each with its phase and its next change. */
export const describeKeys = (policy: KeyPolicy, rings: ReadonlyArray<KeyRing>): ReadonlyArray<KeyDescription> =>
  rings.flatMap(describeRing(policy))

const broken = (kid: string, use: KeyUse, phase: KeyPhase): ReadonlyArray<string> => {
  if (phase === 'announced') return [`${kid} was announced and did nothing yet: nothing breaks.`]
  if (use === 'enc') return [`What was encrypted to ${kid} cannot be read any more; its senders must encrypt it anew.`]
  if (phase === 'retired') return [`Tokens that ${kid} signed do not verify any more, although they have not expired.`]
  return [
    `Tokens that ${kid} signed do not verify any more: users sign in again.`,
    'Verifiers that keep the set from before go on accepting them until they fetch it anew, at most jwks-max-age seconds.',
  ]
}

const succeeding = (left: ReadonlyArray<KeyDescription>): ReadonlyArray<string> => {
  const successor = left.find(({ phase }) => phase === 'signing')
  if (successor === undefined) return []
  return successor.published_at === successor.since
    ? [
        'A new key signs at once: verifiers that keep the set from before refuse its tokens until they fetch it anew, at most jwks-max-age seconds.',
      ]
    : [`${successor.kid} signs at once: it was announced, so that verifiers may have it already.`]
}

/** What the revocation of a key breaks, and which key succeeds it; `left` are the keys of its ring afterwards. */
export const consequencesOf = (
  { kid, use, phase }: { readonly kid: string; readonly use: KeyUse; readonly phase: KeyPhase },
  left: ReadonlyArray<KeyDescription>,
): ReadonlyArray<string> => [...broken(kid, use, phase), ...(phase === 'signing' ? succeeding(left) : [])]
