import * as fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { isIpAddress } from '../../src/kernel/values.js'
import { law } from '@clientele/testing'

const IpAddress = suite('isIpAddress')
const it = law(IpAddress)

const pieces = ['0', '1', 'ff', 'FFFF', '12345', 'g', '::', '.', '256', '01', '1.2.3.4', '1.2.3.256']
const fromPieces = fc
  .array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 9 })
  .chain((each) => fc.constantFrom(each.join(':'), each.join('.'), each.join('').replace(/:::+/g, '::')))

// RFC 3986 §3.2.2, alternative by alternative
const h16 = '[0-9A-Fa-f]{1,4}'
const octet = '(?:[0-9]|[1-9][0-9]|1[0-9]{2}|2[0-4][0-9]|25[0-5])'
const v4 = `${octet}\\.${octet}\\.${octet}\\.${octet}`
const ls32 = `(?:${h16}:${h16}|${v4})`
const upTo = (count: number) => `(?:(?:${h16}:){0,${count - 1}}${h16})?`
const v6 = [
  `(?:${h16}:){6}${ls32}`,
  `::(?:${h16}:){5}${ls32}`,
  `${upTo(1)}::(?:${h16}:){4}${ls32}`,
  `${upTo(2)}::(?:${h16}:){3}${ls32}`,
  `${upTo(3)}::(?:${h16}:){2}${ls32}`,
  `${upTo(4)}::${h16}:${ls32}`,
  `${upTo(5)}::${ls32}`,
  `${upTo(6)}::${h16}`,
  `${upTo(7)}::`,
]
const grammar = new RegExp(`^(?:${[v4, ...v6].join('|')})$`)

it('an address is what the grammar of a URI takes for one', [fc.oneof(fromPieces, fc.ipV4(), fc.ipV6())], (text) =>
  assert.is(isIpAddress(text), grammar.test(text), text),
)

for (const address of [
  '203.0.113.7',
  '255.249.199.99',
  '::',
  '::1',
  '1::',
  '1:2:3:4:5:6:7:8',
  '1:2:3:4:5:6:7::',
  '::2:3:4:5:6:7:8',
  '2001:DB8::1',
  '::203.0.113.7',
  '64:ff9b::203.0.113.7',
  '1:2:3:4:5:6:203.0.113.7',
  `${'ffff:'.repeat(6)}255.255.255.255`,
])
  IpAddress(`${address} is one`, () => assert.ok(isIpAddress(address)))

for (const text of [
  '1.2.3.4.5',
  '1:2:3:4:5:6:7',
  '1:2:3:4:5:6:7:8:9',
  '1:2:3:4:5:6:7:203.0.113.7',
  '1:2:3::4:5:6:7:8',
  '1:2:3:4::5:6:203.0.113.7',
  '1:203.0.113.7::2',
  '1::g',
  'g::1',
  '12345::',
  ':1::2',
])
  IpAddress(`${text} is none`, () => assert.not(isIpAddress(text)))

IpAddress.run()
