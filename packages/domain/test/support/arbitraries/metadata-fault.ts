import * as fc from 'fast-check'
import type { MemberName } from '../../../src/client/members.js'
import type { RuleId } from '../../../src/codec/rule-texts.js'
import type { SentMetadata } from './client-metadata.js'

/** Where a body breaks which rule. */
export type MetadataFault = { readonly member: string; readonly pointer: string; readonly rule: RuleId }
export type OneFault = { readonly body: SentMetadata; readonly fault: MetadataFault }
type Spoiling = { readonly fault: MetadataFault; readonly spoil: (valid: SentMetadata) => SentMetadata }

/** A client that keeps every rule across members, so that one change breaks one rule; other members stay as they are. */
const plainClient = {
  application_type: 'web',
  grant_types: ['authorization_code'],
  response_types: ['code'],
  redirect_uris: ['https://rp.example/callback'],
  post_logout_redirect_uris: ['https://rp.example/bye'],
  token_endpoint_auth_method: 'client_secret_basic',
  id_token_signed_response_alg: 'RS256',
}
const implicitClient = {
  ...plainClient,
  grant_types: ['authorization_code', 'implicit'],
  response_types: ['code id_token'],
}
const nativeClient = { ...plainClient, application_type: 'native' }

const withoutKeys = (valid: SentMetadata): SentMetadata =>
  Object.fromEntries(Object.entries(valid).filter(([name]) => name !== 'jwks' && name !== 'jwks_uri'))

