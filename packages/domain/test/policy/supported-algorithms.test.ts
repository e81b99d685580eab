import * as fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { JsonValue } from '../../src/kernel/json-object.js'
import { choiceLists, members } from '../../src/client/members.js'
import { withDefaults } from '../../src/client/metadata.js'
import { validateClientMetadata } from '../../src/client/rules.js'
import { noPolicy } from '../../src/policy/policy.js'
import {
  type Abilities,
  type CryptographicMember,
  cryptographicMembers,
  listOfAlgorithms,
} from '../../src/policy/algorithms.js'
import { type JudgingSettings, ruleBook } from '../../src/registration/decide.js'
import { warningsOf } from '../../src/registration/information.js'
import { law, ruleContext, validClientMetadata } from '@clientele/testing'
import { describeProvider } from '../../src/operations/publish.js'

const Supported = suite('supported algorithms')
const it = law(Supported)

const signing = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA']
const known = [...new Set(cryptographicMembers.flatMap((member) => members[member].type.values))]
const algorithms = fc.subarray([...known, 'RSA1_5', 'of-tomorrow'])

const none: Abilities = { signingAlgorithms: [], providerMetadata: {} }

const abilities: fc.Arbitrary<Abilities> = fc.record(
  {
    signingAlgorithms: fc.subarray(signing, { minLength: 1 }),
    providerMetadata: fc.dictionary(fc.constantFrom(...cryptographicMembers.map(listOfAlgorithms)), algorithms, {
      maxKeys: 30,
      noNullPrototype: true,
    }),
    clientSecretLength: fc.integer({ min: 32, max: 70 }),
  },
  { requiredKeys: ['signingAlgorithms', 'providerMetadata'] },
)
const settings: fc.Arbitrary<JudgingSettings> = fc.record({
  abilities: fc.oneof(
    { weight: 5, arbitrary: abilities },
    fc.constant({ signingAlgorithms: ['RS256'], providerMetadata: {} }),
  ),
  policy: fc.oneof(
    fc.constant(noPolicy),
    fc.subarray(known).map((allowed_algorithms) => ({ ...noPolicy, allowed_algorithms })),
  ),
  outboundFetches: fc.constant(true),
})

const listsOf = (given: JudgingSettings): Readonly<Record<string, unknown>> =>
  describeProvider({ ...given, issuer: '', jwksUri: '', registrationEndpoint: '', endSession: undefined })

/** A client that could have the algorithm, if the service supports it. */
const clientWith = (member: CryptographicMember, value: string): Readonly<Record<string, unknown>> => {
  const isEncryption = member.endsWith('_enc')
  const isAssertion = member === 'token_endpoint_auth_signing_alg'
  return {
    redirect_uris: ['https://rp.example/cb'],
    jwks_uri: 'https://rp.example/keys',
    ...(isEncryption ? { [member.replace(/enc$/, 'alg')]: 'dir' } : {}),
    ...(isAssertion
      ? { token_endpoint_auth_method: value.startsWith('HS') ? 'client_secret_jwt' : 'private_key_jwt' }
      : {}),
    [member]: value,
  }
}

const faultsOf = (given: JudgingSettings, body: Readonly<Record<string, unknown>>) => {
  const book = ruleBook(given)
  const secretLength = given.abilities?.clientSecretLength ?? 64
  return validateClientMetadata(book.rules, { ...ruleContext, ...book, secretLength })(body).faults
}

const methods = fc.option(fc.subarray([...members.token_endpoint_auth_method.type.values]), { nil: undefined })

it(
  'what the metadata of the provider list is what registration takes, and the other way round (OpenID Discovery §3)',
  [settings, methods, fc.constantFrom(...cryptographicMembers), fc.constantFrom(...known, 'of-tomorrow')],
  ({ policy, ...others }, allowed, member, value) => {
    const given = { ...others, policy: { ...policy, ...(allowed && { allowed_token_endpoint_auth_methods: allowed }) } }
    // OpenID Core §9: the algorithm of an assertion is taken with its method.
    const places = member === 'token_endpoint_auth_signing_alg' ? [member, 'token_endpoint_auth_method'] : [member]
    const faults = faultsOf(given, clientWith(member, value)).filter(({ pointer }) => places.includes(pointer.slice(1)))
    const list = listsOf(given)[listOfAlgorithms(member)]
    assert.is(Array.isArray(list) && list.includes(value), faults.length === 0, JSON.stringify(faults))
  },
)

