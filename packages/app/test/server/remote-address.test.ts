import type { IncomingHttpHeaders } from 'node:http'
import { Socket } from 'node:net'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createPeers } from '../../src/server/peers.js'

const from = (peer: string, forwardedFor?: string): { headers: IncomingHttpHeaders; socket: Socket } => ({
  headers: forwardedFor === undefined ? {} : { 'x-forwarded-for': forwardedFor },
  socket: Object.defineProperty(new Socket(), 'remoteAddress', { value: peer }),
})

const trusting = createPeers(['10.0.0.0/8', 'fd00::/8', '192.0.2.7']).remoteAddress

const remote = suite('remote address')

const cases: ReadonlyArray<readonly [string, string, string | undefined, string]> = [
  ['without a proxy it is the peer', '203.0.113.9', undefined, '203.0.113.9'],
  ['what an untrusted peer forwards does not count', '203.0.113.9', '198.51.100.1', '203.0.113.9'],
  ['a trusted proxy says who asks', '10.1.2.3', '198.51.100.1', '198.51.100.1'],
  ['a single trusted address counts too', '192.0.2.7', '198.51.100.1', '198.51.100.1'],
  ['its neighbour does not', '192.0.2.8', '198.51.100.1', '192.0.2.8'],
  ['what the client claimed before the proxy does not count', '10.1.2.3', '127.0.0.1, 198.51.100.1', '198.51.100.1'],
  ['trusted proxies in a chain are passed over', '10.1.2.3', '198.51.100.1, fd00::1, 10.9.9.9', '198.51.100.1'],
  ['when all are trusted it is the first', '10.1.2.3', '10.0.0.1, 10.0.0.2', '10.0.0.1'],
  ['an entry that is no address ends the search', '10.1.2.3', '198.51.100.1, unknown', '10.1.2.3'],
  ['so does a number', '10.1.2.3', '198.51.100.1, 1', '10.1.2.3'],
  ['so does one with a point', '10.1.2.3', '198.51.100.1, 10.1', '10.1.2.3'],
  ['so does one in hexadecimal', '10.1.2.3', '198.51.100.1, 0x7f000001', '10.1.2.3'],
  ['an empty header is none', '10.1.2.3', ' , ', '10.1.2.3'],
  ['an IPv4 address mapped to IPv6 is that IPv4 address', '::ffff:10.1.2.3', '::ffff:198.51.100.1', '198.51.100.1'],
  ['IPv6', 'fd00::5', '2001:db8::1', '2001:db8::1'],
]

for (const [name, peer, forwardedFor, expected] of cases)
  remote(name, () => assert.is(trusting(from(peer, forwardedFor)), expected))

remote('no proxy is trusted by default', () => {
  assert.is(createPeers([]).remoteAddress(from('127.0.0.1', '198.51.100.1')), '127.0.0.1')
})

remote('a header of 16 KiB is read to its end', () => {
  assert.is(trusting(from('10.1.2.3', Array(3_000).fill('10.0.0.1').join(','))), '10.0.0.1')
})

remote.run()