const spoiling = (
  rule: RuleId,
  pointer: string,
  members: SentMetadata,
  client: SentMetadata = plainClient,
): Spoiling => ({
  fault: { member: (pointer.split('/')[1] ?? '').replace(/#.*$/s, ''), pointer, rule },
  spoil: (valid) => ({ ...withoutKeys(valid), ...client, ...members }),
})

const objects = [[], {}]
const scalars = [123, true, null]

const wrongly = (rule: RuleId, member: MemberName, values: ReadonlyArray<unknown>): ReadonlyArray<Spoiling> =>
  values.map((value) => spoiling(rule, `/${member}`, { [member]: value }))

const texts = ['client_name', 'software_id', 'software_version'] as const
const webUris = ['client_uri', 'logo_uri', 'tos_uri', 'policy_uri'] as const
const uris = [...webUris, 'jwks_uri'] as const
const redirectUris = ['redirect_uris', 'post_logout_redirect_uris'] as const
const lists = [...redirectUris, 'contacts', 'grant_types', 'response_types'] as const
const choices = {
  application_type: 'application-type',
  subject_type: 'subject-type',
  token_endpoint_auth_method: 'auth-method',
  id_token_signed_response_alg: 'signing-algorithm',
} as const

const wrongTypes: ReadonlyArray<Spoiling> = [
  ...[...texts, ...uris, 'scope' as const].flatMap((member) => wrongly('string', member, [...objects, ...scalars])),
  ...lists.flatMap((member) => wrongly('array', member, [{}, ...scalars, '', 'code', { 0: 'code', length: 1 }])),
  ...lists.flatMap((member) =>
    [...objects, ...scalars].map((entry) => spoiling('string', `/${member}/0`, { [member]: [entry] })),
  ),
  // Because a hole is no value, a sparse array is refused at the hole.
  ...lists.map((member) => spoiling('string', `/${member}/0`, { [member]: Array(1) })),
  ...wrongly('application-type', 'application_type', [...objects, ...scalars, '', 'Web', 'service', 'toString']),
  ...wrongly('subject-type', 'subject_type', [...objects, ...scalars, '', 'private', 'constructor']),
  ...wrongly(choices.token_endpoint_auth_method, 'token_endpoint_auth_method', [...objects, ...scalars, '', 'tls']),
  ...wrongly(choices.id_token_signed_response_alg, 'id_token_signed_response_alg', [
    ...objects,
    ...scalars,
    '',
    'rs256',
    'RS256 ',
    'HS1',
    'RSA1_5',
    'valueOf',
  ]),
  ...wrongly('data', 'data', [[], ...scalars, '', 'text', { undefined: undefined }, { much: 'x'.repeat(16_384) }]),
  ...wrongly('jwk-set', 'jwks', [
    [],
    {},
    ...scalars,
    '',
    { keys: {} },
    { keys: Array.from({ length: 33 }, () => ({ kty: 'RSA' })) },
  ]),
]

const badTexts = [
  '',
  'x'.repeat(201),
  'line\nbreak',
  'nul\u0000',
  '\u202Eright',
  'zero\u200Bwidth',
  '\ud800',
  'a\u2028b',
]
const manyOf = (count: number, entry: (index: number) => string): ReadonlyArray<string> =>
  Array.from({ length: count }, (_, index) => entry(index))

const ownRules: ReadonlyArray<Spoiling> = [
  ...texts.flatMap((member) => wrongly('text', member, badTexts)),
  ...['', 'x'.repeat(255), 'line\nbreak', '\u202Eright'].map((entry) =>
    spoiling('contact', '/contacts/1', { contacts: ['a', entry] }),
  ),
  ...uris.flatMap((member) =>
    wrongly('uri', member, [
      '',
      'rp.example',
      '//rp.example',
      'https://a b/',
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
  ...webUris.flatMap((member) =>
    wrongly('web-uri', member, ['javascript:alert(1)', 'data:text/html,x', 'ftp://rp.example/']),
  ),
  ...wrongly('https-uri', 'jwks_uri', ['http://rp.example/jwks', 'file:/etc/passwd']),
  ...wrongly('scope', 'scope', [
    '',
    ' ',
    'openid  email',
    ' openid',
    'openid\temail',
    'open"id',
    'é',
    'x'.repeat(2049),
  ]),
  ...['', 'two words', 'a"b', 'a\\b', 'x'.repeat(257), 'é'].map((entry) =>
    spoiling('grant-type', '/grant_types/1', { grant_types: ['password', entry] }),
  ),
  ...['', 'none', 'code code', 'code  token', ' code', 'Code'].map((entry) =>
    spoiling('response-type', '/response_types/1', { response_types: ['code', entry] }),
  ),
  ...lists.map((member) =>
    spoiling('unique-items', `/${member}`, { [member]: ['https://rp.example/', 'https://rp.example/'] }),
  ),
  ...lists.map((member) =>
    spoiling('array-size', `/${member}`, { [member]: manyOf(33, (index) => `https://rp.example/${index}`) }),
  ),
  spoiling('array-size', '/contacts', { contacts: manyOf(11, String) }),
  ...['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'].map((name) =>
    spoiling('jwk', '/jwks/keys/1', { jwks: { keys: [{ kty: 'RSA' }, { kty: 'RSA', [name]: 'AA' }] } }),
  ),
  ...[{}, 7, null, { kty: 1 }].map((key) => spoiling('jwk', '/jwks/keys/0', { jwks: { keys: [key] } })),
]

const badRedirectUris: ReadonlyArray<readonly [RuleId, string, SentMetadata]> = [
  ['uri', 'java\nscript:alert(1)', plainClient],
  ['uri-fragment', 'https://rp.example/cb#', plainClient],
  ['uri-user-info', 'https://rp.example@evil.example/cb', nativeClient],
  ['uri-host', 'https:rp.example', plainClient],
  ['redirect-uri-web', 'http://rp.example/cb', plainClient],
  ['redirect-uri-web', 'javascript:alert(1)', plainClient],
  ['redirect-uri-native', 'JaVaScRiPt:alert(1)', nativeClient],
  ['redirect-uri-native', 'https://localhost/cb', nativeClient],
  ['redirect-uri-wildcard', 'https://rp.example/*', plainClient],
  ['redirect-uri-wildcard', 'com.example:/*', nativeClient],
]

const crossRules: ReadonlyArray<Spoiling> = [
  ...redirectUris.flatMap((member) =>
    badRedirectUris.map(([rule, uri, client]) =>
      spoiling(rule, `/${member}/1`, { [member]: ['https://rp.example/', uri] }, client),
    ),
  ),
  ...['http://rp.example/cb', 'http://localhost/cb', 'https://localhost/cb', 'com.example:/cb'].map((uri) =>
    spoiling('redirect-uri-implicit', '/redirect_uris/0', { redirect_uris: [uri] }, implicitClient),
  ),
  spoiling('redirect-uris-required', '/redirect_uris', { redirect_uris: undefined }),
  spoiling('redirect-uris-required', '/redirect_uris', { redirect_uris: [] }, implicitClient),
  spoiling('response-types-required', '/response_types', { response_types: [] }),
  spoiling('response-types-required', '/response_types', { response_types: undefined, grant_types: ['implicit'] }),
  ...['token', 'code id_token'].map((type) =>
    spoiling('response-type-grant', '/response_types/1', { response_types: ['code', type] }),
  ),
  spoiling('response-type-grant', '/response_types/0', { grant_types: ['password'] }),
  spoiling('jwks-exclusive', '/jwks_uri', { jwks: { keys: [] }, jwks_uri: 'https://rp.example/jwks' }),
  spoiling(
    'id-token-unsigned',
    '/id_token_signed_response_alg',
    { id_token_signed_response_alg: 'none' },
    implicitClient,
  ),
  spoiling('secret-algorithm', '/id_token_signed_response_alg', {
    id_token_signed_response_alg: 'HS256',
    token_endpoint_auth_method: 'none',
  }),
]

const languageVariants: ReadonlyArray<Spoiling> = [
  ...['', '-', 'fr-', '9', 'fr_FR', 'é', `a${'-abcdefgh'.repeat(4)}`].map((tag) =>
    spoiling('language-tag', `/client_name#${tag}`, { [`client_name#${tag}`]: 'Nom' }),
  ),
  spoiling('language-tag', '/tos_uri#a~1b~0c', { 'tos_uri#a/b~c': 'https://rp.example/' }),
  spoiling('string', '/client_name#fr', { 'client_name#fr': 5 }),
  spoiling('text', '/client_name#fr', { 'client_name#fr': '' }),
  spoiling('web-uri', '/tos_uri#fr', { 'tos_uri#fr': 'javascript:alert(1)' }),
  spoiling(
    'language-tags',
    '/client_name',
    Object.fromEntries(manyOf(65, (index) => `client_name#x-${index}`).map((name) => [name, 'Nom'])),
  ),
]

const spoilings = [...wrongTypes, ...ownRules, ...crossRules, ...languageVariants]

/** The rules that bodies of client metadata can break, each of which withOneFault breaks in one of its cases. */
export const faultsOfMetadata: ReadonlyArray<MetadataFault> = spoilings.map(({ fault }) => fault)

/** Each way to break one rule of one member, on the valid metadata, and what has to be told of it. */
export const everyFaultOf = (valid: SentMetadata): ReadonlyArray<OneFault> =>
  spoilings.map(({ fault, spoil }) => ({ fault, body: spoil(valid) }))

/** A body with exactly one fault, and what the fault is. */
export const withOneFault = (valid: fc.Arbitrary<SentMetadata>): fc.Arbitrary<OneFault> =>
  fc.tuple(valid, fc.constantFrom(...spoilings)).map(([body, { fault, spoil }]) => ({ fault, body: spoil(body) }))
