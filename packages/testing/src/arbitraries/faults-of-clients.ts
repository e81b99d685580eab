// What members can violate together, and the keys of a client, beside what the examples of the rules violate; and a body with
// exactly one fault.
import * as fc from 'fast-check'
import { members } from '@clientele/domain/client'
import { type RuleId, isRuleId } from '@clientele/domain/kernel'
import { ruleExamples } from '@clientele/domain/rules'
import {
  type MetadataFault,
  type Spoiling,
  faultsOfMembers,
  memberAt,
  plainClient,
  spoilings,
} from './faults-of-members.js'
import { choiceLists, redirectUris } from './member-kinds.js'
import type { SentMetadata } from './json-values.js'

const implicitClient = {
  ...plainClient,
  grant_types: ['authorization_code', 'implicit'],
  response_types: ['code id_token'],
}
const nativeClient = { ...plainClient, application_type: 'native' }
const serviceClient = { token_endpoint_auth_method: 'client_secret_basic', grant_types: ['client_credentials'] }
const keyClient = { ...plainClient, token_endpoint_auth_method: 'private_key_jwt', jwks_uri: 'https://rp.example/keys' }

type BadUris = ReadonlyArray<readonly [rule: RuleId, client: SentMetadata, ...uris: ReadonlyArray<string>]>

const badRedirectUris: BadUris = [
  ['uri', plainClient, 'java\nscript:alert(1)'],
  ['uri-fragment', plainClient, 'https://rp.example/cb#'],
  ['uri-user-info', nativeClient, 'https://rp.example@evil.example/cb'],
  ['uri-host', plainClient, 'https:rp.example'],
  ['uri-dot-segment', plainClient, 'https://rp.example/a/../cb'],
  ['redirect-uri-web', plainClient, 'http://rp.example/cb', 'com.example:/cb'],
  ['uri-scheme', plainClient, 'javascript:alert(1)'],
  ['uri-scheme', nativeClient, 'JaVaScRiPt:alert(1)', 'ms-settings:privacy'],
  ['redirect-uri-private-use', nativeClient, 'my-application:/cb', 'my-application://cb'],
  ['redirect-uri-native', nativeClient, 'https://localhost/cb', 'http://rp.example/cb'],
  [
    'redirect-uri-private-network',
    nativeClient,
    'http://192.168.1.5:8123/cb',
    'http://hub.local/cb',
    'http://[fd00::1]/cb',
  ],
  ['uri-host', plainClient, 'http://[fd00::1]/cb'],
  ['uri-host', nativeClient, 'https://[fd00::1]/cb', 'http://[2001:db8::1]/cb'],
  ['redirect-uri-wildcard', plainClient, 'https://rp.example/*', 'https://*.rp.example/cb'],
  ['redirect-uri-wildcard', nativeClient, 'com.example:/*', 'http://localhost:*/cb'],
  ['redirect-uri-query', plainClient, 'https://rp.example/cb?a=b&state', 'https://rp.example/cb?st%61te=1'],
]
// Parameters that only an authorization response adds
const answeredUris: BadUris = [
  ['redirect-uri-query', plainClient, 'https://rp.example/cb?code=1', 'https://rp.example/cb?a&%63ode'],
  ['redirect-uri-query', plainClient, 'https://rp.example/cb?response=x'],
  ['redirect-uri-query', nativeClient, 'com.example:/cb?error=x'],
]

const redirectRules: ReadonlyArray<Spoiling> = redirectUris.flatMap((list) =>
  (list === 'redirect_uris' ? [...badRedirectUris, ...answeredUris] : badRedirectUris).flatMap(
    ([rule, client, ...uris]) =>
      spoilings(
        rule,
        `/${list}/1`,
        uris.map((uri) => ({ [list]: ['https://rp.example/', uri] })),
        client,
      ),
  ),
)

