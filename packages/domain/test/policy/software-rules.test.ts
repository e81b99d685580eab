import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { RegisteredBy } from '../../src/authorization/credential.js'
import { refuseFaults } from '../../src/client/metadata.js'
import { decodeRegistrationRequest } from '../../src/registration/decide.js'
import { softwareRules } from '../../src/policy/rules.js'
import type { GivenSoftwarePolicy, Software } from '../../src/policy/policy.js'
import { law, secretLength, standardRules } from '@clientele/testing'

const Rules = suite('softwareRules')
const it = law(Rules)

type Request = {
  readonly body: Readonly<Record<string, unknown>>
  /** The claims of a verified statement. */
  readonly claims?: Readonly<Record<string, unknown>> | undefined
  readonly registeredBy?: RegisteredBy
}

const refusalOf = (policy: GivenSoftwarePolicy | undefined, { body, claims, registeredBy = 'token' }: Request) => {
  const decoded = decodeRegistrationRequest({ ...standardRules, rules: softwareRules(policy) })({
    body: { redirect_uris: ['https://rp.example/'], ...body, ...(claims && { software_statement: 'e30.e30.AA' }) },
    statement: O.map((said: object) => E.right(JSON.parse(JSON.stringify(said))))(O.fromNullable(claims)),
    secretLength,
    registeredBy,
  })
  return E.isLeft(decoded) ? decoded.left : undefined
}

const reportedBy = (policy: GivenSoftwarePolicy | undefined, request: Request): ReadonlyArray<string> => {
  const refusal = refusalOf(policy, request)
  if (refusal === undefined) return []
  return [refusal.error, ...(refusal.errors ?? []).map(({ pointer, rule }) => `${pointer} ${rule}`)]
}

Rules('without the part, there is no rule', () => assert.equal(softwareRules(undefined), []))

const missing = ['invalid_software_statement', '/software_statement policy-statement']

for (const [required, refused] of [
  ['never', []],
  ['open', ['nobody']],
  ['always', ['nobody', 'token', 'operator_token', 'master']],
] as const)
  Rules(`a statement is required of ${refused.join(', ') || 'nobody'} (RFC 7591 §2.3)`, () => {
    for (const registeredBy of ['nobody', 'token', 'operator_token', 'master'] as const) {
      const isRefused = refused.some((each) => each === registeredBy)
      assert.equal(reportedBy({ required }, { body: {}, registeredBy }), isRefused ? missing : [])
      assert.equal(reportedBy({ required }, { body: {}, claims: {}, registeredBy }), [])
    }
  })

Rules('a statement that is no JWT, or of an unknown issuer, is reported for that alone', () => {
  const policy: GivenSoftwarePolicy = { required: 'always' }
  const unread = { body: { software_statement: 'e30.e30.AA' } }
  const malformed = { body: { software_statement: 7 } }
  assert.equal(reportedBy(policy, unread).slice(1), ['/software_statement software-statement-unapproved'])
  assert.equal(reportedBy(policy, malformed).slice(1), ['/software_statement string'])
})

const app: Software = { software_id: 'app' }
const listed = (software: Software): GivenSoftwarePolicy => ({ accept: 'listed', software: [software] })

Rules('software that is not listed is refused, and so is a client of no software', () => {
  for (const body of [{}, { software_id: 'other' }, { software_id: 'App' }])
    assert.equal(reportedBy(listed(app), { body }), ['invalid_client_metadata', '/software_id policy-software'])
  assert.equal(reportedBy(listed(app), { body: { software_id: 'app' } }), [])
})

Rules('software of a valid statement that is not listed is not approved (RFC 7591 §3.2.2)', () => {
  const request = { body: { software_id: 'app' }, claims: { software_id: 'other' } }
  assert.equal(reportedBy(listed(app), request), ['unapproved_software_statement', '/software_id policy-software'])
})

Rules('where a statement is required, what the body says of the software does not count', () => {
  const policy: GivenSoftwarePolicy = { ...listed({ ...app, denied_versions: ['1'] }), required: 'open' }
  const request: Request = {
    body: { software_id: 'app', software_version: '2' },
    claims: { client_name: 'App' },
    registeredBy: 'nobody',
  }
  const asserted = ['/software_id policy-software-asserted', '/software_version policy-software-asserted']
  assert.equal(reportedBy(policy, request), ['invalid_client_metadata', ...asserted])
  assert.equal(reportedBy(policy, { ...request, claims: { software_id: 'app' } }).slice(1), asserted.slice(1))
  assert.equal(reportedBy(policy, { ...request, claims: { software_id: 'app', software_version: '2' } }), [])
  assert.equal(reportedBy(policy, { ...request, registeredBy: 'token' }), [])
})

Rules('software with issuers is named by their statements alone', () => {
  const policy: GivenSoftwarePolicy = { software: [{ ...app, issuers: ['https://a.example', 'https://b.example'] }] }
  const by = (iss?: string): Request => ({ body: {}, claims: { iss, software_id: 'app' } })
  assert.equal(reportedBy(policy, by('https://b.example')), [])
  for (const request of [by('https://c.example'), by()])
    assert.equal(reportedBy(policy, request), [
      'unapproved_software_statement',
      '/software_id policy-software-asserted',
    ])
  const claimed = { body: { software_id: 'app' } }
  assert.equal(reportedBy(policy, claimed), ['invalid_client_metadata', '/software_id policy-software-asserted'])
  assert.equal(reportedBy(policy, { body: { software_id: 'other' } }), [])
})

const versionFault = (error: string) => [error, '/software_version policy-software-version']

