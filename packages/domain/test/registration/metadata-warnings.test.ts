import * as fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { warningsOf } from '../../src/registration/information.js'
import { fetchedUri, law, validClientMetadata, validate } from '@clientele/testing'

const Warnings = suite('warningsOf')
const it = law(Warnings)

const isPrivate = (address: string): boolean => /^(?:10\.|127\.|192\.168\.|::1$)/.test(address)
const on = { outboundFetches: true }
const off = { outboundFetches: false }
const careful = { ...on, allowsAddress: (address: string) => !isPrivate(address) }

const reported =
  (...given: Parameters<typeof warningsOf>) =>
  (metadata: Parameters<ReturnType<typeof warningsOf>>[0]) =>
    warningsOf(...given)(metadata).map(({ pointer, rule }) => `${pointer} ${rule}`)

const unreached = [
  'https://10.0.0.5/out',
  'https://192.168.1.1:8443/out',
  'https://127.0.0.1/out',
  'https://[::1]/out',
  'https://localhost/out',
  'https://LocalHost:8443/out',
  'https://a.localhost/out',
]

Warnings('an address, or localhost, where the service does not connect', () => {
  for (const uri of unreached) {
    assert.equal(reported(careful)({ backchannel_logout_uri: uri }), ['/backchannel_logout_uri host-not-reached'], uri)
    assert.equal(reported(careful)({ sector_identifier_uri: uri }), ['/sector_identifier_uri host-not-reached'], uri)
  }
  for (const uri of [
    'https://rp.example/',
    'https://198.41.0.4/',
    'https://localhost.example/',
    'https://mylocalhost/',
  ])
    assert.equal(reported(careful)({ backchannel_logout_uri: uri, sector_identifier_uri: uri }), [], uri)
})

Warnings('no logout token is sent while outbound fetches are off, wherever it would be sent', () => {
  const uri = 'https://rp.example/out'
  assert.equal(reported(off)({ backchannel_logout_uri: uri }), ['/backchannel_logout_uri logout-not-sent'])
  assert.equal(reported(off)({}), [])
  assert.equal(reported({ ...careful, ...off })({ backchannel_logout_uri: 'https://10.0.0.5/' }), [
    '/backchannel_logout_uri logout-not-sent',
    '/backchannel_logout_uri host-not-reached',
  ])
})

Warnings('no key set is read while outbound fetches are off, where an authorization server here would read it', () => {
  const keys = { jwks_uri: 'https://rp.example/keys' }
  assert.equal(reported({ ...off, readsKeySets: true })(keys), ['/jwks_uri keys-not-read'])
  for (const settings of [{ ...on, readsKeySets: true }, { ...off, readsKeySets: false }, off, careful])
    assert.equal(reported(settings)(keys), [])
  assert.equal(reported({ ...careful, readsKeySets: true })({ jwks_uri: 'https://10.0.0.5/keys' }), [
    '/jwks_uri host-not-reached',
  ])
  const [warning] = warningsOf({ ...off, readsKeySets: true })(keys)
  assert.match(warning?.description ?? '', 'outbound-fetches')
})

Warnings('each names the setting that is the remedy', () => {
  const [sent, reached] = warningsOf({ ...careful, ...off })({ backchannel_logout_uri: 'https://10.0.0.5/' })
  assert.match(sent?.description ?? '', 'outbound-fetches')
  assert.match(reached?.description ?? '', 'outbound-allowed-networks')
})

const served = {
  grant_types: ['authorization_code', 'implicit', 'refresh_token', 'client_credentials'],
  response_types: ['code', 'id_token'],
  token_endpoint_auth_method: ['client_secret_basic', 'none'],
}
const serving = { ...on, abilities: { signingAlgorithms: ['RS256'], providerMetadata: {}, served } }

// Specification §5.1
Warnings('what an authorization server here does not do, and nothing where another one is beside it', () => {
  for (const [metadata, expected] of [
    [{ grant_types: ['authorization_code', 'password'] }, ['/grant_types grant-not-served']],
    [{ grant_types: ['urn:ietf:params:oauth:grant-type:saml2-bearer'] }, ['/grant_types grant-not-served']],
    [{ response_types: ['token'] }, ['/response_types response-type-not-served']],
    [{ response_types: ['code token', 'code'] }, []],
    [{ token_endpoint_auth_method: 'tls_client_auth' }, ['/token_endpoint_auth_method method-not-served']],
    [
      { tls_client_certificate_bound_access_tokens: true },
      ['/tls_client_certificate_bound_access_tokens binding-not-served'],
    ],
    [{ grant_types: served.grant_types, response_types: [], token_endpoint_auth_method: 'none' }, []],
  ] as const) {
    assert.equal(reported(serving)(metadata), expected)
    assert.equal(reported(on)(metadata), [])
  }
})

it('where everything may be reached there is none but of what no server does', [validClientMetadata()], (sent) => {
  const { metadata } = validate(sent)
  const words = metadata.response_types.flatMap((each) => each.split(' '))
  const isUnbound = metadata.dpop_bound_access_tokens === true && words.includes('token')
  const expected = isUnbound ? ['/response_types token-not-bound'] : []
  assert.equal(reported({ ...on, allowsAddress: () => true })(metadata), expected)
  assert.equal(reported(on)(metadata), expected)
})

// RFC 9449 §5
Warnings('an access token of an authorization response, where all are to be bound to a key', () => {
  const dpop_bound_access_tokens = true
  for (const [metadata, expected] of [
    [{ dpop_bound_access_tokens, response_types: ['code', 'id_token token'] }, ['/response_types token-not-bound']],
    [{ dpop_bound_access_tokens, response_types: ['code', 'id_token', 'code id_token', 'none'] }, []],
    [{ dpop_bound_access_tokens: false, response_types: ['token'] }, []],
    [{ response_types: ['token'] }, []],
    [{ dpop_bound_access_tokens }, []],
  ] as const)
    assert.equal(reported(on)(metadata), expected)
})

it(
  'what is allowed beyond never adds one',
  [fc.constantFrom(...unreached), fc.constantFrom('127.', '10.')],
  (uri, more) => {
    const wider = {
      ...on,
      allowsAddress: (address: string) => careful.allowsAddress(address) || address.startsWith(more),
    }
    const before = reported(careful)({ backchannel_logout_uri: uri })
    for (const each of reported(wider)({ backchannel_logout_uri: uri })) assert.ok(before.includes(each))
  },
)

it(
  'any text whatever has an answer, which carries no part of it',
  [fc.oneof(fetchedUri(), fc.string(), fc.webUrl()), fc.boolean(), fc.boolean(), fc.boolean()],
  (uri, outboundFetches, readsKeySets, allowed) => {
    const settings = { outboundFetches, readsKeySets, allowsAddress: () => allowed }
    const naming = (each: string) => ({
      backchannel_logout_uri: each,
      sector_identifier_uri: each,
      jwks_uri: each,
    })
    const plain = warningsOf(settings)(naming('https://10.0.0.5/'))
    for (const warning of warningsOf(settings)(naming(uri)))
      assert.ok(plain.some(({ description }) => description === warning.description))
  },
)

Warnings.run()
