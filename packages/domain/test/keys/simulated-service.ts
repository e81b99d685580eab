// A service with one ring, tokens that it signs and verifiers that cache its set, on a clock that the test sets.
import * as E from 'fp-ts/lib/Either.js'
import { epochSeconds } from '../../src/kernel/time.js'
import { revoke } from '../../src/keys/by-operator.js'
import { nextChange, publishedKeys } from '../../src/keys/published.js'
import { type KeyPolicy, type KeyRing, keysOf, signingKey } from '../../src/keys/ring.js'
import { advance, needsSuccessor, newRing, rollOver } from '../../src/keys/roll-over.js'
import { type KeyEvent, namedKey } from '@clientele/testing'
import { maxAgeAt } from '../support/just-read.js'

type Token = { readonly kid: string; readonly signed: number; readonly exp: number }
type Cache = { readonly kids: ReadonlyArray<string>; readonly fetched: number; readonly until: number }

export type Simulated = {
  readonly at: number
  readonly policy: KeyPolicy
  readonly ring: KeyRing
  readonly made: number
  readonly tokens: ReadonlyArray<Token>
  /** Each verifier started at another time; undefined before its first fetch. */
  readonly caches: ReadonlyArray<Cache | undefined>
  /** Sets that were fetched before this time may contain a compromised key, or lack its successor. */
  readonly compromisedAt: number
  readonly compromised: ReadonlyArray<string>
  readonly first: string
}

const start = 1_000_000_000
const moment = (at: number) => epochSeconds(at * 1000)
const verifiers = 3

export const begun = (policy: KeyPolicy): Simulated => ({
  at: start,
  policy,
  ring: newRing(policy, moment(start))('EdDSA', 'sig', namedKey('key-0')),
  made: 1,
  tokens: [],
  caches: Array.from({ length: verifiers }, () => undefined),
  compromisedAt: 0,
  compromised: [],
  first: 'key-0',
})

/** The service makes all due changes, including new successors. */
export const tick = (now: Simulated): Simulated => {
  const ring = advance(now.policy, moment(now.at))(now.ring)
  if (!needsSuccessor(now.policy, moment(now.at))(ring)) return { ...now, ring }
  const rolled = rollOver(now.policy, moment(now.at))(ring, namedKey(`key-${now.made}`))
  return E.isRight(rolled) ? { ...now, ring: rolled.right, made: now.made + 1 } : { ...now, ring }
}

const signed = (now: Simulated): Simulated => {
  const alive = now.tokens.filter(({ exp, kid }) => exp > now.at && !now.compromised.includes(kid))
  const token = { kid: signingKey(now.ring).kid, signed: now.at, exp: now.at + now.policy.retention }
  return { ...now, tokens: [...alive, token].slice(-12) }
}

export const publishedKids = (now: Simulated): ReadonlyArray<string> =>
  publishedKeys([now.ring]).keys.map(({ kid }) => kid)

// A verifier fetches only after its cached set has expired; the three differ by their index in the list.
const fetched = (now: Simulated): Simulated => ({
  ...now,
  caches: now.caches.map((cache, index) =>
    cache === undefined
      ? now.at - start >= index * 97
        ? stored(now)
        : undefined
      : cache.until > now.at
        ? cache
        : stored(now),
  ),
})

const stored = (now: Simulated): Cache => ({
  kids: publishedKids(now),
  fetched: now.at,
  until: now.at + maxAgeAt(now.policy, [now.ring], moment(now.at)),
})

/** Unexpired tokens that a verifier which respects max-age fails to verify. */
export const unverifiable = (now: Simulated): ReadonlyArray<unknown> =>
  now.caches.flatMap((cache) =>
    cache === undefined || cache.fetched <= now.compromisedAt
      ? []
      : now.tokens
          .filter(({ exp, kid }) => exp > now.at && !now.compromised.includes(kid) && !cache.kids.includes(kid))
          .map((token) => ({ token, cache, at: now.at })),
  )

const used = (now: Simulated): Simulated => fetched(signed(now))

/** Time passes while the service runs: it makes due changes, and signs all the while. */
const running = (now: Simulated, seconds: number, watch: (at: Simulated) => void): Simulated => {
  const end = now.at + seconds
  const step = Math.ceil(seconds / 10)
  let present = now
  for (let rounds = 0; present.at < end && rounds < 60; rounds += 1) {
    const due = Math.max(present.at + 1, nextChange(present.policy, present.ring))
    const caches = present.caches.map((cache) => cache?.until ?? end)
    const next = Math.min(end, due, ...caches.filter((until) => until > present.at), present.at + step)
    present = used(tick({ ...present, at: next }))
    watch(present)
  }
  return { ...present, at: end }
}

const compromised = (now: Simulated, index: number): Simulated => {
  const known = keysOf(now.ring)
  const kid = known[index % known.length]?.key.kid ?? ''
  const outcome = revoke(moment(now.at))(now.ring, kid, namedKey(`key-${now.made}`))
  if (E.isLeft(outcome)) return now
  return {
    ...now,
    ring: outcome.right.ring,
    made: now.made + 1,
    compromisedAt: now.at,
    compromised: [...now.compromised, kid],
  }
}

export const happens = (now: Simulated, event: KeyEvent, watch: (at: Simulated) => void): Simulated => {
  switch (event.kind) {
    case 'runs':
      return running(now, event.seconds, watch)
    case 'is down':
      return tick({ ...now, at: now.at + event.seconds })
    case 'sleeps':
      return used(tick({ ...now, at: now.at + event.seconds }))
    case 'rolls over': {
      const ring = advance(now.policy, moment(now.at))(now.ring)
      const rolled = rollOver(now.policy, moment(now.at))(ring, namedKey(`key-${now.made}`))
      return E.isRight(rolled) ? { ...now, ring: rolled.right, made: now.made + 1 } : { ...now, ring }
    }
    case 'compromises':
      return compromised(now, event.index)
    case 'restarts with':
      return tick({ ...now, policy: event.policy })
  }
}
