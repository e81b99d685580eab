import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { epochSeconds, secondsAfter } from '../../src/kernel/time.js'
import { advance, clockTolerance, laterRing, newRing, rollOver } from '../../src/keys/roll-over.js'
import { law, namedKey } from '@clientele/testing'

const Advance = suite('advance')
const it = law(Advance)

const policy = { lifetime: 1_000, publishAhead: 100, retention: 50, maxAge: 40 }
const now = epochSeconds(1_000_000_000_000)
const tooFar = fc.integer({ min: clockTolerance + 1, max: 400_000_000 })

it('a ring that was made by a clock far ahead is rolled over as any other', [tooFar], (ahead) => {
  const made = newRing(policy, secondsAfter(now, ahead))('EdDSA', 'sig', namedKey('first'))
  const ring = advance(policy, now)(made)
  const rolled = rollOver(policy, now)(ring, namedKey('second'))
  if (E.isLeft(rolled)) throw new Error('not rolled over')
  const then = secondsAfter(now, policy.publishAhead)
  assert.is(advance(policy, then)(rolled.right).current.key.kid, 'second')
  const later = laterRing(policy, now, [ring])('ES256', 'sig', namedKey('third'))
  assert.is(later.opensAt, then)
})

it('a ring whose times lie within the tolerance stays as it is', [fc.nat(clockTolerance)], (ahead) => {
  const ring = newRing(policy, secondsAfter(now, ahead))('EdDSA', 'sig', namedKey('first'))
  assert.is(advance(policy, now)(ring), ring)
})

Advance.run()
