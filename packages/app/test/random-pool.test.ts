import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { randomOctets } from '../src/random-pool.js'

const pool = suite('random octets')

pool('as many as are asked for, none of them twice', () => {
  const drawn = Array.from({ length: 50_000 }, () => Buffer.from(randomOctets(12)).toString('hex'))
  assert.ok(drawn.every((nonce) => nonce.length === 24))
  assert.is(new Set(drawn).size, drawn.length)
})

pool('of more than are drawn at once, those that are', () => {
  for (const wanted of [1, 4_095, 4_096, 4_097, 1_000_000])
    assert.is(randomOctets(wanted).length, Math.min(wanted, 4_096))
})

pool('every octet comes, about as often as the others', () => {
  const counts = new Array<number>(256).fill(0)
  for (let draws = 0; draws < 1_000; draws += 1)
    for (const octet of randomOctets(256)) counts[octet] = (counts[octet] ?? 0) + 1
  // 1,000 each; further away than this is less likely than one in a billion
  assert.ok(
    counts.every((count) => count > 750 && count < 1_250),
    String(counts),
  )
})

pool.run()