it(
  'a client that names no ID token algorithm has RS256, or else one that can be done, if any key pair can (OpenID Registration §2)',
  [settings],
  (given) => {
    const book = ruleBook(given)
    const body = { redirect_uris: ['https://rp.example/cb'] }
    const { metadata, faults } = validateClientMetadata(book.rules, { ...ruleContext, ...book, secretLength: 64 })(body)
    const list = listsOf(given)['id_token_signing_alg_values_supported']
    const able = signing.filter((algorithm) => Array.isArray(list) && list.includes(algorithm))
    assert.is(metadata.id_token_signed_response_alg, able.includes('RS256') ? 'RS256' : (able[0] ?? 'RS256'))
    assert.is(faults.length === 0, able.length > 0, JSON.stringify(faults))
  },
)

it(
  'of the methods that a client lists, it gets one that the policy allows, if there is one (OpenID RP Metadata Choices §2)',
  [fc.subarray([...members.token_endpoint_auth_method.type.values], { minLength: 1 }), methods],
  (token_endpoint_auth_methods_supported, allowed) => {
    const policy = { ...noPolicy, ...(allowed && { allowed_token_endpoint_auth_methods: allowed }) }
    const book = ruleBook({ policy, outboundFetches: true })
    const body = { redirect_uris: ['https://rp.example/cb'], token_endpoint_auth_methods_supported }
    const { metadata, faults } = validateClientMetadata(book.rules, { ...ruleContext, ...book })(body)
    const remaining = token_endpoint_auth_methods_supported.filter((each) => allowed?.includes(each) ?? true)
    assert.ok(remaining.length === 0 || remaining.includes(metadata.token_endpoint_auth_method))
    assert.is(
      faults.some(({ rule }) => rule === 'policy-auth-method'),
      remaining.length === 0,
    )
  },
)

Supported(
  'the words of a response type that the server does may stand in any order (Multiple Response Types §3)',
  () => {
    const served = { grant_types: [], response_types: ['code', 'code id_token'], token_endpoint_auth_method: [] }
    const settings = { policy: noPolicy, outboundFetches: true, abilities: { ...none, served } }
    const response_types = ['code', 'id_token code', 'token']
    const book = ruleBook(settings)
    assert.equal(withDefaults({ response_types }, { ...ruleContext, ...book }).response_types, [
      'code',
      'id_token code',
    ])
    assert.equal(warningsOf(settings)({ response_types: ['id_token code'] }), [])
  },
)

it(
  'with a key ring of an algorithm a client may have it, and more rings never take less',
  [fc.subarray(signing), fc.constantFrom(...signing), validClientMetadata()],
  (rings, ring, body) => {
    const able = (signingAlgorithms: ReadonlyArray<string>) =>
      faultsOf(
        { policy: noPolicy, outboundFetches: true, abilities: { signingAlgorithms, providerMetadata: {} } },
        body,
      )
    const fewer = able(rings)
    const more = able([...rings, ring])
    assert.equal(
      more.filter((each) => !fewer.some(({ pointer, rule }) => pointer === each.pointer && rule === each.rule)),
      [],
    )
    assert.equal(
      able(signing).filter(({ pointer }) => pointer !== '/request_object_encryption_alg'),
      [],
    )
  },
)

it(
  'whatever the provider beside this service says of itself, the lists are lists, and none is empty',
  [fc.json().map((text): JsonValue => JSON.parse(text) as JsonValue)],
  (said) => {
    const names = cryptographicMembers.map(listOfAlgorithms)
    const providerMetadata = Object.fromEntries(names.map((name) => [name, said]))
    const lists = listsOf({
      policy: noPolicy,
      outboundFetches: true,
      abilities: { signingAlgorithms: [], providerMetadata },
    })
    // RFC 8414 §3.2: a member with no elements is left out.
    for (const list of names.map((name) => lists[name]))
      assert.ok(list === undefined || (Array.isArray(list) && list.length > 0), JSON.stringify(list))
  },
)