const neededUriRules: ReadonlyArray<Spoiling> = [
  ...spoilings(
    'redirect-uri-implicit',
    '/redirect_uris/0',
    ['http://rp.example/cb', 'http://localhost/cb', 'https://localhost/cb', 'com.example:/cb'].map((uri) => ({
      redirect_uris: [uri],
    })),
    implicitClient,
  ),
  ...spoilings('redirect-uris-required', '/redirect_uris', [{ redirect_uris: [] }], implicitClient),
  ...spoilings('redirect-uris-required', '/redirect_uris', [{ response_types: ['none'] }], serviceClient),
  ...spoilings(
    'redirect-uris-unused',
    '/redirect_uris',
    [[], ['client_credentials'], ['password', 'refresh_token'], ['urn:ietf:params:oauth:grant-type:device_code']].map(
      (grant_types) => ({ redirect_uris: ['https://rp.example/'], grant_types }),
    ),
    serviceClient,
  ),
  ...spoilings(
    'frontchannel-origin',
    '/frontchannel_logout_uri',
    ['https://rp.example:444/bye', 'http://localhost/bye'].map((uri) => ({
      frontchannel_logout_uri: uri,
    })),
  ),
]

const pairwise = { subject_type: 'pairwise' }

const sectorRules: ReadonlyArray<Spoiling> = [
  ...spoilings('pairwise-sector', '/subject_type', [pairwise], serviceClient),
  ...spoilings(
    'pairwise-sector',
    '/subject_type',
    [['https://rp.example/', 'https://two.example/'], ['https://127.0.0.2/cb'], ['https://app.localhost/cb']].map(
      (redirect_uris) => ({ ...pairwise, redirect_uris }),
    ),
  ),
  ...spoilings(
    'pairwise-sector',
    '/subject_type',
    ['com.example:/cb', 'com.example://rp.example/cb', 'http://127.0.0.1/cb'].map((uri) => ({
      ...pairwise,
      redirect_uris: [uri],
    })),
    nativeClient,
  ),
]

const grantRules: ReadonlyArray<Spoiling> = [
  ...spoilings('response-types-required', '/response_types', [
    { response_types: undefined, grant_types: ['implicit'] },
  ]),
  ...spoilings('response-type-grant', '/response_types/1', [
    { response_types: ['none', 'token'] },
    { response_types: ['none', 'code id_token'] },
  ]),
  ...spoilings('response-type-grant', '/response_types/0', [{ response_types: ['code'] }], serviceClient),
  ...spoilings('confidential-grant', '/token_endpoint_auth_method', [
    {
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'urn:openid:params:grant-type:ciba'],
      backchannel_token_delivery_mode: 'poll',
    },
  ]),
  ...spoilings('ciba-notification-endpoint', '/backchannel_client_notification_endpoint', [
    { backchannel_token_delivery_mode: 'push' },
  ]),
]

const responses = ['id_token', 'userinfo', 'authorization', 'introspection', 'nfv_token'] as const
const signatures = [...responses.map((each) => `${each}_signed_response_alg`), 'request_object_signing_alg']
const encryptions = [...responses.map((each) => `${each}_encrypted_response`), 'request_object_encryption']

/** Each value of the member, alone or with the other members. */
const algorithms = (
  rule: RuleId,
  member: string,
  values: ReadonlyArray<string>,
  others: SentMetadata = {},
  client: SentMetadata = plainClient,
): ReadonlyArray<Spoiling> =>
  spoilings(
    rule,
    `/${member}`,
    values.map((value) => ({ [member]: value, ...others })),
    client,
  )

const withoutSecret = { token_endpoint_auth_method: 'none' }
const ofAssertions = 'token_endpoint_auth_signing_alg'

const algorithmRules: ReadonlyArray<Spoiling> = [
  ...algorithms('id-token-unsigned-logout', 'id_token_signed_response_alg', ['none'], {
    backchannel_logout_uri: 'https://rp.example/told',
  }),
  ...signatures.flatMap((member) => [
    ...algorithms('secret-algorithm', member, ['HS256'], withoutSecret),
    ...algorithms('secret-length', member, ['HS384', 'HS512']),
  ]),
  ...encryptions.flatMap((name) => [
    ...algorithms('secret-algorithm', `${name}_alg`, ['dir'], withoutSecret),
    ...algorithms('encryption-needs-algorithm', `${name}_enc`, ['A128GCM'], {}, keyClient),
  ]),
  ...['none', 'client_secret_basic', 'client_secret_post'].flatMap((method) =>
    algorithms('auth-signing-algorithm', ofAssertions, ['RS256'], { token_endpoint_auth_method: method }, keyClient),
  ),
  ...algorithms('auth-signing-algorithm', ofAssertions, ['HS256'], {}, keyClient),
  ...algorithms(
    'auth-signing-algorithm',
    ofAssertions,
    ['ES256'],
    { token_endpoint_auth_method: 'client_secret_jwt' },
    keyClient,
  ),
]

