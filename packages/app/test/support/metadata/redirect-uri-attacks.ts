// Attack catalogue, B2, rows 38 to 52: redirection URIs.
import { type Attack, bodies, redirects } from './attack.js'

const native = { application_type: 'native' }
const web = { application_type: 'web' }
const implicit = { grant_types: ['implicit'], response_types: ['id_token'] }

const scripts = [
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  'javascript://rp.example/%0aalert(1)',
  'vbscript:msgbox(1)',
]
const oddSchemes = [
  'data:text/html,hello',
  'blob:https://rp.example/cb',
  'file:///etc/passwd',
  'filesystem:https://rp.example/cb',
  'about:blank',
  'view-source:https://rp.example/',
  'mailto:ops@rp.example',
  'ws://rp.example/cb',
  'ftp://rp.example/cb',
  'chrome-extension://abcdefgh/cb',
  'ms-settings:display',
  'urn:ietf:wg:oauth:2.0:oob',
]
const brokenText = [
  'java\nscript:alert(1)',
  '\u0001javascript:alert(1)',
  ' javascript:alert(1)',
  'javascript\t:alert(1)',
]
const disguisedLoopback = [
  'http://127.1/',
  'http://2130706433/',
  'http://0x7f.1/',
  'http://0177.0.0.1/',
  'http://127.0.0.1.:80/',
  'http://localhost./',
  'http://[::ffff:127.0.0.1]/',
  'http://[0:0:0:0:0:0:0:1]/',
  'http://[::1%25eth0]/',
]

