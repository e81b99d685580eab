import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { allRules, choices, encryptionAlgorithms, validateClientMetadata } from '../../src/client/rules.js'
import { ruleContext, validate } from '@clientele/testing'

const Rules = suite('rules across members')

const without = (others: ReadonlyArray<unknown>) => allRules.filter((rule) => !others.includes(rule))

// Independent of the source: a rule waits for the members that it depends on, and for no other.
Rules('each rule is held back by faults of the very members that it looks at', () => {
  assert.equal(
    without([...encryptionAlgorithms, ...choices]).map(({ members }) => members.join(' ')),
    [
      'redirect_uris grant_types',
      'redirect_uris grant_types response_types',
      'application_type',
      'application_type',
      'response_types grant_types',
      'response_types grant_types',
      'jwks_uri jwks',
      'jwks jwks_uri signed_jwks_uri',
      'id_token_signed_response_alg response_types',
      'id_token_signed_response_alg response_types post_logout_redirect_uris backchannel_logout_uri',
      'token_endpoint_auth_method',
      'token_endpoint_auth_method',
      'token_endpoint_auth_method grant_types',
      'token_endpoint_auth_signing_alg token_endpoint_auth_method',
      'token_endpoint_auth_method tls_client_auth_subject_dn tls_client_auth_san_dns tls_client_auth_san_uri ' +
        'tls_client_auth_san_ip tls_client_auth_san_email',
      'request_object_signing_alg require_signed_request_object',
      'subject_type redirect_uris sector_identifier_uri',
      'sector_identifier_uri',
      'backchannel_logout_uri',
      'frontchannel_logout_uri redirect_uris',
      'backchannel_token_delivery_mode grant_types',
      'backchannel_client_notification_endpoint backchannel_token_delivery_mode',
    ],
  )
  for (const { members } of encryptionAlgorithms) {
    const [enc, alg] = members
    assert.equal(members, [enc, enc?.replace(/enc$/, 'alg')].map(String))
    assert.is(alg?.endsWith('_alg'), true)
  }
  for (const { members } of choices) assert.match(members.join(' '), /^\w+ \w+_supported$/)
})

const rulesOf = (body: object): ReadonlyArray<string> => validate({ ...body }).faults.map(({ rule }) => rule)

const grantsThatNeverRedirect = [
  'refresh_token',
  'password',
  'client_credentials',
  'urn:ietf:params:oauth:grant-type:jwt-bearer',
  'urn:ietf:params:oauth:grant-type:saml2-bearer',
  'urn:ietf:params:oauth:grant-type:device_code',
  'urn:ietf:params:oauth:grant-type:token-exchange',
  'urn:openid:params:grant-type:ciba',
]

for (const grant of grantsThatNeverRedirect)
  Rules(`redirection URIs are of no use to ${grant}, unless another grant may redirect`, () => {
    const body = { redirect_uris: ['https://rp.example/'], response_types: [], backchannel_token_delivery_mode: 'poll' }
    assert.equal(rulesOf({ ...body, grant_types: [grant] }), ['redirect-uris-unused'])
    assert.equal(rulesOf({ ...body, grant_types: [grant, 'urn:example:of-tomorrow'] }), [])
    assert.equal(rulesOf({ ...body, grant_types: [grant], redirect_uris: [] }), [])
  })

Rules('the grants that redirect nowhere are named, and those that the authorization server does not do', () => {
  const served = { ...ruleContext, isSupported: (_: string, value: string) => value !== 'password' }
  const told = validateClientMetadata(
    allRules,
    served,
  )({ redirect_uris: ['https://rp.example/'], response_types: [], grant_types: ['client_credentials', 'password'] })
  assert.match(
    told.faults[0]?.description ?? '',
    'none (client_credentials, password redirects nowhere; the authorization server here does not do password)',
  )
})

Rules('without any grant, nothing redirects, as with a grant that never does', () => {
  for (const grant_types of [[], ['client_credentials']])
    assert.equal(rulesOf({ redirect_uris: ['https://rp.example/'], grant_types }), ['redirect-uris-unused'])
  assert.equal(rulesOf({ grant_types: [] }), [])
})

Rules('the response type none needs redirection URIs and no grant (OAuth Multiple Response Types §4)', () => {
  const client = { redirect_uris: ['https://rp.example/'], response_types: ['none'] }
  for (const grant_types of [undefined, [], ['client_credentials'], ['implicit'], ['authorization_code']])
    assert.equal(rulesOf({ ...client, grant_types }), [])
  assert.equal(rulesOf({ ...client, response_types: ['none', 'code'] }), [])
  assert.equal(rulesOf({ grant_types: [], response_types: ['none'] }), ['redirect-uris-required'])
  assert.equal(rulesOf({ ...client, redirect_uris: [], grant_types: ['password'] }), ['redirect-uris-required'])
})

Rules('whether redirection URIs are of use waits for sound response types', () => {
  const client = { redirect_uris: ['https://rp.example/'], grant_types: ['client_credentials'] }
  assert.equal(rulesOf({ ...client, response_types: ['none', 7] }), ['string'])
})

