import * as fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { nextChange, publishedKeys } from '../../src/keys/published.js'
import { KeyRing, keysOf, knownKids } from '../../src/keys/ring.js'
import { epochSeconds } from '../../src/kernel/time.js'
import { keyEvent, keyPolicy, propertyRuns, type KeyEvent } from '@clientele/testing'
import { type Simulated, begun, happens, publishedKids, tick, unverifiable } from './simulated-service.js'
import { maxAgeAt } from '../support/just-read.js'

const Ring = suite('key ring')
// Histories with faults are rare: more runs than for other properties, unless few are requested.
const numRuns = propertyRuns() < 200 ? propertyRuns() : Math.max(2_000, propertyRuns())
const history = fc.tuple(keyPolicy(), fc.array(keyEvent(), { maxLength: 25 }))

/** Runs the history, and checks every moment of it together with the previous one. */
const always = (statement: string, holds: (now: Simulated, before: Simulated) => void): void => {
  Ring(`${statement}, in every history`, () => {
    fc.assert(
      fc.property(history, ([policy, events]) => {
        let before = tick(begun(policy))
        const watch = (now: Simulated): void => {
          holds(now, before)
          before = now
        }
        events.reduce((now: Simulated, event: KeyEvent) => {
          const next = happens(now, event, watch)
          watch(next)
          return next
        }, before)
      }),
      { numRuns },
    )
  })
}

const moment = (at: number) => epochSeconds(at * 1000)

always('a ring has one key that signs, and at most one that is announced', ({ ring }) => {
  const phases = keysOf(ring).map(({ phase }) => phase)
  assert.is(phases.filter((phase) => phase === 'signing').length, 1)
  assert.ok(phases.filter((phase) => phase === 'announced').length <= 1)
})

always(
  'a key that signs was published for publishAhead before, but the first and what follows a compromise',
  (now, before) => {
    const { key, since } = now.ring.current
    const exempt = key.kid === now.first || now.compromisedAt >= since
    const isNew = before.ring.current.key.kid !== key.kid
    if (!exempt && isNew) assert.ok(now.at - key.publishedAt >= now.policy.publishAhead)
  },
)

always('no kid stands twice, and none comes again', (now, before) => {
  const kids = knownKids(now.ring)
  assert.is(new Set(kids).size, kids.length)
  const gone = before.ring.forgotten
  assert.not(keysOf(now.ring).some(({ key }) => gone.includes(key.kid)))
})

always('a key stays published until the retention after it last signed', (now) => {
  for (const { kid, exp } of now.tokens)
    if (exp > now.at && !now.compromised.includes(kid)) assert.ok(publishedKids(now).includes(kid))
})

always('whoever keeps to the max-age verifies every signature in force', (now) => assert.equal(unverifiable(now), []))

always('the max-age never reaches past the next change, and never beyond the policy', (now) => {
  const maxAge = maxAgeAt(now.policy, [now.ring], moment(now.at))
  assert.ok(maxAge >= 0 && maxAge <= now.policy.maxAge)
  assert.ok(maxAge === 0 || now.at + maxAge <= nextChange(now.policy, now.ring))
})

always('the set is never empty and has no private member', ({ ring }) => {
  const { keys } = publishedKeys([ring])
  assert.ok(keys.length > 0)
  for (const key of keys) {
    assert.not(['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k', 'privateKey'].some((name) => Object.hasOwn(key, name)))
    assert.equal([key.use, key.alg], ['sig', 'EdDSA'])
  }
})

always('a ring survives its own codec', ({ ring }) => {
  const decoded = KeyRing.decode(JSON.parse(JSON.stringify(ring)))
  assert.equal(decoded._tag === 'Right' && JSON.parse(JSON.stringify(decoded.right)), JSON.parse(JSON.stringify(ring)))
})

Ring.run()
