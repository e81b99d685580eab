import * as fc from 'fast-check'
import * as fastUri from 'fast-uri'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { httpsUriFault, pageUriFault, uriFault, uriParts, webUriFault } from '../../src/client/uris.js'
import { httpsUri, law, nativeRedirectUri, webRedirectUri, webUri } from '@clientele/testing'

const Uri = suite('uriFault')
const it = law(Uri)
// Without labels that begin with xn--, because only WHATWG URL decodes them and refuses invalid Punycode.
const fromPieces = fc
  .array(
    fc.constantFrom(
      'https:',
      'http:',
      'HTTPS:',
      'com.example:',
      'javascript:',
      '//',
      '/',
      '\\',
      '@',
      ':',
      '#',
      '?',
      '.',
      '..',
      '%',
      '%41',
      '%00',
      '%3A',
      ' ',
      '\t',
      '\n',
      '127.0.0.1',
      '127.1',
      '0x7f',
      '0177',
      '2130706433',
      '[::1]',
      '[',
      ']',
      '::1',
      '[::ffff:127.0.0.1]',
      'localhost',
      'rp.example',
      'EVIL',
      'é',
      'ⓔ',
      '。',
      '*',
      '80',
      '99999',
      '-',
      '0',
    ),
    { maxLength: 7 },
  )
  .map((pieces) => pieces.join(''))

const agreesWithUrl = (uri: string): void => {
  const parts = uriParts(uri)
  const url = new URL(uri)
  assert.is(url.protocol, `${parts.scheme}:`)
  // The rest after a private-use scheme keeps its case.
  assert.is(url.hostname.toLowerCase(), parts.host)
  assert.equal([url.username, url.password, url.hash], ['', '', ''])
}

// RFC 3986 §3, by another parser than WHATWG URL: absent user information is undefined, and an opaque URI is not an
// error.
const agreesWithRfc3986 = (uri: string): void => {
  const parts = uriParts(uri)
  const read = fastUri.default.parse(uri)
  assert.is(read.error, undefined)
  assert.is(read.scheme?.toLowerCase(), parts.scheme)
  assert.equal([read.userinfo, read.fragment], [undefined, undefined])
  if (parts.scheme === 'https' || parts.scheme === 'http')
    assert.is((read.host ?? '').toLowerCase(), parts.host.replace(/^\[|\]$/g, ''))
}

it(
  'nothing that is accepted is read by RFC 3986 with another scheme or host',
  [fc.oneof(fromPieces, webRedirectUri(), nativeRedirectUri(), fc.webUrl(), fc.string({ unit: 'binary' }))],
  (text) => {
    if (uriFault(text) === undefined) agreesWithRfc3986(text)
  },
)

it(
  'nothing that is accepted is read by WHATWG URL with another scheme, or with user information or a fragment',
  [fc.oneof(fromPieces, nativeRedirectUri(), fc.string({ unit: 'binary' }))],
  (text) => {
    if (uriFault(text) !== undefined || !URL.canParse(text)) return
    const url = new URL(text)
    assert.equal([url.protocol, url.username, url.password, url.hash], [`${uriParts(text).scheme}:`, '', '', ''])
  },
)

it('a URI for the web is a web URI', [webUri()], (uri) => assert.is(webUriFault(uri), undefined))

// RFC 7591 §2: a page may be one of a single-page application, whose pages are in the fragment.
it(
  'a page is a URI for the web that may have a fragment',
  [webUri(), fc.constantFrom('', '#', '#/about?of=us')],
  (uri, fragment) => assert.is(pageUriFault(`${uri}${fragment}`), undefined),
)

