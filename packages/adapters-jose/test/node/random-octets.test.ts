import { randomFillSync } from 'node:crypto'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createRandomOctets, randomOctets } from '../../src/node/random-octets.js'

const octets = suite('random octets')

octets('as many as are asked for, none of them twice', () => {
  const drawn = Array.from({ length: 50_000 }, () => Buffer.from(randomOctets(12)).toString('hex'))
  assert.ok(drawn.every((nonce) => nonce.length === 24))
  assert.is(new Set(drawn).size, drawn.length)
})

octets('of more than are drawn at once, those that are', () => {
  for (const wanted of [0, 1, 4_095, 4_096, 4_097, 1_000_000])
    assert.is(randomOctets(wanted).length, Math.min(wanted, 4_096))
})

octets('every octet comes, about as often as the others', () => {
  const counts = new Array<number>(256).fill(0)
  for (let draws = 0; draws < 1_000; draws += 1)
    for (const octet of randomOctets(256)) counts[octet] = (counts[octet] ?? 0) + 1
  // 1,000 each; further away than this is less likely than one in a billion
  assert.ok(
    counts.every((count) => count > 750 && count < 1_250),
    String(counts),
  )
})

// What two copies of one memory image have in common: the octets that were drawn ahead.
const image = randomFillSync(new Uint8Array(4_096))
const copyAt = (seconds: number, nanoseconds: number) =>
  createRandomOctets(
    (pool) => pool.set(image),
    () => [seconds, nanoseconds],
  )

octets('two copies of one memory image give different values, a nanosecond or a second apart', () => {
  const first = copyAt(7, 500)
  for (const other of [copyAt(7, 501), copyAt(8, 500), copyAt(7, 500 + 2 ** 24)]) {
    const [one, two] = [copyAt(7, 500)(12), other(12)]
    assert.is.not(Buffer.from(one).toString('hex'), Buffer.from(two).toString('hex'))
  }
  assert.equal(first(12).slice(8), image.slice(8, 12))
})

octets('what was given is not kept', () => {
  const drawn: Array<Uint8Array> = []
  const draw = createRandomOctets(
    (pool) => {
      drawn.push(pool)
      pool.set(image)
    },
    () => [0, 0],
  )
  draw(100)
  assert.equal(drawn[0]?.slice(0, 100), new Uint8Array(100))
  assert.equal(drawn[0]?.slice(100), image.slice(100))
})

octets.run()
