import { law } from '@clientele/testing'
import * as fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type Places, createPlaces } from '../../src/listening/sources.js'

const fairPlaces = suite('fair places')
const it = law(fairPlaces)

const source = fc.option(fc.constantFrom('a', 'b', 'c', 'd', 'toString'), { nil: undefined })
const step = fc.oneof(fc.record({ take: source }), fc.record({ leave: source }))
const most = fc.integer({ min: 1, max: 12 })

type Occupied = Map<string | undefined, number>

const sum = (occupied: Occupied): number => [...occupied.values()].reduce((all, each) => all + each, 0)

/** Takes and releases places as given, but releases only taken ones, and reports each state. */
const walk = (
  places: Places,
  steps: ReadonlyArray<{ readonly take: string | undefined } | { readonly leave: string | undefined }>,
  meet: (occupied: Occupied, taker: string | undefined, isTaken: boolean) => void,
): Occupied => {
  const occupied: Occupied = new Map()
  const of = (name: string | undefined): number => occupied.get(name) ?? 0
  for (const each of steps) {
    if ('take' in each) {
      const before = new Map(occupied)
      const isTaken = places.take(each.take)
      if (isTaken) occupied.set(each.take, of(each.take) + 1)
      meet(before, each.take, isTaken)
    } else if (of(each.leave) > 0) {
      places.leave(each.leave)
      occupied.set(each.leave, of(each.leave) - 1)
    }
  }
  return occupied
}

it('a place is given exactly to whoever has fewer than are free', [most, fc.array(step)], (number, steps) => {
  walk(createPlaces(number), steps, (before, taker, isTaken) => {
    const own = taker === undefined ? 0 : (before.get(taker) ?? 0)
    assert.is(isTaken, own < number - sum(before))
  })
})

it('whoever has none gets one while one is free', [most, fc.array(step)], (number, steps) => {
  const places = createPlaces(number)
  const occupied = walk(places, steps, () => undefined)
  assert.is(places.take('newcomer'), sum(occupied) < number)
})

it('one source alone takes half of the places, rounded up, and all come back', [most], (number) => {
  const places = createPlaces(number)
  for (let round = 0; round < 2; round += 1) {
    const taken = Array.from({ length: number + 1 }, () => places.take('a')).filter((isTaken) => isTaken).length
    assert.is(taken, Math.ceil(number / 2))
    for (let place = 0; place < taken; place += 1) places.leave('a')
  }
  assert.equal(
    Array.from({ length: number + 1 }, () => places.take(undefined)),
    [...Array<boolean>(number).fill(true), false],
  )
})

fairPlaces('sources that have gone are forgotten: a million of them leave nothing behind', () => {
  const places = createPlaces(2)
  const before = process.memoryUsage().heapUsed
  for (let number = 0; number < 1_000_000; number += 1) {
    const name = `a source of its own, number ${number}`
    assert.ok(places.take(name))
    places.leave(name)
  }
  // A million names alone take seventy.
  const mebibytes = (process.memoryUsage().heapUsed - before) / 2 ** 20
  assert.ok(mebibytes < 45, `${mebibytes.toFixed(0)} MiB more`)
})

fairPlaces.run()
