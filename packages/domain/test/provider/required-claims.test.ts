import { law } from '@clientele/testing'
import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type RequiredClaims, admitEndUser, decodeRequiredClaims } from '../../src/provider/login.js'

const Required = suite('who may sign in')
const it = law(Required)

const admits = (required: RequiredClaims, claims: unknown): boolean =>
  E.isRight(admitEndUser(required, 'upstream-required-claims')(claims))

const scalar = fc.oneof(
  fc.constantFrom('staff', 'admin', 'example.com', 1, true, false),
  fc.string({ minLength: 1 }),
  fc.integer(),
)
const domain = fc.constantFrom('example.com', 'other.example', 'EXAMPLE.com')
const mail = fc.tuple(fc.constantFrom('', 'ada', 'Ada'), domain).map(([local, at]) => `${local}@${at}`)
const named = fc.record({
  claim: fc.constantFrom(
    'hd',
    'groups',
    'tid',
    '/realm_access/roles',
    'https://example.com/roles',
    '__proto__',
    'constructor',
  ),
  values: fc.array(scalar, { minLength: 1, maxLength: 3 }),
})
const requirement = fc.oneof(
  named,
  fc.record({ claim: fc.constant('email'), values: fc.array(mail, { minLength: 1, maxLength: 3 }) }),
)
const required = fc.array(requirement, { maxLength: 4 })

const someOf = <A>(each: fc.Arbitrary<A>) => fc.oneof(each, fc.array(each, { maxLength: 3 }))
const claims = fc.record(
  {
    hd: someOf(scalar),
    groups: someOf(scalar),
    tid: scalar,
    realm_access: fc.oneof(fc.record({ roles: someOf(scalar) }), scalar),
    'https://example.com/roles': someOf(scalar),
    email: mail.map((address) => address.replace(/^@/, 'ada@')),
    email_verified: fc.oneof(fc.constant(true), fc.constantFrom(false, 'true', 1, null)),
  },
  { requiredKeys: [] },
)
const anyClaims = fc.oneof({ weight: 3, arbitrary: claims }, fc.object(), fc.anything({ withNullPrototype: true }))

it(
  'any claims whatever are judged, and without a requirement all of them are admitted',
  [required, anyClaims],
  (wanted, any) => {
    const judged = admitEndUser(wanted, 'upstream-required-claims')(any)
    if (E.isLeft(judged)) assert.equal([judged.left.error, judged.left.because], ['login_refused', 'not_permitted'])
    assert.ok(admits([], any))
  },
)

it('more requirements never admit more', [required, required, anyClaims], (some, more, any) => {
  assert.is(admits([...some, ...more], any), admits(some, any) && admits(more, any))
})

it(
  'more values of a requirement never admit less',
  [required, requirement, scalar, anyClaims],
  (rest, one, value, any) => {
    const wider = { ...one, values: [...one.values, value] }
    if (admits([...rest, one], any)) assert.ok(admits([...rest, wider], any))
  },
)

it(
  'without a claim that is required nobody is admitted, whatever stands in prototypes',
  [requirement, anyClaims],
  (one, any) => {
    const name = one.claim === '/realm_access/roles' ? 'realm_access' : one.claim
    const without: unknown =
      typeof any === 'object' && any !== null
        ? Object.fromEntries(Object.entries(any).filter(([each]) => each !== name))
        : any
    assert.not.ok(admits([one], without))
    assert.not.ok(admits([one], undefined))
  },
)

it('an address counts only where email_verified is true', [mail, claims, fc.anything()], (wanted, any, verified) => {
  const one = { claim: 'email', values: [wanted] }
  // The same claim as a JSON pointer
  const pointed = { ...one, claim: '/email' }
  assert.is(
    admits([pointed], { ...any, email_verified: verified }),
    admits([one], { ...any, email_verified: verified }),
  )
  assert.equal(
    E.mapLeft(() => 'faulty')(decodeRequiredClaims({ '/email': [wanted] })),
    E.mapLeft(() => 'faulty')(E.map(() => [pointed])(decodeRequiredClaims({ email: [wanted] }))),
  )
  if (verified !== true) assert.not.ok(admits([one], { ...any, email_verified: verified }))
  assert.not.ok(admits([one], Object.create({ email: 'ada@example.com', email_verified: true })))
})

