import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { isNothing, parseRegistrationScope, permits } from '../../src/authorization/registrant.js'
import { noPolicy } from '../../src/policy/policy.js'
import { explainRegistration } from '../../src/operations/explain.js'
import { decideRegistration } from '../../src/registration/decide.js'
import {
  ceilings,
  initialAccessToken,
  issued,
  law,
  oneSample,
  presenting,
  registrationFacts,
  registrationSettings,
  validClientMetadata,
  withOneFault,
  type SentMetadata,
} from '@clientele/testing'

const ExplainRegistration = suite('explainRegistration')
const it = law(ExplainRegistration)

const token = initialAccessToken()
const generated = issued()
const valid = validClientMetadata()
const invalid = withOneFault(valid)
const preset = fc.tuple(valid, fc.boolean(), fc.boolean()).map(([body, id, secret]): SentMetadata => ({
  ...body,
  ...(id ? { preferred_client_id: 'my-own-client' } : {}),
  ...(secret ? { preferred_client_secret: 's'.repeat(64), token_endpoint_auth_method: 'client_secret_basic' } : {}),
}))
const plain = registrationSettings().map((set) => ({ ...set, policy: noPolicy }))
const bounded = fc.tuple(plain, ceilings()).map(([set, bounds]) => ({ ...set, policy: { ceilings: bounds } }))
const settings = fc.oneof(registrationSettings(), plain, bounded)
const facts = registrationFacts(
  fc.oneof(
    fc.anything(),
    fc.object(),
    preset,
    invalid.map(({ body }) => body),
  ),
)

it('it is refused or permitted as the decision says, for any facts whatever', [settings, facts], (set, any) => {
  const decided = decideRegistration(set)(any)
  const { refusal } = explainRegistration(set)(any)
  const reported = E.isLeft(decided) ? decided.left : undefined
  assert.is(refusal?.error, reported?.error)
  assert.is(
    refusal?.error_description,
    reported && 'error_description' in reported ? reported.error_description : undefined,
  )
})

it('it waits for an approval as the decision says, and never where it is refused', [settings, facts], (set, any) => {
  const waiting = { ...set, policy: { ...set.policy, approve: ['anonymous', 'tokens'] as const } }
  const decided = decideRegistration(waiting)(any)
  const { approval } = explainRegistration(waiting)(any)
  assert.is(approval?.state, E.isLeft(decided) ? undefined : decided.right.client.approval?.state)
})

it('whatever was sent, it is plain JSON', [settings, facts], (set, any) => {
  const explanation = explainRegistration(set)(any)
  assert.equal(JSON.parse(JSON.stringify(explanation)), explanation)
})

it(
  'without a fault, it is permitted exactly if nothing is missing',
  [settings, token, generated, preset],
  (set, any, now, body) => {
    const { refusal, faults, missing } = explainRegistration(set)(presenting(any, now, body))
    if (faults.length === 0) assert.is(refusal === undefined, isNothing(missing))
  },
)

it(
  'the token with the needed scope values added registers, unless a ceiling bars it',
  [settings, token, generated, preset],
  (set, any, now, body) => {
    const explain = explainRegistration(set)
    const { unobtainable, faults, needed, missing } = explain(presenting(any, now, body))
    const more = parseRegistrationScope([any.scope, ...needed].join(' '))
    if (E.isLeft(more)) return assert.unreachable('the needed scope values are unknown')
    const again = explain(presenting({ ...any, ...more.right }, now, body))
    assert.equal(again.missing, unobtainable)
    assert.is(again.refusal === undefined, faults.length === 0 && isNothing(unobtainable))
    assert.ok(permits(missing)(unobtainable))
  },
)

it('without ceilings nothing is barred', [plain, token, generated, preset], (set, any, now, body) => {
  assert.ok(isNothing(explainRegistration(set)(presenting(any, now, body)).unobtainable))
})

it('every fault is told, to nobody as well', [plain, generated, invalid], (set, now, { body, fault }) => {
  const anonymous = { credential: { kind: 'none' as const }, token: O.none, statement: O.none, issued: now }
  const managed = explainRegistration({ ...set, mode: { kind: 'managed' } })({ ...anonymous, body: E.right(body) })
  assert.is(managed.refusal?.error, 'missing_token')
  assert.ok(managed.faults.some(({ rule, pointer }) => rule === fault.rule && pointer === fault.pointer))
})

it('what registration would add is what a dry run tells', [plain, generated, valid], (set, now, body) => {
  const request = { credential: { kind: 'master' as const }, body: E.right(body) }
  const decided = decideRegistration(set)({ ...request, token: O.none, statement: O.none, issued: now })
  const { added } = explainRegistration(set)({ ...request, token: O.none, statement: O.none, issued: now })
  if (E.isLeft(decided)) return assert.unreachable('the metadata is valid')
  assert.equal({ ...body, ...added }, { ...body, ...decided.right.client.metadata })
  for (const name of Object.keys(added)) assert.not.equal(body[name], added[name])
})

const explained = (body: unknown, set = oneSample(plain)) =>
  explainRegistration(set)(presenting(oneSample(token), oneSample(generated), body))

ExplainRegistration('members that are unknown are named, and a faulty one gets no default', () => {
  const body = { redirect_uri: 'https://rp.example/', 'client_name#fr': 'Nom', 'data#fr': {}, grant_types: 7, '': 0 }
  const { dropped, added, faults } = explained(body)
  assert.equal(dropped, ['redirect_uri', 'data#fr', ''])
  assert.is(added['grant_types'], undefined)
  assert.is(added['subject_type'], 'public')
  assert.equal(
    faults.map(({ pointer }) => pointer),
    ['/grant_types', '/data#fr', '/redirect_uri'],
  )
})

ExplainRegistration('what a software statement says in place of the body counts as added', () => {
  const body = { redirect_uris: ['https://rp.example/'], client_name: 'Mine', software_statement: 'e30.e30.e30' }
  const explain = explainRegistration(oneSample(plain))
  const any = {
    ...presenting(oneSample(token), oneSample(generated), body),
    statement: O.some(E.right({ client_name: 'Stated' })),
  }
  assert.is(explain(any).added['client_name'], 'Stated')
  assert.equal(
    explain({ ...any, statement: O.none }).faults.map(({ rule }) => rule),
    ['software-statement-unapproved'],
  )
})

ExplainRegistration('what only the service finds out is named', () => {
  const set = oneSample(plain)
  const body = {
    redirect_uris: ['https://rp.example/'],
    sector_identifier_uri: 'https://rp.example/sector',
    preferred_client_id: 'mine',
  }
  const limits = { ...noPolicy, maximum_clients: 1, maximum_unused_open_clients: 1 }
  assert.equal(explained(body, { ...set, policy: limits, outboundFetches: true }).unchecked, [
    'sector_identifier_uri',
    'preferred_client_id',
    'maximum_clients',
  ])
  assert.equal(explained({}, set).unchecked, [])
})

ExplainRegistration.run()
