import type { IncomingMessage } from 'node:http'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createPeers } from '../../src/server/peers.js'

const requestFrom = (remoteAddress: string, headers: IncomingMessage['headers']): IncomingMessage =>
  ({ socket: { remoteAddress }, headers }) as unknown as IncomingMessage

const headers = {
  'x-request-id': 'of-the-proxy',
  traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`,
}

const proxies = suite('what a proxy says of a request')

proxies('a trusted proxy gives the id and the trace', () => {
  const { requestId, trace } = createPeers(['10.0.0.0/8'])
  const request = requestFrom('::ffff:10.1.2.3', headers)
  assert.is(requestId(request), 'of-the-proxy')
  assert.is(trace?.(request, 'GET')?.context.traceId, 'a'.repeat(32))
})

proxies('any other peer does not, nor does a field that is not well-formed', () => {
  const { requestId, trace } = createPeers(['10.0.0.0/8'])
  const others = [
    requestFrom('192.0.2.1', headers),
    requestFrom('', headers),
    requestFrom('10.0.0.1', {}),
    requestFrom('10.0.0.1', { 'x-request-id': 'two words', traceparent: '00-0-0-0' }),
  ]
  for (const request of others) {
    assert.match(requestId(request), /^[0-9a-f-]{36}$/)
    assert.is(trace?.(request, 'GET'), undefined)
  }
  assert.is.not(createPeers([]).requestId(requestFrom('10.0.0.1', headers)), 'of-the-proxy')
})

proxies.run()
