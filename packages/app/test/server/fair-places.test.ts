import type { Source } from '@clientele/domain/kernel'
import { law } from '@clientele/testing'
import * as fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type Places, createPlaces } from '../../src/server/admission.js'

const fairPlaces = suite('fair places')
const it = law(fairPlaces)

// The sources of the first network, and one of each other.
const sourceOf = (name: string): Source => ({ name, network: `network ${'abc'.includes(name) ? 'abc' : name}` })
const source = fc.option(fc.constantFrom('a', 'b', 'c', 'd', 'toString').map(sourceOf), { nil: undefined })
const step = fc.oneof(fc.record({ take: source }), fc.record({ leave: source }))
const most = fc.integer({ min: 1, max: 12 })

/** Who has each taken place. */
type Occupied = ReadonlyArray<Source | undefined>

const placesOf = (occupied: Occupied, source: Source | undefined): number =>
  occupied.filter((each) => each?.name === source?.name).length

const placesOfNetwork = (occupied: Occupied, { network }: Source): number =>
  occupied.filter((each) => each?.network === network).length

/** Takes and releases places as given, but releases only taken ones, and reports each state. */
const walk = (
  places: Places,
  steps: ReadonlyArray<{ readonly take: Source | undefined } | { readonly leave: Source | undefined }>,
  meet: (occupied: Occupied, taker: Source | undefined, isTaken: boolean) => void,
): Occupied => {
  const occupied: Array<Source | undefined> = []
  for (const each of steps) {
    if ('take' in each) {
      const before = [...occupied]
      const isTaken = places.take(each.take)
      if (isTaken) occupied.push(each.take)
      meet(before, each.take, isTaken)
    } else if (placesOf(occupied, each.leave) > 0) {
      places.leave(each.leave)
      occupied.splice(
        occupied.findIndex((other) => other?.name === each.leave?.name),
        1,
      )
    }
  }
  return occupied
}

it(
  'a place is given exactly to a source with fewer than are free, in a network with fewer than four times as many',
  [most, fc.array(step)],
  (number, steps) => {
    walk(createPlaces(number), steps, (before, taker, isTaken) => {
      const free = number - before.length
      const fits = taker === undefined || (placesOf(before, taker) < free && placesOfNetwork(before, taker) < 4 * free)
      assert.is(isTaken, free > 0 && fits)
    })
  },
)

it('whoever has none gets one while one is free', [most, fc.array(step)], (number, steps) => {
  const places = createPlaces(number)
  const occupied = walk(places, steps, () => undefined)
  assert.is(places.take(sourceOf('newcomer')), occupied.length < number)
})

it('one source alone takes half of the places, rounded up, and all come back', [most], (number) => {
  const places = createPlaces(number)
  const a = sourceOf('a')
  for (let round = 0; round < 2; round += 1) {
    const taken = Array.from({ length: number + 1 }, () => places.take(a)).filter((isTaken) => isTaken).length
    assert.is(taken, Math.ceil(number / 2))
    for (let place = 0; place < taken; place += 1) places.leave(a)
  }
  assert.equal(
    Array.from({ length: number + 1 }, () => places.take(undefined)),
    [...Array<boolean>(number).fill(true), false],
  )
})

it('one network of many sources leaves a fifth of the places', [fc.integer({ min: 1, max: 60 })], (number) => {
  const places = createPlaces(number)
  const tried = Array.from({ length: 2 * number }, (_, index) =>
    places.take({ name: `source ${index}`, network: 'network' }),
  )
  assert.is(tried.filter((isTaken) => isTaken).length, Math.ceil((4 * number) / 5))
})

fairPlaces('sources that have gone are forgotten: a million of them leave nothing behind', () => {
  const places = createPlaces(2)
  const before = process.memoryUsage().heapUsed
  for (let number = 0; number < 1_000_000; number += 1) {
    const name = `a source of its own, number ${number}`
    const source = { name, network: `of ${name}` }
    assert.ok(places.take(source))
    places.leave(source)
  }
  // A million names alone take seventy.
  const mebibytes = (process.memoryUsage().heapUsed - before) / 2 ** 20
  assert.ok(mebibytes < 45, `${mebibytes.toFixed(0)} MiB more`)
})

fairPlaces.run()
