import * as fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { pauseAfter } from '../../src/running/background.js'

const indexer = suite('the index of texts')

indexer('takes a quarter of the time of an idle process, a tenth of a busy one, and a share between in between', () =>
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 10_000 }), fc.double({ min: 0, max: 1, noNaN: true }), (took, busy) => {
      const shareAt = (how: number): number => took / (took + pauseAfter(took, how))
      assert.ok(Math.abs(shareAt(0) - 0.25) < 1e-9 && Math.abs(shareAt(1) - 0.1) < 1e-9)
      assert.ok(shareAt(busy) <= shareAt(0) && shareAt(busy) >= shareAt(1))
    }),
  ),
)

indexer.run()
