// What one member can violate: each entry is one fault of a valid body, with the place and the rule to report.
import type { MemberName } from '@clientele/domain/client'
import { type RuleId, isRuleId } from '@clientele/domain/kernel'
import type { SentMetadata } from './json-values.js'
import {
  booleans,
  choiceListMembers,
  choices,
  fetchedUris,
  httpsUris,
  lists,
  pageUris,
  texts,
  tokenLists,
  uris,
  urisWithoutFragment,
  webUris,
} from './member-kinds.js'

/** The place of a fault in a body, and its rule. */
export type MetadataFault = { readonly member: string; readonly pointer: string; readonly rule: RuleId }
export type Spoiling = { readonly fault: MetadataFault; readonly spoil: (valid: SentMetadata) => SentMetadata }

/** A client that satisfies all rules across members, so that one change violates one rule. */
export const plainClient = {
  application_type: 'web',
  grant_types: ['authorization_code'],
  response_types: ['code'],
  redirect_uris: ['https://rp.example/callback'],
  post_logout_redirect_uris: ['https://rp.example/bye'],
  token_endpoint_auth_method: 'client_secret_basic',
  id_token_signed_response_alg: 'RS256',
}

// Members that rules across members check are removed from the valid body; the others stay.
const isJudgedTogether = (name: string): boolean =>
  /_(?:alg|enc|method|supported)$|jwks|tls_client_auth|request_object$|sector|subject_type|channel|grant|response_types|redirect|application_type/.test(
    name,
  )

const alone = (valid: SentMetadata): SentMetadata =>
  Object.fromEntries(Object.entries(valid).filter(([name]) => !isJudgedTogether(name)))

