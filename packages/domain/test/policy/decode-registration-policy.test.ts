import * as E from 'fp-ts/lib/Either.js'
import * as fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { allPrivileges } from '../../src/authorization/registrant.js'
import { members } from '../../src/client/members.js'
import { type PolicyFault, decodeRegistrationPolicy } from '../../src/policy/decode.js'
import { type RegistrationPolicy, noPolicy } from '../../src/policy/policy.js'
import { law } from '@clientele/testing'
import { completePolicy, policyFiles } from './policies.js'

const Policy = suite('decodeRegistrationPolicy')
const it = law(Policy)

const faultsOf = (value: unknown): ReadonlyArray<PolicyFault> =>
  E.match(
    (faults: ReadonlyArray<PolicyFault>) => faults,
    () => [],
  )(decodeRegistrationPolicy(value))
const pointersOf = (value: unknown) => faultsOf(value).map(({ pointer }) => pointer)
const read = (value: unknown): RegistrationPolicy => {
  const decoded = decodeRegistrationPolicy(value)
  if (E.isLeft(decoded)) throw new Error(JSON.stringify(decoded.left))
  return decoded.right
}

it('answers to any value whatever', [fc.anything({ withNullPrototype: true, withSparseArray: true })], (value) => {
  const decoded = decodeRegistrationPolicy(value)
  return E.isRight(decoded) || decoded.left.length > 0
})

it(
  'a policy is a JSON object',
  [fc.oneof(fc.array(fc.jsonValue()), fc.string(), fc.double(), fc.constant(null))],
  (value) => assert.equal(faultsOf(value), [{ pointer: '', description: 'must be a JSON object' }]),
)

// Sets of values are sorted, in whatever order they were written.
const sorted = (parts: object) =>
  Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, Array.isArray(part) ? [...part].sort() : part]))

it('reads what a policy may hold', [policyFiles()], (file) => {
  const { ceilings, ...others } = read(file)
  const { ceilings: given, ...same } = file
  assert.equal(others, same)
  assert.equal(ceilings.open, { ...allPrivileges, ...sorted(given?.open ?? {}) })
  assert.equal(ceilings.managed, { ...allPrivileges, ...sorted(given?.managed ?? {}) })
})

Policy('a ceiling may be any value of a set, and is then none', () => {
  const { ceilings } = read({ ceilings: { open: { scope: 'any', grant_types: ['implicit', 'implicit'] } } })
  assert.equal(ceilings.open, { ...allPrivileges, grant_types: ['implicit'] })
})

for (const host of [
  '*.0.0.1',
  '127.1',
  '*',
  '*.',
  'RP.example',
  'rp.example:443',
  'a.*.example',
  '[::2]',
  '999.0.0.1',
  'https://nas.local',
  'NAS.local',
  'javascript:',
  'https:',
  'x-apple.systempreferences:',
  'Cursor:',
  'cursor:/',
  ':',
])
  Policy(`${host} is no host that a policy may allow`, () =>
    assert.equal(faultsOf({ allowed_redirect_hosts: ['rp.example', host] })[0]?.pointer, '/allowed_redirect_hosts/1'),
  )

for (const host of [
  'localhost',
  '127.0.0.1',
  '[::1]',
  '[fd00::1]',
  'nas.local',
  '*.rp.example',
  '3com.example',
  'com.example.app:',
  'cursor:',
])
  Policy(`${host} is a host that a policy may allow`, () =>
    assert.equal(read({ allowed_redirect_hosts: [host, host] }).allowed_redirect_hosts, [host]),
  )

for (const scheme of [
  '',
  'javascript',
  'https',
  'ms-word',
  'web+cursor',
  'Cursor',
  'cursor:',
  'com.example',
  '1a',
  'a b',
])
  Policy(`${scheme} is no scheme that a policy may allow`, () =>
    assert.equal(
      faultsOf({ allowed_private_use_schemes: ['cursor', scheme] })[0]?.pointer,
      '/allowed_private_use_schemes/1',
    ),
  )

Policy('an empty policy is no policy', () => assert.equal(read({}), noPolicy))