const onlyRs256 = {
  policy: noPolicy,
  outboundFetches: true,
  abilities: { signingAlgorithms: ['RS256'], providerMetadata: {} },
}
const reported = (given: JudgingSettings, body: Readonly<Record<string, unknown>>) =>
  faultsOf(given, { redirect_uris: ['https://rp.example/cb'], ...body }).map(
    ({ pointer, rule }) => `${pointer} ${rule}`,
  )

Supported(
  'an algorithm that no key ring has is refused where the provider would sign or decrypt with its own key',
  () => {
    for (const member of ['id_token', 'userinfo', 'authorization', 'introspection', 'nfv_token'].map(
      (each) => `${each}_signed_response_alg`,
    ))
      assert.equal(reported(onlyRs256, { [member]: 'ES256' }), [`/${member} unsupported-algorithm`])
    const member = 'request_object_encryption_alg'
    assert.equal(reported(onlyRs256, { [member]: 'ECDH-ES' }), [`/${member} unsupported-algorithm`])
    for (const algorithm of ['RSA-OAEP-256', 'dir']) assert.equal(reported(onlyRs256, { [member]: algorithm }), [])
  },
)

Supported('what the client signs, and what is encrypted for it, takes the keys of the client', () => {
  const jwks_uri = 'https://rp.example/keys'
  for (const member of ['request_object_signing_alg', 'backchannel_authentication_request_signing_alg'])
    assert.equal(reported(onlyRs256, { jwks_uri, [member]: 'ES256' }), [])
  assert.equal(reported(onlyRs256, { jwks_uri, id_token_encrypted_response_alg: 'ECDH-ES' }), [])
})

Supported('of what a client lists, the first is chosen that is supported (OpenID RP Metadata Choices §2)', () => {
  const id_token_signing_alg_values_supported = ['ES256', 'PS256', 'of-tomorrow']
  const withPs256 = { ...onlyRs256, abilities: { signingAlgorithms: ['PS256'], providerMetadata: {} } }
  assert.equal(reported(withPs256, { id_token_signing_alg_values_supported }), [])
  assert.equal(reported(onlyRs256, { id_token_signing_alg_values_supported }), [
    '/id_token_signed_response_alg unsupported-algorithm',
  ])
})

const usedByBackchannel = {
  redirect_uris: ['https://rp.example/cb'],
  backchannel_logout_uri: 'https://rp.example/told',
}

Supported('a logout token takes a key ring or a secret of this service, whatever another signer has (§2.6)', () => {
  const providerMetadata = { id_token_signing_alg_values_supported: ['RS256', 'ES256', 'HS256'] }
  const given = { ...onlyRs256, abilities: { signingAlgorithms: ['RS256'], providerMetadata } }
  const es256 = { ...usedByBackchannel, id_token_signed_response_alg: 'ES256' }
  assert.equal(reported(given, es256), ['/id_token_signed_response_alg logout-token-algorithm'])
  assert.equal(reported({ ...given, outboundFetches: false }, es256), [], 'nothing is sent')
  assert.equal(reported(given, usedByBackchannel), [])
  assert.equal(reported(given, { ...usedByBackchannel, id_token_signed_response_alg: 'HS256' }), [])
})

Supported('the lists of the client and of the provider have the same names (OpenID RP Metadata Choices §2)', () => {
  const named = new Map<string, string>(cryptographicMembers.map((member) => [member, listOfAlgorithms(member)]))
  for (const list of choiceLists) assert.is(named.get(members[list].listOf) ?? list, list)
})

Supported('where nothing is known of keys, every known algorithm is taken', () => {
  const unknown = { policy: noPolicy, outboundFetches: true }
  for (const algorithm of signing) assert.equal(reported(unknown, { id_token_signed_response_alg: algorithm }), [])
})

Supported.run()
