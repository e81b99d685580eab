import { type Source, sourceOf } from '@clientele/domain/kernel'
import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createPeers } from '../../src/server/peers.js'

const { ofConnection, ofRequest } = createPeers(['10.0.0.0/8', 'fd00::/8']).sources

const socketFrom = (peer: string | undefined): Socket =>
  Object.defineProperty(new Socket(), 'remoteAddress', { value: peer })

const requestOn = (socket: Socket, forwardedFor?: string): IncomingMessage => {
  const request = new IncomingMessage(socket)
  if (forwardedFor !== undefined) request.headers['x-forwarded-for'] = forwardedFor
  return request
}

const sources = suite('sources')

const cases: ReadonlyArray<readonly [string, string | undefined, Source | undefined]> = [
  ['an IPv4 address is a source', '203.0.113.9', sourceOf('203.0.113.9')],
  ['so it is when it is mapped to IPv6', '::ffff:203.0.113.9', sourceOf('203.0.113.9')],
  ['of an IPv6 address the /64 is (RFC 4291 §2.5.4)', '2001:db8:1:2:3:4:5:6', sourceOf('2001:db8:1:2::')],
  ['a trusted proxy is none', '10.1.2.3', undefined],
  ['a connection that is gone already is none', undefined, undefined],
]

for (const [name, peer, source] of cases)
  sources(name, () => {
    assert.equal(ofConnection(socketFrom(peer)), source)
    assert.equal(ofRequest(requestOn(socketFrom(peer))), source)
  })

sources('requests on one connection of a trusted proxy count for whom it names', () => {
  const socket = socketFrom('10.1.2.3')
  const named = ['198.51.100.1', '2001:db8::1', '2001:db8::2', undefined, '198.51.100.1']
  assert.equal(
    named.map((each) => ofRequest(requestOn(socket, each))?.name),
    ['198.51.100.1', '2001:db8:0:0::/64', '2001:db8:0:0::/64', undefined, '198.51.100.1'],
  )
})

sources('what somebody else forwards does not count', () => {
  assert.is(ofRequest(requestOn(socketFrom('203.0.113.9'), '198.51.100.1'))?.name, '203.0.113.9')
})

sources.run()