const escaped = (name: string): string => name.replace(/~/g, '~0').replace(/\//g, '~1')
const unknownNames = fc
  .oneof(fc.string(), fc.constantFrom('a/b~c', '__proto__', 'constructor', 'toString', 'Maximum_clients'))
  .filter((name) => !Object.hasOwn(completePolicy, name))

it('an unknown name is refused on every level', [unknownNames, fc.jsonValue()], (name, value) => {
  const given = Object.fromEntries([[name, value]])
  assert.equal(pointersOf(given), [`/${escaped(name)}`])
  if (name !== 'open' && name !== 'managed')
    assert.equal(pointersOf({ ceilings: given }), [`/ceilings/${escaped(name)}`])
  if (!Object.hasOwn(allPrivileges, name))
    assert.equal(pointersOf({ ceilings: { open: given } }), [`/ceilings/open/${escaped(name)}`])
})

Policy('all faults are told at once', () => {
  const invalid = {
    allowed_redirect_hosts: ['rp.example', 'RP.example'],
    allowed_private_use_schemes: ['my.application'],
    required_members: ['client_name', 'client_nam'],
    allowed_token_endpoint_auth_methods: 'none',
    allowed_algorithms: ['RS256', 'RSA1_5'],
    maximum_clients: -1,
    maximum_unused_open_clients: 1.5,
    ceilings: { open: { data: 'no', scope: ['a b'] }, managed: [] },
    maximum: 1,
  }
  assert.equal(pointersOf(invalid), [
    '/allowed_redirect_hosts/1',
    '/allowed_private_use_schemes/0',
    '/required_members/1',
    '/allowed_token_endpoint_auth_methods',
    '/allowed_algorithms/1',
    '/maximum_clients',
    '/maximum_unused_open_clients',
    '/ceilings/open/scope/0',
    '/ceilings/open/data',
    '/ceilings/managed',
    '/maximum',
  ])
})

it(
  'each part is read by itself: the faults of two are those of both',
  [policyFiles(), fc.dictionary(fc.constantFrom(...Object.keys(completePolicy)), fc.jsonValue())],
  (valid, spoiled) => {
    const alone = Object.entries(spoiled).flatMap(([name, value]) => pointersOf({ [name]: value }))
    assert.equal([...pointersOf({ ...valid, ...spoiled })].sort(), [...alone].sort())
  },
)

const isTaken = (name: string) => (entry: unknown) => pointersOf({ [name]: [entry] }).length === 0

Policy('a host is a name, all below a name, or a private-use scheme', () => {
  const takes = isTaken('allowed_redirect_hosts')
  for (const host of [
    'rp.example',
    '*.rp.example',
    'localhost',
    '127.0.0.1',
    'a-b.example',
    'com.example:',
    'com.example.app+x:',
  ])
    assert.ok(takes(host), host)
  const invalid = [
    '',
    '*',
    '*.',
    '*rp.example',
    'a.*.example',
    '.rp.example',
    'rp.example.',
    'RP.example',
    'rp_x.example',
  ]
  const noHosts = [
    'https://rp.example',
    'rp.example:443',
    'rp.example/',
    '-rp.example',
    'rp..example',
    'MyApp:',
    'javascript:',
  ]
  for (const host of [...invalid, ...noHosts, 1, null, ['rp.example']]) assert.not(takes(host), JSON.stringify(host))
})

Policy('a required member is a known one', () => {
  for (const name of Object.keys(members)) assert.ok(isTaken('required_members')(name), name)
  for (const name of ['client_name#fr', 'preferred_client_id', 'client_id', 'toString', '__proto__', '', 1])
    assert.not(isTaken('required_members')(name), String(name))
})

Policy('an authentication method is a known one, and so are an algorithm and a response type', () => {
  for (const method of members.token_endpoint_auth_method.type.values)
    assert.ok(isTaken('allowed_token_endpoint_auth_methods')(method), method)
  assert.not(isTaken('allowed_token_endpoint_auth_methods')('basic'))
  for (const algorithm of ['RS256', 'HS256', 'EdDSA', 'none', 'RSA-OAEP', 'dir', 'A128GCM'])
    assert.ok(isTaken('allowed_algorithms')(algorithm), algorithm)
  for (const algorithm of ['rs256', 'RSA1_5', '', 1]) assert.not(isTaken('allowed_algorithms')(algorithm))
  for (const type of members.response_types.type.values) assert.ok(isTaken('allowed_response_types')(type), type)
  for (const type of ['id_token code', 'code code', '', 1]) assert.not(isTaken('allowed_response_types')(type))
})

it('a maximum is a whole number from 0', [fc.oneof(fc.double(), fc.integer(), fc.jsonValue())], (value) => {
  const isCount = typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
  for (const name of ['maximum_clients', 'maximum_unused_open_clients'])
    assert.is(pointersOf({ [name]: value }).length === 0, isCount)
})

Policy('a software is listed once, by texts that a client may send', () => {
  const listing = (...software: ReadonlyArray<unknown>) => ({ software_statements: { required: 'open', software } })
  const twice = [{ software_id: 'app' }, { software_id: 'other' }, { software_id: 'app', denied_versions: ['1'] }]
  assert.equal(pointersOf(listing(...twice)), ['/software_statements/software/2/software_id'])
  const invalid = {
    software_id: '',
    issuers: ['an issuer', ''],
    allowed_versions: '1',
    denied_versions: [1],
    version: 1,
  }
  assert.equal(
    pointersOf({
      software_statements: { required: true, accept: 'none', software: [invalid, {}, 'app'], statement: 1 },
    }),
    [
      '/required',
      '/accept',
      '/software/0/software_id',
      '/software/0/issuers/0',
      '/software/0/issuers/1',
      '/software/0/allowed_versions',
      '/software/0/denied_versions/0',
      '/software/0/version',
      '/software/1/software_id',
      '/software/2',
      '/statement',
    ].map((place) => `/software_statements${place}`),
  )
  assert.equal(pointersOf(listing(...completePolicy.software_statements.software)), [])
})

Policy('a ceiling bounds the parts that it names, and leaves the others', () => {
  const { ceilings } = read({ ceilings: { open: { grant_types: ['authorization_code'], data: false } } })
  assert.equal(ceilings.open, { ...allPrivileges, grant_types: ['authorization_code'], data: false })
  assert.equal(ceilings.managed, allPrivileges)
})

Policy('signed requests need a format and an audience', () => {
  const audience = ['0015800001041RHAAY']
  for (const [signed_bodies, pointer] of [
    [{ audience }, '/signed_bodies/format'],
    [{ format: 'br', audience }, '/signed_bodies/format'],
    [{ format: 'uk' }, '/signed_bodies/audience'],
    [{ format: 'uk', audience: [] }, '/signed_bodies/audience'],
    [{ format: 'uk', audience: [''] }, '/signed_bodies/audience/0'],
    [{ format: 'uk', audience, required: 'yes' }, '/signed_bodies/required'],
  ] as const)
    assert.equal(pointersOf({ signed_bodies }), [pointer])
  assert.equal(read({ signed_bodies: { format: 'uk', audience } }).signed_bodies, { format: 'uk', audience })
})

Policy.run()
