import * as fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { isMemberName, members } from '../../src/client/members.js'
import { validateClientMetadata } from '../../src/client/rules.js'
import { responseTypes } from '../../src/client/values.js'
import { typesByPolicy } from '../../src/policy/algorithms.js'
import { policyRules } from '../../src/policy/rules.js'
import { type RegistrationPolicy, noCeilings, noPolicy } from '../../src/policy/policy.js'
import { law, ruleContext, validClientMetadata } from '@clientele/testing'
import { policyLists } from './policies.js'

const Policy = suite('policyRules')
const it = law(Policy)

type Lists = Omit<RegistrationPolicy, 'ceilings'>
type Body = Readonly<Record<string, unknown>>

/** The faults of a body by the policy alone, as RULE AT POINTER. */
const faultsOf = (lists: Lists, body: Body): ReadonlyArray<string> =>
  validateClientMetadata(
    policyRules({ ceilings: noCeilings, ...lists }),
    ruleContext,
  )(body)
    .faults.filter(({ rule }) => rule.startsWith('policy-'))
    .map(({ rule, pointer }) => `${rule} ${pointer}`)

Policy('no policy has no rule', () => assert.equal(policyRules(noPolicy), []))

const cut = (list: ReadonlyArray<string>) => list.slice(1)

/** Stricter in each part of the policy: it allows one value less, or requires one member more. */
const stricter = (lists: Lists): ReadonlyArray<Lists> => [
  { ...lists, allowed_redirect_hosts: cut(lists.allowed_redirect_hosts ?? ['', 'rp.example']) },
  { ...lists, required_members: [...(lists.required_members ?? []), 'client_name'] },
  { ...lists, allowed_token_endpoint_auth_methods: cut(lists.allowed_token_endpoint_auth_methods ?? ['', 'none']) },
  { ...lists, allowed_response_types: cut(lists.allowed_response_types ?? ['', 'code']) },
  { ...lists, allowed_algorithms: cut(lists.allowed_algorithms ?? ['', 'RS256']) },
]

it('a stricter policy tells all that a laxer one tells', [policyLists(), validClientMetadata()], (lists, body) => {
  for (const strict of stricter(lists)) {
    const reported = faultsOf(strict, body)
    for (const fault of faultsOf(lists, body)) assert.ok(reported.includes(fault), fault)
  }
})

it('what two policies tell is what both tell as one', [policyLists(), validClientMetadata()], (lists, body) => {
  const parts: ReadonlyArray<Lists> = Object.entries(lists).map(([name, list]) => ({ [name]: list }))
  assert.equal([...faultsOf(lists, body)].sort(), parts.flatMap((part) => faultsOf(part, body)).sort())
})

const redirects = ['redirect_uris', 'post_logout_redirect_uris', 'claims_redirect_uris']
const isAllowed = (pattern: string, uri: string): boolean => {
  const reported = redirects.map(
    (member) => faultsOf({ allowed_redirect_hosts: [pattern] }, { [member]: [uri] }).length,
  )
  assert.is(new Set(reported).size, 1, 'the same for each list of redirection URIs')
  return reported[0] === 0
}

Policy('a host is allowed by its name, in any case and on any port', () => {
  for (const uri of ['https://rp.example/cb', 'https://RP.Example:8443/cb', 'http://rp.example/'])
    assert.ok(isAllowed('rp.example', uri), uri)
  for (const uri of [
    'https://a.rp.example/',
    'https://evilrp.example/',
    'https://rp.example.evil.example/',
    'com.rp:/cb',
  ])
    assert.not(isAllowed('rp.example', uri), uri)
})

Policy('a wildcard allows all names below, and neither the name itself nor one that ends alike', () => {
  for (const uri of ['https://a.rp.example/', 'https://a.b.rp.example/cb', 'https://A.RP.example:1/'])
    assert.ok(isAllowed('*.rp.example', uri), uri)
  for (const uri of ['https://rp.example/', 'https://evilrp.example/', 'https://a.rp.example.evil.example/'])
    assert.not(isAllowed('*.rp.example', uri), uri)
})

it('a name is below exactly the names that it ends with', [fc.domain(), fc.domain()], (name, other) => {
  const host = name.toLowerCase()
  const apex = other.toLowerCase()
  assert.ok(isAllowed(`*.${apex}`, `https://sub.${apex}/`))
  assert.is(isAllowed(`*.${apex}`, `https://${host}/`), host.endsWith(`.${apex}`))
  assert.is(isAllowed(apex, `https://${host}/`), host === apex)
})

Policy('a private-use scheme is allowed by its name, and no host allows it', () => {
  for (const uri of [
    'com.example.app:/cb',
    'COM.example.app:cb',
    'com.example.app:///cb',
    'com.example.app://rp.example/',
  ])
    assert.ok(isAllowed('com.example.app:', uri), uri)
  for (const uri of ['com.example:/cb', 'com.example.app.evil:/cb', 'https://com.example.app/'])
    assert.not(isAllowed('com.example.app:', uri), uri)
  assert.not(isAllowed('com.example.app', 'com.example.app:/cb'))
  for (const uri of ['com.evil.app://rp.example/', 'cursor://rp.example/cb', 'com.evil.app://com.example.app:/'])
    for (const pattern of ['rp.example', 'com.example.app:']) assert.not(isAllowed(pattern, uri), uri)
})

