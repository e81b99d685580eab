import * as fc from 'fast-check'
import { law } from '@clientele/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { allowingNetworks } from '../src/index.js'
import { isPublicAddress } from '../src/addresses.js'

const Networks = suite('networks that are allowed')
const it = law(Networks)

const anyAddress = fc.oneof(fc.ipV4(), fc.ipV6())

it('without any, the public addresses are allowed', [fc.oneof(anyAddress, fc.string())], (address) => {
  assert.is(allowingNetworks([])(address), isPublicAddress(address))
})

it('a network takes nothing away', [anyAddress, fc.ipV4()], (address, network) => {
  if (isPublicAddress(address)) assert.ok(allowingNetworks([`${network}/8`])(address))
})

it('an address that is named is allowed, and so is all of its network', [fc.ipV4(), fc.nat(255)], (address, last) => {
  const neighbour = address.replace(/\d+$/, String(last))
  assert.ok(allowingNetworks([address])(address))
  assert.ok(allowingNetworks([`${address}/24`])(neighbour))
  assert.ok(allowingNetworks([`${address}/24`])(`::ffff:${neighbour}`))
  assert.is(allowingNetworks([address])(neighbour), isPublicAddress(neighbour) || neighbour === address)
})

Networks('those of several networks, and of no other', () => {
  const allows = allowingNetworks(['10.0.0.0/8', '192.168.7.9', 'fd00:1::/32', '::1'])
  for (const address of ['10.0.0.5', '10.255.255.255', '::ffff:10.0.0.5', '192.168.7.9', 'fd00:1::5', '::1', '1.1.1.1'])
    assert.ok(allows(address), address)
  for (const address of ['127.0.0.1', '192.168.7.8', 'fd00:2::5', '::', '::10.0.0.5', 'fd00:1::5%eth0'])
    assert.not(allows(address), address)
  for (const text of ['', 'localhost', '167772165', '010.0.0.5', '10.5', '[::1]']) assert.not(allows(text), text)
})

Networks.run()