const redirectAttacks: ReadonlyArray<Attack> = [
  redirects('38 a script for a web client', 'uri-scheme')(...scripts),
  redirects('38 a script for a native client', 'uri-scheme', native)(...scripts),
  redirects('38 a script with the implicit grant', 'uri-scheme', implicit)(...scripts),
  redirects('38 a script that a URL parser would repair', 'uri')(...brokenText),
  redirects('39 another scheme for a web client', 'uri-scheme')(...oddSchemes),
  redirects('39 another scheme for a native client', 'uri-scheme', native)(...oddSchemes),
  redirects('39 a private-use scheme for a web client', 'redirect-uri-web', web)('com.example.app:/cb', 'cursor://cb'),
  redirects('39 a private-use scheme without a period', 'redirect-uri-private-use', native)(
    'my-application:/cb',
    'my-application://cb',
    'my-application://com.example.app/cb',
  ),
  redirects('39 markup in data:', 'uri')('data:text/html,<script>alert(1)</script>'),
  redirects('39 and 40 a fragment', 'uri-fragment')(
    'https://rp.example/cb#f',
    'https://rp.example/cb#',
    'https://rp.example/cb?a=b#/route',
    'intent://x#Intent;end',
  ),
  redirects('41 user information', 'uri-user-info')(
    'https://user:pw@rp.example/cb',
    'https://rp.example@evil.com/cb',
    'https://rp.example:80@evil/',
    'https://a@b@c@evil.example/',
    'https://@evil.example/cb',
    'https://rp.example%40x@evil.com/cb',
  ),
  redirects('42 no authority where one belongs', 'uri-host')(
    'https:/evil.com',
    'https:evil.com',
    'https:///evil.com/cb',
    'https://',
    'https://?rp.example',
  ),
  redirects('42 a backslash', 'uri')(
    'https:\\\\evil.com',
    'https://rp.example\\@evil.com/cb',
    'https://rp.example/\\cb',
  ),
  redirects('43 blank, control and line breaks', 'uri')(
    'https://rp.example/cb\r\nSet-Cookie:a=b',
    'https://rp.example/cb\tx',
    ' https://rp.example/cb',
    'https://rp.example/cb ',
    'https://rp.example/cb\u2028x',
    'https://rp.example/cb\u00a0',
    'https://rp.example/cb\u007f',
  ),
  redirects('45 a wildcard as host or port', 'redirect-uri-wildcard')(
    'https://*/cb',
    'https://*.example.com/cb',
    'https://rp.*/cb',
    'http://localhost:*/cb',
  ),
  redirects('45 a wildcard in the path', 'redirect-uri-wildcard')('https://rp.example/*', 'https://rp.example/a*b'),
  redirects('45 a pattern', 'uri')('regexp=.*', 'https://rp.example/[a-z]', '^https://rp.example/'),
  redirects('46 http elsewhere, for web', 'redirect-uri-web')(
    'http://rp.example/cb',
    'http://localhost.evil.com/',
    'http://0.0.0.0/',
    'http://127.0.0.2/',
  ),
  redirects('46 http elsewhere, for native', 'redirect-uri-native', native)(
    'http://rp.example/cb',
    'http://localhost.evil.com/',
    'https://localhost/cb',
  ),
  redirects('46 http on a private network, for native', 'redirect-uri-private-network', native)(
    'http://192.168.1.5/cb',
    'http://hub.local/cb',
    'http://[fd00::1]/cb',
  ),
  redirects('46 disguised loopback', 'uri-host')(...disguisedLoopback),
  redirects('46 disguised loopback, native', 'uri-host', native)(...disguisedLoopback),
  redirects('47 implicit with http or localhost', 'redirect-uri-implicit', implicit)(
    'http://rp.example/cb',
    'http://localhost/cb',
    'https://localhost/cb',
    'http://127.0.0.1:8080/cb',
    'https://[::1]/cb',
  ),
  redirects('48 an answer parameter in the query', 'redirect-uri-query')(
    'https://rp.example/cb?code=1',
    'https://rp.example/cb?a=b&state',
    'https://rp.example/cb?response=x',
  ),
  redirects('49 a host that is not ASCII', 'uri')(
    'https://аррӏе.com/',
    'https://ⓔvil.com',
    'https://rp.example。evil.com/',
  ),
  redirects('49 a host that is percent-encoded', 'uri-host')(
    'https://ex%61mple.com/',
    'https://rp.example%E3%80%82evil.com/',
    'https://rp.example%2f/',
  ),
  redirects('50 no absolute URI', 'uri')(
    '//evil.com/cb',
    '/cb',
    '',
    'rp.example/cb',
    'https://a b/',
    ':',
    '1https://x/',
  ),
  redirects('50 a port that cannot be', 'uri-host')(
    'https://rp.example:99999/',
    'https://rp.example:0/',
    'https://rp.example:/',
    'https://rp.example:0443/',
  ),
  redirects('50 dot segments', 'uri-dot-segment')('https://rp.example/a/../b', 'https://rp.example/%2e%2E/b'),
  redirects('52 a long URI', 'uri')(
    `https://rp.example/${'a'.repeat(2030)}`,
    `https://rp.example/${'a'.repeat(60_000)}`,
  ),
]

const many = (count: number): ReadonlyArray<string> =>
  Array.from({ length: count }, (_, i) => `https://rp.example/${i}`)
const listFault = (row: string, rule: string, ...lists: ReadonlyArray<unknown>): Attack =>
  bodies(row, 'invalid_redirect_uri', `/redirect_uris ${rule}`)(...lists.map((each) => ({ redirect_uris: each })))

const listAttacks: ReadonlyArray<Attack> = [
  listFault('51 no array', 'array', 'https://rp.example/cb', null, true, 7, { 0: 'https://rp.example/cb', length: 1 }),
  listFault('51 an empty array', 'redirect-uris-required', []),
  bodies('51 missing', 'invalid_redirect_uri', '/redirect_uris redirect-uris-required')(
    {},
    { response_types: ['code'] },
    { ...implicit },
  ),
  bodies(
    '51 entries that are no strings',
    'invalid_redirect_uri',
    '/redirect_uris/0 string',
  )(...[null, ['https://rp.example/cb'], 123, {}, true].map((entry) => ({ redirect_uris: [entry] }))),
  listFault('52 too many', 'array-size', many(257), many(2_000)),
  listFault('52 twice the same', 'unique-items', ['https://rp.example/cb', 'https://rp.example/cb']),
]

export const redirectUriAttacks: ReadonlyArray<Attack> = [...redirectAttacks, ...listAttacks]