/** The member with the place, without its language tag. */
export const memberAt = (pointer: string): string => (pointer.split('/')[1] ?? '').replace(/#.*$/s, '')

/** Each of the bodies has the fault at the place. */
export const spoilings = (
  rule: RuleId,
  pointer: string,
  bodies: ReadonlyArray<SentMetadata>,
  client: SentMetadata = plainClient,
): ReadonlyArray<Spoiling> =>
  bodies.map((body) => ({
    fault: { member: memberAt(pointer), pointer, rule },
    spoil: (valid) => ({ ...alone(valid), ...client, ...body }),
  }))

/** Each of the values is a fault of each of the members. */
const wrongly = (
  rule: RuleId,
  names: MemberName | ReadonlyArray<MemberName>,
  values: ReadonlyArray<unknown>,
): ReadonlyArray<Spoiling> =>
  [names].flat().flatMap((name: MemberName) =>
    spoilings(
      rule,
      `/${name}`,
      values.map((value) => ({ [name]: value })),
    ),
  )

/** Each of the entries is a fault of each of the lists, after a first entry that is none. */
const wrongEntries = (
  rule: RuleId,
  names: ReadonlyArray<MemberName>,
  first: ReadonlyArray<unknown>,
  entries: ReadonlyArray<unknown>,
): ReadonlyArray<Spoiling> =>
  names.flatMap((name) =>
    spoilings(
      rule,
      `/${name}/${first.length}`,
      entries.map((entry) => ({ [name]: [...first, entry] })),
    ),
  )

const openLists = lists.filter((name) => !choiceListMembers.some((each) => each === name))
// Its closed set has no 33 valid entries either.
const longLists = openLists.filter((name) => name !== 'response_types')

const manyOf = (count: number, entry: (index: number) => string): ReadonlyArray<string> =>
  Array.from({ length: count }, (_, index) => entry(index))

const objects = [[], {}]
const scalars = [123, true, null]
const noStrings = [...objects, ...scalars]
const strings = [
  ...texts,
  ...uris,
  'scope',
  'description',
  'tls_client_auth_san_dns',
  'tls_client_auth_san_ip',
  'software_statement',
] as const

// Names of inherited properties, other cases, blanks at the ends, and values of the standards that the service refuses
const noChoice = ['', 'toString', 'constructor', 'Web', 'rs256', 'RS256 ', 'HS1', 'RSA1_5', 'PBES2-HS256+A128KW']
const wrongChoices = [...noStrings, ...noChoice]

const wrongTypes: ReadonlyArray<Spoiling> = [
  ...wrongly('string', strings, noStrings),
  ...wrongly('array', lists, [{}, ...scalars, '', 'code', { 0: 'code', length: 1 }]),
  ...wrongEntries('string', openLists, [], noStrings),
  // A hole is not a value, so that a sparse array is refused at the hole.
  ...openLists.flatMap((name) => spoilings('string', `/${name}/0`, [{ [name]: Array(1) }])),
  ...wrongEntries('response-mode', ['response_modes'], [], wrongChoices),
  ...wrongEntries('registration-type', ['client_registration_types'], [], wrongChoices),
  ...Object.entries(choices).flatMap(([rule, names]) => (isRuleId(rule) ? wrongly(rule, names, wrongChoices) : [])),
  ...wrongly('boolean', booleans, [...objects, 0, 1, null, '', 'true', 'false']),
  ...wrongly('seconds', 'default_max_age', [...objects, true, null, '', '60', -1, 1.5, 2 ** 53]),
  ...wrongly('data', 'data', [
    [],
    ...scalars,
    '',
    'text',
    { undefined },
    { much: 'x'.repeat(16_384) },
    { exceeding: 2 ** 53 },
    { deep: [[{ exceeding: -(2 ** 60) }]] },
  ]),
  ...wrongly('credential-formats', 'vp_formats_supported', [
    [],
    ...scalars,
    '',
    { mso_mdoc: [] },
    { mso_mdoc: null },
    { mso_mdoc: { much: 'x'.repeat(4096) } },
    { mso_mdoc: { exceeding: 2 ** 53 } },
  ]),
  ...wrongly('jwk-set', 'jwks', [
    [],
    {},
    ...scalars,
    '',
    { keys: {} },
    { keys: Array.from({ length: 33 }, () => ({ kty: 'of-tomorrow' })) },
  ]),
  ...wrongly('jwk-set-size', 'jwks', [
    { keys: [{ kty: 'of-tomorrow', x: 'x'.repeat(16_384) }] },
    { keys: [{ kty: 'of-tomorrow', x: Array.from({ length: 8_200 }, () => 0) }] },
    { keys: [{ kty: 'of-tomorrow' }], more: '🦊'.repeat(4_100) },
  ]),
]

const uriRules: ReadonlyArray<Spoiling> = [
  ...wrongly('uri', uris, [
    '',
    'rp.example',
    '//rp.example',
    'https://a b/',
    'https:\\\\rp.example',
    'https://rp.example/\r\nSet-Cookie:a=b',
    `https://rp.example/${'a'.repeat(2048)}`,
  ]),
  ...wrongly('uri', pageUris, ['https://rp.example/#a#b', 'https://rp.example/#a b']),
  ...wrongly('uri-fragment', urisWithoutFragment, ['https://rp.example/#', 'https://rp.example/#f']),
  ...wrongly('uri-user-info', uris, ['https://me@rp.example/', 'https://rp.example:80@evil.example/']),
  ...wrongly('uri-host', uris, ['https:/rp.example', 'https://', 'https://*.rp.example/', 'https://127.1/']),
  ...wrongly('uri-dot-segment', uris, [
    'https://rp.example/a/../b',
    'https://rp.example/%2e%2E',
    'https://rp.example/.',
  ]),
  ...wrongly('web-uri', webUris, ['javascript:alert(1)', 'data:text/html,x', 'ftp://rp.example/']),
  ...wrongly('https-uri', httpsUris, ['http://rp.example/jwks', 'file:/etc/passwd']),
  ...wrongly('fetched-port', fetchedUris, ['https://rp.example:22/', 'https://rp.example:444/', 'https://[::1]:1023/']),
  ...wrongly('uri-scheme', 'credential_offer_endpoint', ['javascript:alert(1)', 'Intent://x', 'urn:a:b']),
  ...wrongEntries(
    'request-uri',
    ['request_uris'],
    ['https://rp.example/'],
    ['http://rp.example/', 'https://rp.example/#f', 'javascript:alert(1)', `https://rp.example/#${'x'.repeat(44)}`],
  ),
  ...wrongEntries(
    'fetched-port',
    ['request_uris'],
    ['https://rp.example/'],
    ['https://rp.example:22/', `https://rp.example:444/#${'x'.repeat(43)}`],
  ),
]

const badText = ['', 'line\nbreak', 'nul\u0000', '\u202Eright', 'zero\u200Bwidth', '\ud800', 'a\u2028b']
const badTextLongerThan = (most: number): ReadonlyArray<string> => [...badText, 'x'.repeat(most + 1)]
const badWords = ['', 'two words', 'a"b', 'a\\b', 'x'.repeat(257), 'é']
const twice = (entry: string): ReadonlyArray<ReadonlyArray<string>> => [[entry, entry]]

const listRules: ReadonlyArray<Spoiling> = [
  ...wrongly('unique-items', longLists, twice('https://rp.example/')),
  ...wrongly('unique-items', 'response_modes', twice('jwt')),
  ...wrongly('unique-items', 'response_types', twice('code')),
  ...wrongly('array-size', longLists, [manyOf(257, (index) => `https://rp.example/${index}`)]),
  ...wrongly('array-size', 'contacts', [manyOf(33, String)]),
  ...wrongly('array-empty', ['keywords', 'encrypted_response_enc_values_supported'], [[]]),
  ...wrongEntries('contact', ['contacts'], ['a'], ['', 'x'.repeat(255), 'line\nbreak', '\u202Eright']),
  ...wrongEntries('grant-type', ['grant_types'], ['password'], badWords),
  ...wrongEntries('token', tokenLists, ['RS256'], badWords),
  ...wrongEntries('text', ['keywords'], ['a'], badText),
  ...wrongEntries(
    'response-type',
    ['response_types'],
    ['code'],
    ['', 'none code', 'none none', 'None', 'code code', 'code  token', ' code', 'Code'],
  ),
]

const textRules: ReadonlyArray<Spoiling> = [
  ...wrongly('text', texts, badTextLongerThan(200)),
  ...wrongly('distinguished-name', 'tls_client_auth_subject_dn', badTextLongerThan(2048)),
  ...wrongly('contact', 'tls_client_auth_san_email', badTextLongerThan(254)),
  ...wrongly('long-text', 'description', badTextLongerThan(1000)),
  ...wrongly('host-name', 'tls_client_auth_san_dns', [
    '',
    'rp.example.',
    '*.rp.example',
    '127.0.0.1',
    '[::1]',
    'rp.example:443',
    'é.example',
    'a'.repeat(254),
  ]),
  ...wrongly('ip-address', 'tls_client_auth_san_ip', [
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
  ]),
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

const badTags = ['', 'f', 'en_US', 'toolonglanguage', 'fr-', '-fr', 'é', 'fr-fr-fr-fr-fr', 'x', 'a-DE']

const languageRules: ReadonlyArray<Spoiling> = [
  ...[...badTags, `fr-${'x'.repeat(33)}`].flatMap((tag) =>
    spoilings('language-tag', `/client_name#${tag.slice(0, 68)}`, [{ [`client_name#${tag}`]: 'Nom' }]),
  ),
  ...spoilings('text', '/client_name#fr', [{ 'client_name#fr': 'line\nbreak' }]),
  ...spoilings('string', '/client_name#fr', [{ 'client_name#fr': 5 }]),
  ...spoilings('web-uri', '/logo_uri#de-AT', [{ 'logo_uri#de-AT': 'javascript:alert(1)' }]),
]

/** The faults of single members. */
export const faultsOfMembers: ReadonlyArray<Spoiling> = [
  ...wrongTypes,
  ...uriRules,
  ...listRules,
  ...textRules,
  ...languageRules,
]
