import { registrationScopeValues } from '@clientele/domain'
import { law } from '@clientele/testing'
import * as fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { examples, firstState } from '../src/examples.js'
import { textOf } from '../src/pieces.js'
import { sections } from '../src/sections.js'
import { type State, withTicked } from '../src/state.js'
import { view } from '../src/view.js'
import { anyText, state } from './support/states.js'

const View = suite('view')
const it = law(View)

const first = firstState('https://op.example')
const of = (body: unknown, more: Partial<State> = {}) => view({ ...first, body: JSON.stringify(body), ...more })
const example = (name: string) => {
  const found = examples.find((each) => each.name === name)
  if (found === undefined) throw new Error(`there is no example ${name}`)
  return view({ ...found.state, baseUrl: 'https://op.example' })
}

it('any text whatever in any field gives a decision, and never an exception', [state()], (any) => {
  const { decision, faults } = view(any)
  assert.ok([200, 400, 401, 403, 413].includes(decision.status))
  assert.is(decision.kind === 'registered', decision.error === undefined)
  if (decision.kind === 'registered') assert.equal(faults, [])
})

it('what stands where a fault points is a value of the text', [state()], (any) => {
  for (const { place } of view(any).faults) if (place !== undefined) JSON.parse(any.body.slice(place.start, place.end))
})

it(
  'every piece of the page is text in elements of a fixed set, and says something of the decision',
  [state()],
  (any) => {
    const shown = sections(view(any), 'here')
    const text = (id: string) => (shown[id] ?? []).map(textOf).join('')
    assert.ok(text('decision').length > 10)
    assert.ok(text('jump-text').length > 3)
    assert.ok(text('privileges').startsWith('Requested'))
  },
)

it('what is registered is the metadata that is shown', [state()], (any) => {
  const { decision, metadata } = view({ ...any, ticked: ['client-reg'] })
  if (decision.kind !== 'registered') return
  const shown = Object.fromEntries(metadata.map(({ name, value }) => [name, JSON.parse(value)]))
  assert.ok(metadata.every(({ origin }) => origin !== 'invalid'))
  for (const [name, value] of Object.entries<unknown>(JSON.parse(any.body)))
    if (Object.hasOwn(shown, name)) assert.equal(shown[name], value)
  for (const name of ['grant_types', 'response_types', 'token_endpoint_auth_method', 'application_type'])
    assert.ok(Object.hasOwn(shown, name), name)
})

it('to tick what is missing is enough, where nothing else is wrong', [state()], (any) => {
  const before = view(any)
  const after = view(withTicked(any, before.needed))
  if (before.faults.length === 0 && before.decision.status === 403) assert.is(after.decision.kind, 'registered')
  assert.equal(before.decision.error === 'invalid_scope' || after.missing.length === 0, true)
})

View('the first example is registered, and what registration adds is marked', () => {
  const { decision, metadata, missing, faults } = view(first)
  assert.is(decision.kind, 'registered')
  assert.equal([missing, faults], [[], []])
  const origins = Object.fromEntries(metadata.map(({ name, origin }) => [name, origin]))
  assert.is(origins['client_name'], 'sent')
  assert.is(origins['grant_types'], 'sent')
  assert.is(origins['subject_type'], 'added')
  assert.is(origins['token_endpoint_auth_method'], 'added')
})

View('the examples are what they are called', () => {
  assert.is(example('Native app').decision.kind, 'registered')
  assert.is(example('Seven faults').faults.length, 7)
  assert.is(example('Seven faults').decision.status, 400)
  assert.is(example('Insufficient scope').decision.status, 403)
  assert.is(example('Insufficient scope').decision.error, 'insufficient_scope')
})

View('without a token, managed registration answers 401, and says what the token must permit', () => {
  const { decision, needed, missing } = view({ ...first, ticked: [], scopeValues: '' })
  assert.equal([decision.status, decision.error], [401, 'missing_token'])
  assert.match(decision.description, 'managed')
  assert.equal(needed, ['client-reg:grant:code', 'client-reg:grant:refresh', 'client-reg:scope'])
  assert.ok(missing.includes('grant type authorization_code'))
})

View('open registration permits the values of scope that are open, and no others', () => {
  const open = { mode: 'open', ticked: [], scopeValues: '' } as const
  assert.is(view({ ...first, ...open, openScope: 'profile openid' }).decision.kind, 'registered')
  const closed = view({ ...first, ...open, openScope: 'openid' })
  assert.equal([closed.decision.status, closed.missing], [401, ['scope value profile']])
  assert.match(closed.decision.description, 'Open registration does not permit')
})

View('a fault has its place, its rule, what is wrong and the remedy', () => {
  const [fault] = of({ redirect_uris: ['https://rp.example/', 'https://rp.example/#here'] }).faults
  assert.equal(fault, {
    pointer: '/redirect_uris/1',
    rule: 'uri-fragment',
    problem: 'An entry of redirect_uris must not have a fragment',
    remedy: 'leave out # and what follows',
    reference: 'RFC 6749 §3.1.2',
    place: { start: 40, end: 66 },
  })
})

View('what is missing in the body has no place there', () => {
  const [fault] = of({ client_name: 'Shop' }).faults
  assert.equal([fault?.pointer, fault?.place], ['/redirect_uris', undefined])
})

View('a token of a scope that cannot be issued is told as such', () => {
  const { decision, commands } = view({ ...first, scopeValues: 'open"id' })
  assert.equal([decision.status, decision.error], [400, 'invalid_scope'])
  assert.match(decision.description, /^No such initial access token can be issued: /)
  assert.match(commands?.testCase ?? '', 'E.isLeft(parseRegistrationScope(')
})

View('a body of 65537 bytes is too large, as it is for the service', () => {
  const body = (bytes: number) => `"${'é'.repeat((bytes - 3) / 2)}x"`
  assert.is(view({ ...first, body: body(65_537) }).decision.status, 413)
  assert.is(view({ ...first, body: body(65_537) }).commands, undefined)
  assert.is(view({ ...first, body: body(65_535) }).decision.status, 400)
})

View('members that are unknown are named', () => {
  assert.equal(of({ redirect_uris: ['https://rp.example/'], redirect_uri: 1 }).dropped, ['redirect_uri'])
})

View('what only the service can find out is told of what would be registered', () => {
  const imported = { redirect_uris: ['https://rp.example/'], preferred_client_id: 'my-own' }
  assert.equal(of(imported, { ticked: ['client-reg'] }).unchecked, ['preferred_client_id'])
  assert.equal(of(imported).unchecked, [])
})

it('more than can be taken in is counted', [fc.integer({ min: 101, max: 300 })], (count) => {
  const body = Object.fromEntries(Array.from({ length: count }, (_, at) => [`unknown-${at}`, 0]))
  const shown = sections(of(body), 'here')
  assert.match((shown['metadata'] ?? []).map(textOf).join(), `and ${count - 100} more`)
})

it(
  'all that is chosen is in the token, whatever else is typed',
  [fc.subarray([...registrationScopeValues]), anyText()],
  (ticked, openScope) => {
    const { commands } = view({ ...first, ticked, scopeValues: ' a\tb ', openScope })
    assert.equal(commands?.tokenScope.split(' '), [...ticked, 'client-reg:scope:a', 'client-reg:scope:b'])
  },
)

View.run()
