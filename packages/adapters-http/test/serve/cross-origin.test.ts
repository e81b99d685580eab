import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { crossOriginHeaders, preflightHeaders } from '../../src/serve.js'

const cors = suite('crossOriginHeaders')

const listed = ['https://a.example', 'http://localhost:3000']

cors('what is published may be read by the pages of any origin', () => {
  for (const origin of [undefined, 'null', 'https://evil.example'])
    assert.is(crossOriginHeaders('any', [], origin)['Access-Control-Allow-Origin'], '*')
})

cors('registration answers to the pages of a listed origin alone, with that very origin', () => {
  assert.equal(crossOriginHeaders('listed', listed, 'https://a.example'), {
    'Access-Control-Allow-Origin': 'https://a.example',
    'Access-Control-Expose-Headers': 'WWW-Authenticate, Location, ETag, Retry-After',
    Vary: 'Origin',
  })
})

const others = [
  undefined,
  '',
  'null',
  '*',
  'http://a.example',
  'https://a.example:443',
  'https://a.example.evil.example',
  'https://A.example',
  'https://a.example/',
  'https://xa.example',
  'https://a.example, https://evil.example',
]

cors('an origin that is not listed, as it stands, is not allowed; and a cache is told that it depends', () => {
  for (const origin of others)
    assert.equal(crossOriginHeaders('listed', listed, origin), { Vary: 'Origin' }, String(origin))
})

cors('without a list no page may call registration', () => {
  for (const origin of ['null', 'https://a.example']) assert.equal(crossOriginHeaders('listed', [], origin), {})
})

cors('management answers to no page, even of a listed origin', () => {
  assert.equal(crossOriginHeaders('none', listed, 'https://a.example'), {})
})

cors('a preflight tells the methods, and the headers that are used; no cookies', () => {
  const headers = preflightHeaders(['GET', 'HEAD', 'POST'])
  assert.is(headers['Access-Control-Allow-Methods'], 'GET, HEAD, POST')
  assert.is(
    headers['Access-Control-Allow-Headers'],
    'Authorization, Content-Type, Idempotency-Key, If-Match, MCP-Protocol-Version',
  )
  assert.not.ok('Access-Control-Allow-Credentials' in headers)
})

cors.run()
