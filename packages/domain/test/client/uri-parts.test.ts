import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { httpsUriFault, originOf, uriParts, webUriFault } from '../../src/client/uris.js'

const Parts = suite('parts of a URI')

Parts('what is not there is empty', () => {
  const nothing = { authority: undefined, host: '', port: '', path: '', query: '' }
  assert.equal(uriParts('rp.example'), { ...nothing, scheme: '' })
  assert.equal(uriParts('com.example:/cb'), { ...nothing, scheme: 'com.example', path: '/cb' })
})

Parts('scheme and host are told in small letters, port and query as they stand', () => {
  const parts = { scheme: 'https', authority: 'RP.example:8443', host: 'rp.example', port: '8443' }
  assert.equal(uriParts('HTTPS://RP.example:8443/A?b=C'), { ...parts, path: '/A', query: 'b=C' })
})

for (const [uri, origin] of [
  ['https://rp.example/cb', 'https://rp.example'],
  ['HTTPS://RP.Example:443/cb', 'https://rp.example'],
  ['https://rp.example:80/cb', 'https://rp.example:80'],
  ['https://rp.example:4430/cb', 'https://rp.example:4430'],
  ['http://localhost:80/cb', 'http://localhost'],
  ['http://localhost:443/cb', 'http://localhost:443'],
  ['http://localhost:8080/cb', 'http://localhost:8080'],
  ['com.example:/cb', 'com.example://'],
] as const)
  Parts(`${uri} has the origin ${origin} (RFC 6454 §4)`, () => assert.is(originOf(uri), origin))

Parts('the scheme is what stands first', () => {
  assert.is(httpsUriFault('com.example:/https:'), 'https-uri')
  assert.is(webUriFault('com.example:/http:'), 'web-uri')
})

Parts.run()