const keysRequired: ReadonlyArray<Spoiling> = [
  ...algorithms('keys-required', 'token_endpoint_auth_method', ['private_key_jwt', 'self_signed_tls_client_auth']),
  ...algorithms('keys-required', 'token_endpoint_auth_method', ['private_key_jwt'], { jwks: { keys: [] } }),
  ...algorithms('keys-required', 'request_object_signing_alg', ['RS256', 'EdDSA']),
  ...algorithms('keys-required', 'backchannel_authentication_request_signing_alg', ['ES256']),
  ...responses.flatMap((each) => algorithms('keys-required', `${each}_encrypted_response_alg`, ['ECDH-ES+A128KW'])),
]

const certificateRules: ReadonlyArray<Spoiling> = [
  ...spoilings('tls-client-auth', '/token_endpoint_auth_method', [
    {
      token_endpoint_auth_method: 'tls_client_auth',
      tls_client_auth_san_dns: 'rp.example',
      tls_client_auth_san_ip: '2001:db8::1',
    },
  ]),
  ...Object.entries({
    tls_client_auth_subject_dn: 'CN=rp',
    tls_client_auth_san_dns: 'rp.example',
    tls_client_auth_san_uri: 'urn:rp:1',
    tls_client_auth_san_ip: '203.0.113.7',
    tls_client_auth_san_email: 'ops@rp.example',
  }).flatMap(([member, value]) => spoilings('tls-client-auth-unused', `/${member}`, [{ [member]: value }])),
]

const choiceRules: ReadonlyArray<Spoiling> = [
  ...choiceLists.flatMap((list) => spoilings('no-known-choice', `/${list}`, [{ [list]: ['of-tomorrow'] }], keyClient)),
  ...spoilings('no-known-choice', '/subject_types_supported', [{ subject_types_supported: [] }]),
  ...spoilings('value-not-chosen', '/token_endpoint_auth_method', [
    { token_endpoint_auth_methods_supported: ['none'] },
  ]),
]

const modulus = `u${'A'.repeat(340)}Q`
const rsa = { kty: 'RSA', n: modulus, e: 'AQAB' }
const coordinate = 'A'.repeat(43)
const ec = { kty: 'EC', crv: 'P-256', x: coordinate, y: coordinate }
const okp = { kty: 'OKP', crv: 'Ed25519', x: coordinate }

/** Each of the keys, beside a valid one, has the fault at its member. */
const badKeys = (rule: RuleId, member: string, ...keys: ReadonlyArray<SentMetadata>): ReadonlyArray<Spoiling> =>
  spoilings(
    rule,
    `/jwks/keys/1/${member}`,
    keys.map((key) => ({ jwks: { keys: [rsa, key] } })),
  )

/** The key with each of the values as its member. */
const withValues = (key: SentMetadata, member: string, values: ReadonlyArray<unknown>) =>
  values.map((value) => ({ ...key, [member]: value }))

const wrong = [7, null, '', 'a b', '====', 'a']
const wrongCoordinates = [7, '', 'A'.repeat(42), 'A'.repeat(44)]