Policy('each entry is judged, also beside a faulty one', () => {
  const uris = ['https://rp.example/', 'https://evil.example/', 'no URI', 'https://other.example/']
  assert.equal(faultsOf({ allowed_redirect_hosts: ['rp.example'] }, { redirect_uris: uris }), [
    'policy-redirect-host /redirect_uris/1',
    'policy-redirect-host /redirect_uris/3',
  ])
})

const saysNothing = (value: unknown): boolean =>
  value === undefined || ['[]', '{}', '{"keys":[]}'].includes(JSON.stringify(value))

it('a required member is told exactly when it says nothing', [validClientMetadata()], (body) => {
  const { metadata } = validateClientMetadata([], ruleContext)(body)
  for (const member of Object.keys(members).filter(isMemberName))
    assert.is(faultsOf({ required_members: [member] }, body).length, saysNothing(metadata[member]) ? 1 : 0, member)
})

Policy('a required member that is faulty is told as faulty only', () => {
  assert.equal(faultsOf({ required_members: ['client_name'] }, { client_name: 5 }), [])
})

Policy('an authentication method counts as a default, too', () => {
  const allowed_token_endpoint_auth_methods = ['private_key_jwt']
  const fault = ['policy-auth-method /token_endpoint_auth_method']
  assert.equal(faultsOf({ allowed_token_endpoint_auth_methods }, {}), fault)
  assert.equal(faultsOf({ allowed_token_endpoint_auth_methods }, { token_endpoint_auth_method: 'none' }), fault)
  assert.equal(faultsOf({ allowed_token_endpoint_auth_methods }, { token_endpoint_auth_method: 'private_key_jwt' }), [])
})

Policy('each response type that is not allowed is told, in any order of its words', () => {
  const at = (...indexes: ReadonlyArray<number>) =>
    indexes.map((each) => `policy-response-type /response_types/${each}`)
  const sent = { response_types: ['code', 'id_token code', 'none'] }
  assert.equal(faultsOf({ allowed_response_types: ['code'] }, sent), at(1, 2))
  assert.equal(faultsOf({ allowed_response_types: ['code id_token', 'none'] }, sent), at(0))
  assert.equal(faultsOf({ allowed_response_types: [] }, {}), at(0))
  assert.equal(faultsOf({ allowed_response_types: [] }, { grant_types: ['client_credentials'] }), [])
})

it('what remains of response types by the policy uses what remains of grants', [policyLists()], (lists) => {
  const served = { grant_types: ['authorization_code', 'implicit', 'password'], response_types: responseTypes.values }
  const { grant_types, response_types } = typesByPolicy(lists, served)
  assert.equal(response_types, lists.allowed_response_types ?? responseTypes.values)
  assert.is(grant_types.includes('authorization_code'), /code/.test(response_types.join(' ')))
  assert.is(grant_types.includes('implicit'), /token/.test(response_types.join(' ')))
  assert.ok(grant_types.includes('password'))
})

Policy('a fault names the values that the policy allows', () => {
  const policy = {
    ceilings: noCeilings,
    allowed_token_endpoint_auth_methods: ['private_key_jwt', 'none'],
    allowed_response_types: ['code'],
    allowed_algorithms: ['ES256', 'A128GCM'],
  }
  const body = { response_types: ['code', 'none'] }
  assert.equal(
    validateClientMetadata(policyRules(policy), ruleContext)(body).faults.map(({ description }) => description),
    [
      'token_endpoint_auth_method is not among the authentication methods that the registration policy allows: choose one of them (private_key_jwt, none)',
      'an entry of response_types is not among the response types that the registration policy allows: choose one of them (code)',
      'id_token_signed_response_alg is not among the algorithms that the registration policy allows: choose one of them (ES256)',
    ],
  )
})

Policy('every member that names an algorithm is judged, with every algorithm', () => {
  const named = Object.keys(members)
    .filter(isMemberName)
    .filter((member) => /_(?:alg|enc)$/.test(member))
  assert.is(named.length, 20)
  for (const member of named)
    for (const algorithm of members[member].type.values) {
      const fault = `policy-algorithm /${member}`
      assert.ok(faultsOf({ allowed_algorithms: [] }, { [member]: algorithm }).includes(fault), fault)
      assert.not(faultsOf({ allowed_algorithms: [algorithm] }, { [member]: algorithm }).includes(fault), fault)
    }
})

Policy('an algorithm counts as a default, too', () => {
  assert.equal(faultsOf({ allowed_algorithms: ['ES256'] }, {}), ['policy-algorithm /id_token_signed_response_alg'])
  const encrypted = { id_token_signed_response_alg: 'ES256', id_token_encrypted_response_alg: 'ECDH-ES' }
  assert.equal(faultsOf({ allowed_algorithms: ['ES256', 'ECDH-ES'] }, encrypted), [
    'policy-algorithm /id_token_encrypted_response_enc',
  ])
})

Policy.run()