Rules(
  'a denied version is refused, in a statement or a body; without a version, a client of no statement is not refused',
  () => {
    const policy: GivenSoftwarePolicy = { software: [{ ...app, denied_versions: ['2.0', '2.1'] }] }
    for (const software_version of ['2.0', '2.1']) {
      const said = { software_id: 'app', software_version }
      assert.equal(reportedBy(policy, { body: said }), versionFault('invalid_client_metadata'))
      assert.equal(reportedBy(policy, { body: {}, claims: said }), versionFault('unapproved_software_statement'))
      assert.equal(reportedBy(policy, { body: { ...said, software_id: 'other' } }), [])
    }
    for (const software_version of [undefined, '2.2', '2', '2.0.0'])
      assert.equal(reportedBy(policy, { body: { software_id: 'app', software_version } }), [])
  },
)

Rules('of allowed versions, one must be said; an empty list refuses the software', () => {
  const allowing = (...allowed_versions: ReadonlyArray<string>) => ({ software: [{ ...app, allowed_versions }] })
  const body = (software_version?: string): Request => ({ body: { software_id: 'app', software_version } })
  assert.equal(reportedBy(allowing('3'), body('3')), [])
  for (const request of [body(), body('2')])
    assert.equal(reportedBy(allowing('3'), request), versionFault('invalid_client_metadata'))
  assert.equal(reportedBy(allowing(), body('3')), versionFault('invalid_client_metadata'))
})

const ids = ['app', 'other', 'third']
const issuers = ['https://a.example', 'https://b.example']
const versions = ['1', '2', '3']
const maybe = <Value>(arbitrary: fc.Arbitrary<Value>) => fc.option(arbitrary, { nil: undefined })

const software = (software_id: string): fc.Arbitrary<Software> =>
  fc.record({
    software_id: fc.constant(software_id),
    issuers: maybe(fc.subarray(issuers)),
    allowed_versions: maybe(fc.subarray(versions)),
    denied_versions: maybe(fc.subarray(versions)),
  })

const policies: fc.Arbitrary<GivenSoftwarePolicy> = fc.record({
  required: fc.constantFrom('never', 'open', 'always'),
  accept: fc.constantFrom('any', 'listed'),
  software: fc.subarray(ids).chain((some) => fc.tuple(...some.map(software))),
})

const said = fc.record(
  { software_id: fc.constantFrom(...ids, 'unlisted'), software_version: fc.constantFrom(...versions, '4') },
  { requiredKeys: [], noNullPrototype: true },
)
const requests: fc.Arbitrary<Request> = fc.record({
  body: said,
  claims: maybe(
    fc.tuple(said, fc.constantFrom(...issuers, 'https://c.example')).map(([all, iss]) => ({ iss, ...all })),
  ),
  registeredBy: fc.constantFrom('nobody', 'token', 'operator_token', 'master'),
})

const isAdmitted = (policy: GivenSoftwarePolicy | undefined, request: Request): boolean =>
  refusalOf(policy, request) === undefined

it(
  'requiring a statement of more registrations admits nothing that was refused',
  [policies, requests],
  (policy, any) => {
    const [fewest, some, most] = (['never', 'open', 'always'] as const).map((required) =>
      isAdmitted({ ...policy, required }, any),
    )
    assert.ok(!most || some)
    assert.ok(!some || fewest)
  },
)

/** Each part of the policy, a little wider. */
const wider = (policy: GivenSoftwarePolicy): ReadonlyArray<GivenSoftwarePolicy> => {
  const { software: list = [] } = policy
  const each = (widen: (entry: Software) => Software) => ({ ...policy, software: list.map(widen) })
  const missingIds = ids.filter((id) => !list.some(({ software_id }) => software_id === id))
  return [
    { ...policy, accept: 'any' },
    each((entry) => ({ ...entry, issuers: undefined })),
    each((entry) => ({ ...entry, issuers: entry.issuers && issuers })),
    each((entry) => ({ ...entry, allowed_versions: undefined })),
    each((entry) => ({ ...entry, allowed_versions: entry.allowed_versions && versions })),
    each((entry) => ({ ...entry, denied_versions: undefined })),
    each((entry) => ({ ...entry, denied_versions: entry.denied_versions && [] })),
    // Where any software is admitted, an entry restricts.
    ...(policy.accept === 'listed'
      ? [{ ...policy, software: [...list, ...missingIds.map((software_id) => ({ software_id }))] }]
      : []),
  ]
}

it('a policy with more admitted software admits no fewer', [policies, requests], (policy, any) => {
  if (!isAdmitted(policy, any)) return
  for (const wide of wider(policy)) assert.ok(isAdmitted(wide, any), JSON.stringify(wide))
})

it('with all parts left out, nothing is refused', [requests], (any) => assert.ok(isAdmitted({}, any)))

it(
  'what a statement says decides, whatever the body says beside it',
  [policies, requests, said],
  (policy, any, other) => {
    if (any.claims === undefined || !('software_id' in any.claims && 'software_version' in any.claims)) return
    assert.equal(refusalOf(policy, { ...any, body: other }), refusalOf(policy, any))
  },
)

it('each member is reported once', [policies, requests], (policy, any) => {
  const pointers = (refusalOf(policy, any)?.errors ?? []).map(({ pointer }) => pointer)
  assert.is(new Set(pointers).size, pointers.length)
})

Rules('a fault of an asserted claim by another rule stays one of the statement', () => {
  const refused = refuseFaults([{ pointer: '/software_id', rule: 'text', description: 'software_id' }], ['software_id'])
  assert.is(E.isLeft(refused) && refused.left.error, 'invalid_software_statement')
})

Rules.run()