const keyRules: ReadonlyArray<Spoiling> = [
  ...spoilings(
    'jwk',
    '/jwks/keys/0',
    [{}, 7, null, [], { kty: 1 }].map((key) => ({ jwks: { keys: [key] } })),
  ),
  ...['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k', 'priv'].flatMap((name) =>
    badKeys('jwk-private', name, { ...rsa, [name]: 'AA' }, { kty: 'of-tomorrow', [name]: 1 }),
  ),
  ...badKeys('jwk-private', 'kty', { kty: 'oct' }),
  ...badKeys('jwk-member', 'n', ...withValues(rsa, 'n', wrong)),
  ...badKeys('jwk-member', 'e', ...withValues(rsa, 'e', wrong)),
  // An even modulus, which is no product of two odd primes; 1,024 bits; 2,047 bits; many leading zeros; and more than
  // 16,384 bits
  ...badKeys(
    'jwk-rsa-size',
    'n',
    ...withValues(rsa, 'n', [
      `u${'A'.repeat(341)}`,
      `u${'A'.repeat(169)}Q`,
      `P${'A'.repeat(340)}Q`,
      `${'A'.repeat(341)}Q`,
      `u${'A'.repeat(2730)}Q`,
    ]),
  ),
  // 1, 3, 65,535, 65,536, and more than 256 bits
  ...badKeys('jwk-rsa-exponent', 'e', ...withValues(rsa, 'e', ['AQ', 'Aw', '__8', 'AQAA', `AQ${'A'.repeat(42)}`])),
  ...badKeys('jwk-member', 'crv', { ...ec, crv: 'Ed25519' }, { ...okp, crv: 'P-256' }),
  ...badKeys('jwk-member', 'crv', { kty: 'EC', x: coordinate, y: coordinate }),
  ...badKeys('jwk-member', 'x', ...withValues(ec, 'x', wrongCoordinates), ...withValues(okp, 'x', wrongCoordinates)),
  ...badKeys('jwk-member', 'y', ...withValues(ec, 'y', wrongCoordinates)),
  ...badKeys('jwk-member', 'y', { kty: 'EC', crv: 'P-256', x: coordinate }),
  ...badKeys('jwk-member', 'x', { ...ec, crv: 'P-521', y: 'A'.repeat(88) }),
  ...badKeys('jwk-member', 'use', { ...rsa, use: 7 }),
  ...badKeys('jwk-member', 'alg', { ...rsa, alg: 7 }),
  ...badKeys(
    'jwk-member',
    'x5c',
    ...withValues(rsa, 'x5c', [
      '',
      7,
      null,
      [],
      ['AA='],
      ['not base64'],
      ['-_-_'],
      Array.from({ length: 11 }, () => 'AAAA'),
    ]),
  ),
  ...badKeys(
    'jwk-kid',
    'kid',
    ...withValues(rsa, 'kid', ['', 7, 'two words', '../../etc/passwd', 'é', 'x'.repeat(257)]),
  ),
]

/** What the example of each rule of a member violates, where neither a policy nor anything else must be given. */
const exampleFaults: ReadonlyArray<Spoiling> = Object.entries(ruleExamples).flatMap(
  ([rule, { request, at, bad, policy, given }]) => {
    const isOfMember = Object.hasOwn(members, memberAt(at)) && policy === undefined && given === undefined
    return request === 'POST /clients' && typeof bad !== 'string' && isOfMember && isRuleId(rule)
      ? spoilings(rule, at, [bad], {})
      : []
  },
)

export { type MetadataFault } from './faults-of-members.js'
export type OneFault = { readonly body: SentMetadata; readonly fault: MetadataFault }

const allFaults: ReadonlyArray<Spoiling> = [
  ...faultsOfMembers,
  ...redirectRules,
  ...neededUriRules,
  ...sectorRules,
  ...grantRules,
  ...keysRequired,
  ...algorithmRules,
  ...certificateRules,
  ...choiceRules,
  ...keyRules,
  ...exampleFaults,
]

/** The rules that client metadata can violate; withOneFault violates each of them. */
export const faultsOfMetadata: ReadonlyArray<MetadataFault> = allFaults.map(({ fault }) => fault)

/** All violations of one rule by one member of the valid metadata, with the fault to report. */
export const everyFaultOf = (valid: SentMetadata): ReadonlyArray<OneFault> =>
  allFaults.map(({ fault, spoil }) => ({ fault, body: spoil(valid) }))

/** A body with exactly one fault, and the fault: its member, its place as a JSON pointer, and the violated rule. */
export const withOneFault = (valid: fc.Arbitrary<SentMetadata>): fc.Arbitrary<OneFault> =>
  fc.tuple(valid, fc.constantFrom(...allFaults)).map(([body, { fault, spoil }]) => ({ fault, body: spoil(body) }))
