import { type Spoiling, spoiling, wrongly } from './spoiling.js'
import {
  choiceListMembers,
  fetchedUris,
  filledLists,
  httpsUris,
  lists,
  texts,
  tokenLists,
  uris,
  webUris,
} from './member-kinds.js'

const badText = ['', 'line\nbreak', 'nul\u0000', '\u202Eright', 'zero\u200Bwidth', '\ud800', 'a\u2028b']
const badWords = ['', 'two words', 'a"b', 'a\\b', 'x'.repeat(257), 'é']
const badHosts = [
  '',
  'rp.example.',
  '*.rp.example',
  '127.0.0.1',
  '[::1]',
  'rp.example:443',
  'é.example',
  'a'.repeat(254),
]
const badAddresses = [
  '',
  '1.2.3',
  '256.0.0.1',
  '01.2.3.4',
  '[::1]',
  'fe80::1%eth0',
  ':::',
  '1::2::3',
  '1:2:3',
  'g::1',
  '::1.2.3',
  '1.2.3.4::',
]

const manyOf = (count: number, entry: (index: number) => string): ReadonlyArray<string> =>
  Array.from({ length: count }, (_, index) => entry(index))

const uriRules: ReadonlyArray<Spoiling> = [
  ...uris.flatMap((member) =>
    wrongly('uri', member, [
      '',
      'rp.example',
      '//rp.example',
      'https://a b/',
      'https:\\\\rp.example',
      'https://rp.example/\r\nSet-Cookie:a=b',
      `https://rp.example/${'a'.repeat(2048)}`,
    ]),
  ),
  ...uris.flatMap((member) => wrongly('uri-fragment', member, ['https://rp.example/#', 'https://rp.example/#f'])),
  ...uris.flatMap((member) =>
    wrongly('uri-user-info', member, ['https://me@rp.example/', 'https://rp.example:80@evil.example/']),
  ),
  ...uris.flatMap((member) =>
    wrongly('uri-host', member, ['https:/rp.example', 'https://', 'https://*.rp.example/', 'https://127.1/']),
  ),
  ...uris.flatMap((member) =>
    wrongly('uri-dot-segment', member, [
      'https://rp.example/a/../b',
      'https://rp.example/%2e%2E',
      'https://rp.example/.',
    ]),
  ),
  ...webUris.flatMap((member) =>
    wrongly('web-uri', member, ['javascript:alert(1)', 'data:text/html,x', 'ftp://rp.example/']),
  ),
  ...httpsUris.flatMap((member) => wrongly('https-uri', member, ['http://rp.example/jwks', 'file:/etc/passwd'])),
  ...fetchedUris.flatMap((member) =>
    wrongly('fetched-port', member, ['https://rp.example:22/', 'https://rp.example:444/', 'https://[::1]:1023/']),
  ),
  ...[
    'http://rp.example/',
    'https://rp.example/#f',
    'javascript:alert(1)',
    `https://rp.example/#${'x'.repeat(44)}`,
  ].map((entry) => spoiling('request-uri', '/request_uris/1', { request_uris: ['https://rp.example/', entry] })),
]

// Closed sets do not have 33 valid entries.
const openLists = lists.filter(
  (member) => member !== 'response_types' && !choiceListMembers.some((each) => each === member),
)

const listRules: ReadonlyArray<Spoiling> = [
  ...openLists.map((member) =>
    spoiling('unique-items', `/${member}`, { [member]: ['https://rp.example/', 'https://rp.example/'] }),
  ),
  spoiling('unique-items', '/response_modes', { response_modes: ['jwt', 'jwt'] }),
  spoiling('unique-items', '/response_types', { response_types: ['code', 'code'] }),
  ...openLists.map((member) =>
    spoiling('array-size', `/${member}`, { [member]: manyOf(33, (index) => `https://rp.example/${index}`) }),
  ),
  ...filledLists.map((member) => spoiling('array-empty', `/${member}`, { [member]: [] })),
  spoiling('array-size', '/contacts', { contacts: manyOf(11, String) }),
  ...['', 'x'.repeat(255), 'line\nbreak', '\u202Eright'].map((entry) =>
    spoiling('contact', '/contacts/1', { contacts: ['a', entry] }),
  ),
  ...badWords.map((entry) => spoiling('grant-type', '/grant_types/1', { grant_types: ['password', entry] })),
  ...tokenLists.flatMap((member) =>
    badWords.map((entry) => spoiling('token', `/${member}/1`, { [member]: ['RS256', entry] })),
  ),
  ...['', 'none code', 'none none', 'None', 'code code', 'code  token', ' code', 'Code'].map((entry) =>
    spoiling('response-type', '/response_types/1', { response_types: ['code', entry] }),
  ),
]

const badTextLongerThan = (most: number): ReadonlyArray<string> => [...badText, 'x'.repeat(most + 1)]

export const ownRules: ReadonlyArray<Spoiling> = [
  ...texts.flatMap((member) => wrongly('text', member, badTextLongerThan(200))),
  ...wrongly('distinguished-name', 'tls_client_auth_subject_dn', badTextLongerThan(2048)),
  ...wrongly('contact', 'tls_client_auth_san_email', badTextLongerThan(254)),
  ...wrongly('long-text', 'description', badTextLongerThan(1000)),
  ...badText.map((entry) => spoiling('text', '/keywords/1', { keywords: ['a', entry] })),
  ...wrongly('uri-scheme', 'credential_offer_endpoint', ['javascript:alert(1)', 'Intent://x', 'urn:a:b']),
  ...uriRules,
  ...listRules,
  ...wrongly('host-name', 'tls_client_auth_san_dns', badHosts),
  ...wrongly('ip-address', 'tls_client_auth_san_ip', badAddresses),
  ...wrongly('scope', 'scope', [' ', 'openid  email', ' openid', 'openid\temail', 'open"id', 'é', 'x'.repeat(2049)]),
  ...wrongly('software-statement', 'software_statement', [
    '',
    'a.b',
    'a.b.c.d',
    'a.b.ü',
    ' a.b.c',
    `a.${'b'.repeat(32_768)}.c`,
  ]),
]

const languageVariant = 'client_name#fr'
const clientName = ['text', '/client_name#fr'] as const

export const languageRules: ReadonlyArray<Spoiling> = [
  ...[
    '',
    'f',
    'en_US',
    'toolonglanguage',
    'fr-',
    '-fr',
    'é',
    'fr-fr-fr-fr-fr',
    'x',
    'a-DE',
    `fr-${'x'.repeat(33)}`,
  ].map((tag) => spoiling('language-tag', `/client_name#${tag.slice(0, 68)}`, { [`client_name#${tag}`]: 'Nom' })),
  spoiling(...clientName, { [languageVariant]: 'line\nbreak' }),
  spoiling('string', '/client_name#fr', { [languageVariant]: 5 }),
  spoiling('web-uri', '/logo_uri#de-AT', { 'logo_uri#de-AT': 'javascript:alert(1)' }),
  spoiling('language-tag-repeated', '/client_name#FR', { [languageVariant]: 'Nom', 'client_name#FR': 'NOM' }),
  spoiling(
    'language-tags',
    '/client_name',
    Object.fromEntries(manyOf(65, (index) => `client_name#x-${index}`).map((name) => [name, 'Nom'])),
  ),
]
