import * as fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { law } from '@clientele/testing'
import { sourceNamed, sourceOf } from '../../src/kernel/budgets.js'

const SourceOf = suite('sourceOf')
const it = law(SourceOf)

const hextet = fc.integer({ min: 0, max: 0xffff })
const hextets = fc.array(hextet, { minLength: 8, maxLength: 8 })
const octets = fc.array(fc.integer({ min: 0, max: 255 }), { minLength: 4, maxLength: 4 })
const written = (parts: ReadonlyArray<number>): string => parts.map((each) => each.toString(16)).join(':')
const nameOf = (address: string | undefined): string => sourceOf(address).name

it(
  'is total, and never longer than an address',
  [fc.oneof(fc.string(), fc.ipV4(), fc.ipV6(), fc.anything())],
  (any) => {
    const { name } = sourceOf(typeof any === 'string' ? any : undefined)
    assert.ok(name === 'unknown' || /^(\d+\.){3}\d+$|^([0-9a-f]{1,4}:){4}:\/64$/.test(name), name)
  },
)

it(
  'addresses of one source are of one network, and it is a /24 or a /48',
  [fc.oneof(fc.ipV4(), fc.ipV6()), fc.oneof(fc.ipV4(), fc.ipV6())],
  (one, other) => {
    const a = sourceOf(one)
    const b = sourceOf(other)
    if (a.name === b.name) assert.is(a.network, b.network)
    assert.match(a.network, /^(\d+\.){3}0\/24$|^([0-9a-f]{1,4}:){3}:\/48$/)
    assert.is(sourceOf(a.network.replace(/\/.*/, '')).network, a.network)
  },
)

it('the networks of two addresses are one where their first 24 or 48 bits are', [hextets, hextets], (one, other) => {
  const moved = [...one.slice(0, 3), ...other.slice(3, 4), 1, 2, 3, 4]
  assert.is(sourceOf(written(moved)).network, sourceOf(written([...one.slice(0, 4), 4, 3, 2, 1])).network)
  assert.is(
    sourceOf(written([...other.slice(0, 3), 0, 1, 2, 3, 4])).network === sourceOf(written(moved)).network,
    written(one.slice(0, 3)) === written(other.slice(0, 3)),
  )
  const [a = 0, b = 0, c = 0, d = 0] = one.map((each) => each & 255)
  assert.is(sourceOf(`${a}.${b}.${c}.${d}`).network, `${a}.${b}.${c}.0/24`)
})

it('two IPv4 addresses are two sources', [octets, octets], (one, other) => {
  const a = one.join('.')
  const b = other.join('.')
  assert.is(nameOf(a), a)
  assert.is(nameOf(a) === nameOf(b), a === b)
})

it('an IPv4 address is the same source at a socket of IPv6', [octets], (parts) => {
  const [a = 0, b = 0, c = 0, d = 0] = parts
  const ipv4 = parts.join('.')
  const mapped = `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`
  for (const text of [`::ffff:${ipv4}`, `::FFFF:${mapped}`, `0:0:0:0:0:ffff:${ipv4}`]) assert.is(nameOf(text), ipv4)
})

it('IPv6 addresses are one source where they share the first 64 bits', [hextets, hextets], (one, other) => {
  const network = one.slice(0, 4)
  const otherNetwork = other.slice(0, 4)
  // Not the IPv4 addresses at a socket of IPv6.
  const host = other.slice(4).map((each, index) => (index === 0 ? each | 1 : each))
  assert.is(nameOf(written([...network, ...host])), nameOf(written([...network, 1, 2, 3, 4])))
  assert.is(
    nameOf(written([...network, ...host])) === nameOf(written([...otherNetwork, ...host])),
    written(network) === written(otherNetwork),
  )
})

it('the zone of an address says nothing about its sender', [fc.ipV6(), fc.string()], (address, zone) => {
  assert.is(nameOf(`${address}%${zone}`), nameOf(address))
})

it('the way of writing does not matter', [hextets], (parts) => {
  const plain = written(parts)
  const padded = parts.map((each) => each.toString(16).padStart(4, '0')).join(':')
  assert.is(nameOf(padded.toUpperCase()), nameOf(plain))
})

it(
  'an end-user, a document and an address are three sources, whatever they are called',
  [fc.string(), fc.string()],
  (one, other) => {
    const named = (['end-user', 'document'] as const).flatMap((kind) => [
      sourceNamed(kind, one),
      sourceNamed(kind, other),
    ])
    const all = [...named, sourceOf(one), sourceOf(other)]
    for (const part of ['name', 'network'] as const)
      assert.is(new Set(named.map((each) => each[part])).size, one === other ? 2 : 4)
    assert.ok(named.every(({ name }) => !all.slice(4).some((address) => address.name === name)))
  },
)

SourceOf('examples', () => {
  const cases: ReadonlyArray<readonly [string | undefined, string]> = [
    ['192.0.2.1', '192.0.2.1'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['2001:DB8:0:0:ffff::1', '2001:db8:0:0::/64'],
    ['2001:db8:0:1::1', '2001:db8:0:1::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    [undefined, 'unknown'],
    ['', 'unknown'],
    ['192.0.2.1:4711', 'unknown'],
    ['[2001:db8::1]', 'unknown'],
    ['192.0.2.256', 'unknown'],
    ['192.0.2.1%eth0', 'unknown'],
    ['%eth0', 'unknown'],
    ['__proto__', 'unknown'],
  ]
  for (const [address, name] of cases) assert.is(nameOf(address), name, address)
})

SourceOf.run()
