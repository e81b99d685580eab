import * as fc from 'fast-check'
import { law } from '@clientele/testing'
import ipaddr from 'ipaddr.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { isPublicAddress } from '../src/addresses.js'

const PublicAddress = suite('isPublicAddress')

// Each range by its first and last address: the IANA special-purpose registries, and deprecated or unassigned ranges.
const special: Readonly<Record<string, readonly [string, string]>> = {
  '0.0.0.0/8': ['0.0.0.0', '0.255.255.255'],
  '10.0.0.0/8': ['10.0.0.0', '10.255.255.255'],
  '100.64.0.0/10': ['100.64.0.0', '100.127.255.255'],
  '127.0.0.0/8': ['127.0.0.1', '127.255.255.255'],
  '169.254.0.0/16': ['169.254.0.0', '169.254.169.254'],
  '172.16.0.0/12': ['172.16.0.0', '172.31.255.255'],
  '192.0.0.0/24': ['192.0.0.0', '192.0.0.255'],
  '192.0.2.0/24': ['192.0.2.0', '192.0.2.255'],
  '192.31.196.0/24': ['192.31.196.0', '192.31.196.255'],
  '192.52.193.0/24': ['192.52.193.0', '192.52.193.255'],
  '192.88.99.0/24': ['192.88.99.0', '192.88.99.255'],
  '192.168.0.0/16': ['192.168.0.0', '192.168.255.255'],
  '192.175.48.0/24': ['192.175.48.0', '192.175.48.255'],
  '198.18.0.0/15': ['198.18.0.0', '198.19.255.255'],
  '198.51.100.0/24': ['198.51.100.0', '198.51.100.255'],
  '203.0.113.0/24': ['203.0.113.0', '203.0.113.255'],
  '224.0.0.0/4': ['224.0.0.0', '239.255.255.255'],
  '240.0.0.0/4': ['240.0.0.0', '255.255.255.254'],
  '255.255.255.255/32': ['255.255.255.255', '255.255.255.255'],
  '::/128 and ::1/128': ['::', '::1'],
  '::/96': ['::2', '::8.8.8.8'],
  '::ffff:127.0.0.0/104': ['::ffff:127.0.0.0', '::ffff:7fff:ffff'],
  '::ffff:0:0:0/96': ['::ffff:0:8.8.8.8', '::ffff:0:ffff:ffff'],
  '64:ff9b::/96': ['64:ff9b::', '64:ff9b::8.8.8.8'],
  '64:ff9b:1::/48': ['64:ff9b:1::', '64:ff9b:1:ffff:ffff:ffff:ffff:ffff'],
  '100::/64': ['100::', '100::ffff:ffff:ffff:ffff'],
  '100:0:0:1::/64': ['100:0:0:1::', '100:0:0:1:ffff:ffff:ffff:ffff'],
  '2001::/23': ['2001::', '2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff'],
  '2001:db8::/32': ['2001:db8::', '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff'],
  '2002::/16': ['2002::', '2002:808:808::1'],
  '2620:4f:8000::/48': ['2620:4f:8000::', '2620:4f:8000:ffff:ffff:ffff:ffff:ffff'],
  '3fff::/20': ['3fff::', '3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff'],
  '4000::/3': ['4000::', '5fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  '5f00::/16': ['5f00::', '5f00:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  'fc00::/7': ['fc00::', 'fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  'fe80::/10': ['fe80::', 'febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  'fec0::/10': ['fec0::', 'feff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  'ff00::/8': ['ff00::', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
}

for (const [range, ends] of Object.entries(special))
  PublicAddress(`${range} is not public`, () =>
    assert.equal(
      ends.filter((address) => isPublicAddress(address)),
      [],
    ),
  )

PublicAddress('addresses of the Internet are public, also when IPv4 is mapped into IPv6', () => {
  const addresses = ['1.1.1.1', '9.255.255.255', '11.0.0.0', '100.128.0.0', '198.17.255.255', '223.255.255.255']
  const more = ['::ffff:8.8.8.8', '2606:4700:4700::1111', '2001:200::', '2a00:1450::1', '2003::1']
  assert.equal(
    [...addresses, ...more].filter((address) => !isPublicAddress(address)),
    [],
  )
})

PublicAddress('an address with a zone is not public (RFC 4007 §11)', () => {
  assert.not(isPublicAddress('fe80::1%eth0'))
  assert.not(isPublicAddress('2606:4700:4700::1111%1'))
})

PublicAddress('only the notations that a socket tells are addresses', () => {
  const others = ['', '2130706433', '0x8.8.8.8', '010.8.8.8', '8.8', '[2606:4700::1]', 'one.example', ' 8.8.8.8']
  assert.equal(
    others.filter((text) => isPublicAddress(text)),
    [],
  )
})

const numberOf = (address: string): readonly [number, bigint] => {
  const text = address.includes(':') ? new URL(`https://[${address}]`).hostname.slice(1, -1) : address
  const bytes = ipaddr.parse(text).toByteArray()
  return [bytes.length, bytes.reduce((sum, byte) => sum * 256n + BigInt(byte), 0n)]
}

const isInside = (address: string, [first, last]: readonly [string, string]): boolean => {
  const [size, value] = numberOf(address)
  const [firstSize, low] = numberOf(first)
  const [, high] = numberOf(last)
  return size === firstSize && value >= low && value <= high
}

const noneIsPublic = (address: string): boolean =>
  !isPublicAddress(address) || !Object.values(special).some((range) => isInside(address, range))

law(PublicAddress)('no IPv4 address within a special range is public', [fc.ipV4()], noneIsPublic)
law(PublicAddress)('no IPv6 address within a special range is public', [fc.ipV6()], noneIsPublic)

const fromBytes = (bytes: ReadonlyArray<number>): string => ipaddr.fromByteArray([...bytes]).toString()

// Random addresses are rarely in a small range, so that these are drawn from each range.
const insideSpecial = fc
  .constantFrom(...Object.values(special))
  .chain(([first, last]) => {
    const [size, low] = numberOf(first)
    const [, high] = numberOf(last)
    return fc.bigInt(low, high).map((value) => value.toString(16).padStart(size * 2, '0'))
  })
  .map((hex) => fromBytes([...Buffer.from(hex, 'hex')]))

law(PublicAddress)('an address drawn from a special range is not public', [insideSpecial], (address) =>
  assert.not(isPublicAddress(address)),
)

law(PublicAddress)('an address counts the same when it is mapped into IPv6', [fc.ipV4()], (address) => {
  assert.is(isPublicAddress(`::ffff:${address}`), isPublicAddress(address))
})

law(PublicAddress)('any text whatever has an answer', [fc.string()], (text) =>
  assert.type(isPublicAddress(text), 'boolean'),
)

PublicAddress.run()