it('a page without a fragment is judged as a URI for the web', [fromPieces], (text) => {
  if (!text.includes('#')) assert.is(pageUriFault(text), webUriFault(text))
  else if (pageUriFault(text) === undefined) assert.is(webUriFault(text.replace(/#[^#]*$/, '')), undefined)
})

it('an https URI is one', [httpsUri()], (uri) => assert.is(httpsUriFault(uri), undefined))

it(
  'redirection URIs are URIs, in which WHATWG URL reads the same scheme and host',
  [fc.oneof(webRedirectUri(), nativeRedirectUri())],
  (uri) => {
    assert.is(uriFault(uri), undefined)
    agreesWithUrl(uri)
  },
)

it(
  'whatever is accepted for the web, WHATWG URL reads with the same scheme and host',
  [fc.oneof(fromPieces, fc.webUrl(), fc.string({ unit: 'binary' }))],
  (text) => {
    if (webUriFault(text) === undefined) agreesWithUrl(text)
  },
)

it('whatever is accepted is made of the characters of RFC 3986 §2, without a fragment', [fromPieces], (text) => {
  if (uriFault(text) === undefined)
    assert.match(text, /^[A-Za-z][A-Za-z0-9+.-]*:(?:[\w\-.~:/?@!$&'()*+,;=[\]]|%[0-9A-Fa-f]{2})*$/)
})

const refused: Readonly<Record<string, ReadonlyArray<string>>> = {
  uri: [
    '',
    ' ',
    '/cb',
    '//evil.example/cb',
    'rp.example',
    '1https://rp.example',
    ':',
    'https://a b/',
    'https:\\\\evil.example',
    'https://rp.example\\@evil.example/cb',
    'https://rp.example/cb\r\nSet-Cookie:a=b',
    'https://rp.example/\t',
    ' https://rp.example/',
    'https://rp.example/ ',
    '\u0001javascript:alert(1)',
    'java\nscript:alert(1)',
    'https://аррӏе.com/',
    'https://ⓔvil.com',
    'https://rp.example/é',
    'https://rp.example/%',
    'https://rp.example/%g0',
    'https://rp.example/%4',
    'com.example:/%4',
    'com.example://a%4/',
    'com.example://a%g0/',
    'https://rp.example/{x}',
    'https://rp.example/"',
    'https://rp.example/<>',
    'https://rp.example/[',
    `https://rp.example/${'a'.repeat(2030)}`,
    'https://rp.example/\ud800',
    'https://rp.example\n',
    'https://rp.example/|',
    'https://rp.example/^`',
  ],
  'uri-fragment': [
    'https://rp.example/cb#f',
    'https://rp.example/cb#',
    'com.example:/cb#',
    'https://rp.example/?a#',
    'https://rp.example#@evil.example',
  ],
  'uri-user-info': [
    'https://user:pw@rp.example/cb',
    'https://rp.example@evil.example/cb',
    'https://rp.example:80@evil/',
    'https://a@b@c@d/',
    'https://@rp.example/',
    'com.example://a@b/',
  ],
  'uri-dot-segment': [
    'https://rp.example/.',
    'https://rp.example/..',
    'https://rp.example/a/../b',
    'https://rp.example/a/./b?c',
    'https://rp.example/%2e%2E/',
    'https://rp.example/.%2e',
    'com.example:../a',
  ],
  'uri-host': [
    'https://',
    'https:///',
    'https:///rp.example',
    'https:/evil.example',
    'https:evil.example',
    'https://?',
    'https://*/cb',
    'https://*.example.com/cb',
    'https://rp.example:99999/',
    'https://rp.example:0/',
    'https://rp.example:/',
    'https://rp.example:a/',
    'https://rp.example:080/',
    'https://ex%61mple.com/',
    'https://rp.example%E3%80%82evil.com/',
    'http://127.1/',
    'http://2130706433/',
    'http://0x7f.1/',
    'http://0177.0.0.1/',
    'http://0x7f000001/',
    'http://127.0.0.0x1/',
    'http://1.2.3/',
    'http://256.0.0.1/',
    'http://1.2.3.4.5/',
    'http://01.2.3.4/',
    'http://rp.1/',
    'http://rp.0x/',
    'http://localhost./',
    'http://rp..example/',
    'http://.rp/',
    'http://-rp/',
    'http://rp-/',
    'http://rp_x.example/',
    'http://[::]/',
    'http://[::ffff:127.0.0.1]/',
    'http://[0:0:0:0:0:0:0:1]/',
    'http://[::1/',
    'http://::1/',
    'http://[::1]x/',
    'http://rp.example,evil/',
    `https://${'a'.repeat(254)}/`,
  ],
}
for (const [rule, uris] of Object.entries(refused))
  for (const uri of uris)
    Uri(`${JSON.stringify(uri.slice(0, 60))} breaks ${rule}`, () => assert.is(uriFault(uri), rule))

Uri('a URI of 2048 characters is taken, one more is not', () => {
  assert.is(uriFault(`https://rp.example/${'a'.repeat(2048 - 19)}`), undefined)
  assert.is(uriFault(`https://rp.example/${'a'.repeat(2049 - 19)}`), 'uri')
})

Uri('an authority of another scheme may have octets in percent', () => {
  assert.is(uriFault('com.example://a%41b/cb'), undefined)
})

Uri('a host of 253 characters is taken, two more are not', () => {
  assert.is(uriFault(`https://a${'.a'.repeat(126)}/`), undefined)
  assert.is(uriFault(`https://a${'.a'.repeat(127)}/`), 'uri-host')
})

for (const uri of [
  'https://rp.example:443/cb',
  'https://RP.EXAMPLE/cb',
  'https://rp.example',
  'https://rp.example/',
  'https://rp.example/cb?',
  'HTTPS://rp.example',
  'https://1.2.3.4/',
  'https://rp.example:65535',
  'https://3com/',
  'https://a.b-c.d/?a=%20b+c&d=%7E~!*',
  'https://rp.example/.well-known/cb',
  'https://rp.example/a..b/...',
  'https://rp.example/?next=/../a',
  'http://[::1]:8080/',
  'http://localhost.evil.example/',
])
  Uri(`${uri} is a URI for the web as it is written`, () => assert.is(webUriFault(uri), undefined))

for (const uri of [
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  'data:text/html,x',
  'vbscript:x',
  'blob:https://rp.example/x',
  'file:///etc/passwd',
  'about:blank',
  'mailto:a',
  'ws://rp.example/',
  'view-source:https://rp.example',
  'urn:ietf:wg:oauth:2.0:oob',
  'com.example:/cb',
  'httpsx://rp.example',
])
  Uri(`${uri} is no URI for the web`, () => assert.not.equal(webUriFault(uri), undefined))

for (const shape of [
  'https://' + 'a.'.repeat(32_768),
  'https://' + '['.repeat(65_536),
  'https://' + 'a-'.repeat(1015),
  'https://' + '1.'.repeat(1015),
  'https://' + '%41'.repeat(660),
  'a'.repeat(65_536) + ':',
  'https://' + ':1'.repeat(1015),
  'a:' + '%'.repeat(2000),
])
  Uri(`${shape.length} characters of ${shape.slice(0, 14)}… are judged`, () =>
    assert.not.equal(webUriFault(shape), undefined),
  )

Uri.run()