Rules('an ID token may be unsigned where none comes from the authorization endpoint', () => {
  const client = { redirect_uris: ['https://rp.example/'], id_token_signed_response_alg: 'none' }
  const grant_types = ['authorization_code', 'implicit']
  for (const type of ['code', 'token', 'code token', 'none'])
    assert.equal(rulesOf({ ...client, grant_types, response_types: [type] }), [])
  for (const type of ['id_token', 'id_token token', 'code id_token', 'code id_token token'])
    assert.equal(rulesOf({ ...client, grant_types, response_types: ['none', type] }), ['id-token-unsigned'])
})

Rules('a delivery mode is needed by CIBA alone', () => {
  assert.equal(rulesOf({ redirect_uris: ['https://rp.example/'] }), [])
  const grant_types = ['urn:openid:params:grant-type:ciba']
  assert.equal(rulesOf({ grant_types, response_types: [] }), ['ciba-delivery-mode'])
})

const signed = 'token_endpoint_auth_signing_alg'

Rules('whoever signs assertions has keys: jwks, jwks_uri or signed_jwks_uri', () => {
  const body = {
    redirect_uris: ['https://rp.example/'],
    token_endpoint_auth_method: 'private_key_jwt',
    [signed]: 'ES256',
  }
  assert.equal(
    validate(body).faults.map(({ pointer, rule }) => `${pointer} ${rule}`),
    ['/token_endpoint_auth_method keys-required', `/${signed} keys-required`],
  )
  const key = { kty: 'OKP', crv: 'Ed25519', x: 'A'.repeat(43) }
  assert.equal(rulesOf({ ...body, jwks: { keys: [] } }).length, 2)
  for (const keys of [
    { jwks: { keys: [key] } },
    { jwks_uri: 'https://rp.example/jwks' },
    { signed_jwks_uri: 'https://rp.example/jwks' },
  ])
    assert.equal(rulesOf({ ...body, ...keys }), [])
})

const redirect_uris = ['https://rp.example/']

Rules('what a public client cannot sign with is told once, however short a secret would be', () => {
  const client = { redirect_uris, token_endpoint_auth_method: 'none', id_token_signed_response_alg: 'HS512' }
  assert.equal(rulesOf(client), ['secret-algorithm'])
})

Rules('requests may be unsigned where nobody said that they must be signed', () => {
  assert.equal(rulesOf({ redirect_uris, request_object_signing_alg: 'none' }), [])
})

Rules('a sector identifier that cannot be fetched is told at its member', () => {
  const context = { ...ruleContext, fetchesSectorIdentifiers: false }
  const body = { redirect_uris, sector_identifier_uri: 'https://rp.example/sector' }
  assert.equal(
    validateClientMetadata(allRules, context)(body).faults.map(({ pointer, rule }) => `${pointer} ${rule}`),
    ['/sector_identifier_uri sector-identifier-off'],
  )
})

Rules('a list says everything that is wrong with it at once', () => {
  const redirect_uris = ['javascript:1', 'javascript:1', 'https://u@x.example/']
  const contacts = ['a', 'a', '', ...Array.from({ length: 30 }, (_, index) => `contact ${index}`)]
  assert.equal(
    validate({ redirect_uris, contacts })
      .faults.map(({ pointer, rule }) => `${pointer} ${rule}`)
      .sort(),
    [
      '/contacts array-size',
      '/contacts unique-items',
      '/contacts/2 contact',
      '/redirect_uris unique-items',
      '/redirect_uris/0 uri-scheme',
      '/redirect_uris/1 uri-scheme',
      '/redirect_uris/2 uri-user-info',
    ],
  )
})

Rules('a key says everything that is wrong with it at once', () => {
  const jwks = { keys: [{ kty: 'RSA', n: 'AQAB', e: 'Aw', d: 'x', kid: '' }] }
  assert.equal(
    validate({ redirect_uris: ['https://rp.example/'], jwks }).faults.map(({ pointer, rule }) => `${pointer} ${rule}`),
    [
      '/jwks/keys/0/d jwk-private',
      '/jwks/keys/0/n jwk-rsa-size',
      '/jwks/keys/0/e jwk-rsa-exponent',
      '/jwks/keys/0/kid jwk-kid',
    ],
  )
})

Rules('too many languages do not hide what is wrong with another, and half a character is never told', () => {
  const variants = Object.fromEntries(Array.from({ length: 65 }, (_, index) => [`client_name#x-${index}`, 'name']))
  const body = { redirect_uris: ['https://rp.example/'], 'tos_uri#fr': 'javascript:1', ...variants }
  assert.equal(rulesOf(body), ['language-tags', 'web-uri'])
  for (const length of [66, 67, 68]) {
    const [fault] = validate({ [`client_name#${'a'.repeat(length)}😀😀`]: 'x' }).faults
    assert.ok(fault?.pointer.isWellFormed(), fault?.pointer)
  }
})

Rules.run()