it(
  'the case of a domain has no meaning, and that of what stands before it has',
  [domain, fc.func(fc.boolean())],
  (at, isUpper) => {
    const mixed = at.replace(/[a-z]/gi, (letter) => (isUpper(letter) ? letter.toUpperCase() : letter.toLowerCase()))
    const verified = (email: string) => ({ email, email_verified: true })
    assert.ok(admits([{ claim: 'email', values: [`@${at}`] }], verified(`ada@${mixed}`)))
    assert.ok(admits([{ claim: 'email', values: [`ada@${at}`] }], verified(`ada@${mixed}`)))
    assert.not.ok(admits([{ claim: 'email', values: [`Ada@${at}`] }], verified(`ada@${mixed}`)))
  },
)

// Addresses that a reader, a mail system or lower case could take for one of k.example.
for (const email of [
  'ada@k.example.evil.example',
  'ada@sub.k.example',
  'ada@evil-k.example',
  'ada@\u212A.example',
  'ada@k.example@evil.example',
  'ada@evil.example@k.example',
  '"ada@evil.example"@k.example',
  'ada@evil.example\n@k.example',
  'ada@k.example ',
  'ada@k.example.',
  '@k.example',
  'k.example',
  '',
  ['ada@k.example'],
  { address: 'ada@k.example' },
])
  Required(`${JSON.stringify(email)} is no address of k.example`, () => {
    assert.not.ok(admits([{ claim: 'email', values: ['@k.example'] }], { email, email_verified: true }))
  })

const decoded = (value: unknown): RequiredClaims => {
  const required = decodeRequiredClaims(value)
  return E.isRight(required) ? required.right : (assert.unreachable(JSON.stringify(required.left)) ?? [])
}

Required('Google, Entra and Keycloak, as the documents show them', () => {
  const google = decoded({ hd: 'example.com', email: '@example.com' })
  assert.ok(admits(google, { hd: 'example.com', email: 'ada@example.com', email_verified: true }))
  assert.not.ok(admits(google, { email: 'ada@example.com', email_verified: true }))
  const entra = decoded({ tid: '3f2c', groups: ['a1', 'b2'] })
  assert.ok(admits(entra, { tid: '3f2c', groups: ['x', 'b2'] }))
  assert.not.ok(admits(entra, { tid: '3f2c', groups: ['x'] }))
  const keycloak = decoded({ '/realm_access/roles': ['staff'] })
  assert.ok(admits(keycloak, { realm_access: { roles: ['offline_access', 'staff'] } }))
  assert.not.ok(admits(keycloak, { realm_access: { roles: 'staffs' }, roles: ['staff'] }))
})

it(
  'any JSON is decoded, or all of its faults are told with their places',
  [fc.oneof(fc.anything(), fc.dictionary(fc.string(), someOf(scalar)))],
  (any) => {
    const required = decodeRequiredClaims(any)
    if (E.isLeft(required)) assert.ok(required.left.length > 0)
    else assert.ok(required.right.length > 0 && required.right.every(({ values }) => values.length > 0))
  },
)

for (const [value, pointers] of [
  [{}, ['']],
  [[], ['']],
  [null, ['']],
  [{ hd: [] }, ['/hd']],
  [
    { hd: null, groups: ['a', ''], email: ['example.com', '@example.com', 7] },
    ['/hd/0', '/groups/1', '/email/0', '/email/2'],
  ],
] as const)
  Required(`${JSON.stringify(value)} is refused`, () => {
    const required = decodeRequiredClaims(value)
    assert.equal(E.isLeft(required) && required.left.map(({ pointer }) => pointer), pointers)
  })

Required.run()
