import * as fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { allRules, validateClientMetadata } from '../../src/client/rules.js'
import {
  fetchedUriFault,
  httpsUriFault,
  isRegisteredRequestUri,
  notifiedUriFault,
  requestUriFault,
  uriParts,
} from '../../src/client/uris.js'
import { fetchedUri, httpsUri, law, ruleContext } from '@clientele/testing'

const FetchedUri = suite('URIs that the service itself asks')
const it = law(FetchedUri)

it(
  'of the https URIs, those at port 443 or at one from 1024 on',
  [httpsUri(), fc.option(fc.integer({ min: 1, max: 65_535 }), { nil: undefined })],
  (uri, port) => {
    const { authority = '', host } = uriParts(uri)
    const requested = uri.replace(authority, port === undefined ? host : `${host}:${port}`)
    const isRequested = port === undefined || port === 443 || port >= 1_024
    assert.is(fetchedUriFault(requested), isRequested ? undefined : 'fetched-port')
  },
)

it('each that the kit makes', [fetchedUri()], (uri) => assert.is(fetchedUriFault(uri), undefined))

it('nothing that is no https URI, for the same reason', [fc.oneof(fc.webUrl(), fc.string())], (text) => {
  const fault = httpsUriFault(text)
  if (fault !== undefined) assert.is(fetchedUriFault(text), fault)
})

FetchedUri('the bounds', () => {
  for (const port of ['', ':443', ':1024', ':65535'])
    assert.is(fetchedUriFault(`https://rp.example${port}/`), undefined)
  for (const port of [':1', ':80', ':442', ':444', ':1023'])
    assert.is(fetchedUriFault(`https://rp.example${port}/`), 'fetched-port')
})

it(
  'a request_uri is fetched as well: it has such a port, with or without the digest of its document',
  [httpsUri(), fc.constantFrom('', `#${'x'.repeat(43)}`)],
  (uri, digest) => assert.is(requestUriFault(`${uri}${digest}`), fetchedUriFault(uri)),
)

it('what is no https URI is no request_uri, whatever its port', [fc.oneof(fc.webUrl(), fc.string())], (text) => {
  if (httpsUriFault(text.replace(/#[^]*$/, '')) !== undefined) assert.is(requestUriFault(text), 'request-uri')
})

it(
  'a request_uri is registered where the URI without its fragment is, for any texts',
  [fc.array(fc.string()), fc.string(), fc.string()],
  (request_uris, uri, fragment) => {
    const [asked = ''] = uri.split('#')
    const expected = request_uris.some((each) => each.split('#')[0] === asked)
    assert.is(isRegisteredRequestUri({ request_uris }, uri), expected)
    assert.ok(isRegisteredRequestUri({ request_uris: [...request_uris, `${asked}#${fragment}`] }, uri))
    assert.not(isRegisteredRequestUri({}, uri))
  },
)

const onLoopback = ['http://localhost/out', 'http://127.0.0.1:8080/out', 'http://[::1]:1024/out']
const notOnLoopback = [
  'http://rp.example/',
  'http://localhost.example/',
  'http://127.0.0.2/',
  'http://127.1/',
  'ftp://localhost/',
]

it(
  'notices go where requests go, and to loopback by http',
  [fc.oneof(fetchedUri(), fc.webUrl(), fc.string(), fc.constantFrom(...onLoopback, ...notOnLoopback))],
  (text) => assert.is(notifiedUriFault(text), onLoopback.includes(text) ? undefined : fetchedUriFault(text)),
)

FetchedUri('a receiver on loopback has http where the service is on loopback alone', () => {
  const faultsOf = (uri: string, isOnLoopback: boolean) =>
    validateClientMetadata(allRules, { ...ruleContext, isOnLoopback })({
      redirect_uris: ['https://rp.example/cb'],
      backchannel_logout_uri: uri,
    }).faults.map(({ pointer, rule }) => `${pointer} ${rule}`)
  const refused = ['/backchannel_logout_uri https-uri']
  for (const uri of onLoopback) assert.equal([faultsOf(uri, true), faultsOf(uri, false)], [[], refused], uri)
  for (const uri of ['http://rp.example/', 'http://127.0.0.2/']) assert.equal(faultsOf(uri, true), refused, uri)
  assert.equal(faultsOf('http://localhost:25/', true), ['/backchannel_logout_uri fetched-port'])
})

FetchedUri.run()
