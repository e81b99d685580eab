import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { latestEnds, pauseBeforeFork } from '../../src/server/primary.js'

const pauses = suite('the pause before a worker is forked again')

pauses('doubles with each end, and is bounded', () => {
  assert.equal(
    [1, 2, 3, 9, 10, 1_000].map((ends) => pauseBeforeFork(ends)),
    [100, 200, 400, 25_600, 30_000, 30_000],
  )
})

pauses('counts the ends of the last minute only', () => {
  assert.equal(latestEnds([0, 1, 30_000, 60_000], 60_000), [1, 30_000, 60_000])
})

pauses('workers that never start are forked less than ten times a minute', () => {
  const forksUntil = (time: number): number => {
    const state: { now: number; forks: number; ends: ReadonlyArray<number> } = { now: 0, forks: 0, ends: [] }
    while (state.now < time) {
      state.ends = latestEnds([...state.ends, state.now], state.now)
      state.now += pauseBeforeFork(state.ends.length)
      state.forks += 1
    }
    return state.forks
  }
  assert.ok(forksUntil(3_600_000) < 600, `${forksUntil(3_600_000)} in an hour`)
})

pauses.run()
