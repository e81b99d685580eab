import * as fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { mapConcurrently } from '../../src/operations/conflicts.js'

const Side = suite('mapConcurrently')

Side('every task runs once, so many at a time and no fewer, however long each takes', () =>
  fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: 1, max: 5 }), { maxLength: 40 }),
      fc.integer({ min: 1, max: 8 }),
      async (turns, concurrency) => {
        const counted = { now: 0, most: 0 }
        const tasks = turns.map((pause, index) => async () => {
          counted.now += 1
          counted.most = Math.max(counted.most, counted.now)
          for (let turn = 0; turn < pause; turn += 1) await Promise.resolve()
          counted.now -= 1
          return index
        })
        const results = await mapConcurrently(concurrency)(tasks)()
        assert.equal(
          [...results].sort((one, other) => one - other),
          turns.map((_, index) => index),
        )
        assert.is(counted.most, Math.min(concurrency, turns.length))
      },
    ),
  ),
)

Side('a task that never ends holds up its own lane alone', async () => {
  const done: Array<number> = []
  const doors: Array<() => void> = []
  const stuck = () => new Promise<void>((resolve) => doors.push(resolve))
  const others = Array.from({ length: 20 }, (_, index) => async () => void done.push(index))
  const all = mapConcurrently(2)([stuck, ...others])()
  await new Promise((resolve) => setTimeout(resolve, 20))
  assert.is(done.length, 20)
  doors.forEach((open) => open())
  await all
})

Side.run()
