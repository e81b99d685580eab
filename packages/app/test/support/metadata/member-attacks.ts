// Attack catalogue, B5 and B6: types, data, text.
import { redirect_uris } from '../requests.js'
import { type Attack, bodies, values } from './attack.js'

const code = 'invalid_client_metadata'
const each = (member: string, rule: string, row: string, ...entries: ReadonlyArray<unknown>): Attack =>
  bodies(row, code, `/${member}/0 ${rule}`)(...entries.map((entry) => ({ redirect_uris, [member]: [entry] })))

const trickyTexts = [
  'left\u202eright',
  'zero\u200bwidth',
  'join\u200der',
  '\u2066isolated\u2069',
  'line\nbreak',
  'car\rriage',
  'tab\tulator',
  'sep\u2028arator',
  'del\u007fete',
  'next\u0085line',
  'soft\u00adhyphen',
  'byte\ufefforder',
  'tag\u{e0041}ged',
  '   ',
  '\u3000\u3000',
  '',
  'a'.repeat(201),
  `e${'\u0301'.repeat(1_000)}`,
  'a'.repeat(60_000),
]

const textMembers = [
  'client_name',
  'client_name#ja',
  'software_id',
  'software_version',
  'organization_name',
  'organization_name#x-a',
]

export const memberAttacks: ReadonlyArray<Attack> = [
  values('79 data of another type', 'data', 'data')([], [1], 'text', 7, true, null),
  values('79 data that is too large', 'data', 'data')(
    { x: 'y'.repeat(16_377) },
    { ['k'.repeat(16_400)]: 1 },
    { x: 'é'.repeat(8_190) },
  ),
  values('79 numbers that come back as others', 'data', 'data')({ n: 9_007_199_254_740_992 }, { n: -1e300 }),
  values('82 a name that is no text', 'client_name', 'string')({ toString: 1 }, { length: 3 }, ['a'], 7, true, null),
  values('82 a tagged name that is no text', 'client_name#fr', 'string')({ toString: 1 }, null, 7),

  each('contacts', 'contact', '95 a contact that is slow to match', 'a.'.repeat(25_000), `${'a'.repeat(255)}!`),
  values(
    '95 a scope of many words',
    'scope',
    'scope',
  )(Array.from({ length: 10_000 }, (_, i) => `s${i}`).join(' '), `${'a '.repeat(20_000)}!`),
  values('95 a long scope word', 'scope', 'scope')('a'.repeat(2_049)),
  values('95 a scope that is not one', 'scope', 'scope')(' ', ' openid', 'openid ', 'a  b', 'a\tb', 'a"b', 'a\\b', 'é'),
  values('95 a long algorithm', 'id_token_signed_response_alg', 'signing-algorithm-or-none')('RS256'.repeat(12_000)),
  each('response_types', 'response-type', '95 a long response type', 'code '.repeat(12_000)),
  each(
    'grant_types',
    'grant-type',
    '95 a grant type that is not one',
    'a'.repeat(257),
    'a b',
    '“password”',
    'a"b',
    'a\r\nb',
    '😀',
    '',
  ),
  each(
    'request_uris',
    'request-uri',
    '95 a request URI that is slow to match',
    `https://rp.example/${'#a'.repeat(20_000)}`,
  ),
  each(
    'post_logout_redirect_uris',
    'uri',
    '95 a URI that is slow to match',
    `https://${'a.'.repeat(20_000)}!`,
    '%'.repeat(50_000),
  ),
  values(
    '95 a host name that is slow to match',
    'tls_client_auth_san_dns',
    'host-name',
  )('a-'.repeat(25_000), '-.'.repeat(25_000)),
  values('95 an address that is slow to match', 'tls_client_auth_san_ip', 'ip-address')(
    ':'.repeat(50_000),
    '1.'.repeat(25_000),
    '127.1',
    '::1%eth0',
    '[::1]',
  ),

  ...textMembers.map((member) => values('97 text that deceives', member, 'text')(...trickyTexts)),
  each('contacts', 'contact', '97 contacts that deceive', ...trickyTexts.filter((text) => text !== 'a'.repeat(201))),
  bodies('97 a language that is none', code, '/client_name# language-tag')({ redirect_uris, 'client_name#': 'x' }),
  bodies(
    '97 a language with markup',
    code,
    '/client_name#<img> language-tag',
  )({ redirect_uris, 'client_name#<img>': 'x' }),
  bodies(
    '97 a language twice',
    code,
    '/client_name#FR language-tag-repeated',
  )({
    redirect_uris,
    'client_name#fr': 'x',
    'client_name#FR': 'y',
  }),
  bodies(
    '97 a long language',
    code,
    `/client_name#${'a-'.repeat(10_000)}`.slice(0, 81) + ' language-tag',
  )({
    redirect_uris,
    [`client_name#${'a-'.repeat(10_000)}`]: 'x',
  }),
  bodies(
    '97 too many languages',
    code,
    '/client_name language-tags',
  )({
    redirect_uris,
    ...Object.fromEntries(Array.from({ length: 65 }, (_, i) => [`client_name#aa-${String(i).padStart(5, '0')}`, 'x'])),
  }),
]
