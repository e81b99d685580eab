import { registrationScopeValues } from '@clientele/domain/authorization'
import { noPolicy } from '@clientele/domain/policy'
import { tidiedIf } from '@clientele/domain/registration'
import { law } from '@clientele/testing'
import * as fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { examples, firstState } from '../src/examples.js'
import { textOf } from '../src/pieces.js'
import { sections } from '../src/sections.js'
import { type ServedSettings, defaultSettings } from '../src/served-settings.js'
import { type State, documentUrlOf, withTicked } from '../src/state.js'
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
    assert.ok(text('privileges').startsWith(documentUrlOf(any) === undefined ? 'Requested' : 'Authorization request'))
  },
)

for (const mode of ['managed', 'open'] as const)
  it(`what is registered is the metadata that is shown, in ${mode} mode`, [state()], (any) => {
    const { decision, metadata, dropped } = view({ ...any, mode, url: '', ticked: ['client-reg'] })
    if (decision.kind !== 'registered') return
    const read = Object(tidiedIf(mode === 'open', JSON.parse(any.body)).body)
    for (const { name, value, origin } of metadata)
      if (Object.hasOwn(read, name)) assert.equal([JSON.parse(value), origin], [read[name], 'sent'])
      else assert.is(origin, 'added')
    const others = [...dropped, ...metadata.map(({ name }) => name), 'preferred_client_id', 'preferred_client_secret']
    const defaults = ['grant_types', 'response_types', 'token_endpoint_auth_method', 'application_type']
    for (const name of [...Object.keys(read), ...defaults]) assert.ok(others.includes(name), name)
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
  assert.is(example('Document by URL').decision.headline, 'Refused by the policy alone')
  assert.is(example('Insufficient scope').decision.error, 'insufficient_scope')
})

View('without a token, managed registration answers 401, and says what the token must permit', () => {
  const { decision, needed, missing } = view({ ...first, ticked: [], scopeValues: '' })
  assert.equal([decision.status, decision.error], [401, 'missing_token'])
  assert.match(decision.description, 'Every registration here needs an initial access token')
  assert.equal(needed, [
    'client-reg:grant:code',
    'client-reg:grant:refresh',
    'client-reg:scope:openid',
    'client-reg:scope:profile',
  ])
  assert.ok(missing.includes('grant type authorization_code'))
})

View('open registration permits the values of scope that are open, and no others', () => {
  const open = { mode: 'open', ticked: [], scopeValues: '' } as const
  assert.is(view({ ...first, ...open, openScope: 'profile openid' }).decision.kind, 'registered')
  const closed = view({ ...first, ...open, openScope: 'openid' })
  assert.equal([closed.decision.status, closed.missing], [401, ['scope value profile']])
  assert.match(
    closed.decision.description,
    'beyond open registration, which needs an initial access token with client-reg:scope',
  )
})

View('a sloppy body is read as a service of that mode reads it, and what was left out is told', () => {
  const body = '{"redirect_uris":["https://rp.example/"],"logo_uri":null,"other":9007199254740993}'
  const open = view({ ...first, mode: 'open', ticked: [], scopeValues: '', body })
  assert.equal([open.decision.kind, open.dropped], ['registered', ['other']])
  assert.equal(
    open.adjustments.map(({ pointer }) => pointer),
    ['/logo_uri'],
  )
  assert.not(open.metadata.some(({ name }) => name === 'logo_uri'))
  assert.is(view({ ...first, body }).decision.status, 400)
  const strict: ServedSettings = { ...defaultSettings, mode: { kind: 'open', scope: [] }, lenient: false }
  assert.is(view({ ...first, mode: 'open', ticked: [], scopeValues: '', body }, strict).decision.status, 400)
})

View('a service on loopback takes http on its own machine', () => {
  const body = JSON.stringify({
    redirect_uris: ['http://127.0.0.1/'],
    backchannel_logout_uri: 'http://127.0.0.1:9000/logout',
  })
  assert.is(view({ ...first, body }).decision.status, 400)
  assert.is(view({ ...first, body }, { ...defaultSettings, isOnLoopback: true }).decision.kind, 'registered')
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

View('an entry of a list that lost its repetitions has no place, because the text has more entries', () => {
  const uris = ['https://rp.example/', 'https://rp.example/', 'https://rp.example/#here']
  const body = JSON.stringify({ redirect_uris: uris, client_uri: 5 })
  const { faults } = view({ ...first, mode: 'open', ticked: [], scopeValues: '', body })
  assert.equal(
    faults.map(({ pointer, place }) => [pointer, place && body.slice(place.start, place.end)]),
    [
      ['/redirect_uris/1', undefined],
      ['/client_uri', '5'],
    ],
  )
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

const url = 'https://app.example/client.json'
const redirect_uris = ['https://app.example/callback']
const accepting: ServedSettings = {
  ...defaultSettings,
  mode: { kind: 'open', scope: ['openid'] },
  outboundFetches: true,
  policy: { ...noPolicy, metadata_documents: { accept: 'any', denied_hosts: ['denied.example'] } },
}
const open = { mode: 'open', openScope: 'openid', ticked: [], scopeValues: '' } as const
const published = (document: object, more: Partial<State> = {}) =>
  view({ ...first, ...open, url, body: JSON.stringify(document), ...more }, accepting)

View('a document that is accepted tells its client, what was chosen and left out, and the answer of each door', () => {
  const body = { client_id: url, redirect_uris, scope: 'openid profile', homepage: 1 }
  const { decision, faults, dropped, metadata, adjustments, document } = published(body)
  assert.equal([decision.headline, faults, dropped], ['Accepted', [], ['homepage']])
  const members = Object.fromEntries(metadata.map(({ name, value, origin }) => [name, [value, origin]]))
  assert.equal(members['scope'], ['"openid"', 'changed'])
  assert.equal(members['redirect_uris'], [JSON.stringify(redirect_uris), 'sent'])
  assert.equal(members['client_id'], undefined)
  const rules = adjustments.map(({ rule }) => rule)
  assert.ok(['document-auth-method-none', 'document-narrowed'].every((rule) => rules.some((each) => each === rule)))
  assert.equal(
    document?.doors.map(({ name, answer }) => [name, answer.split('. ')[0]]),
    [
      ['Authorization request', 'Goes on to sign-in and consent'],
      ['POST /clients with the same metadata, without a token', '401 missing_token'],
    ],
  )
})

View('the faults of a URL are told before its document is judged, and those of a document with their places', () => {
  const judged = (given: string) => {
    const { decision, faults, document } = published({ client_id: given, redirect_uris }, { url: given })
    return [decision.headline, document?.judged, faults.map(({ rule, place }) => [rule, place])]
  }
  for (const [given, rule] of [
    ['http://app.example/client.json', 'https-uri'],
    ['app.example', 'https-uri'],
    ['https://app.example', 'client-id-url-path'],
    ['https://App.example/client.json', 'client-id-url-spelling'],
  ] as const)
    assert.equal(judged(given), ['Refused', 'URL', [[rule, undefined]]], given)
  const { faults } = published({ client_id: 'https://other.example/', redirect_uris, client_secret: 'x' })
  assert.equal(
    faults.map(({ rule, place }) => [rule, place !== undefined]),
    [
      ['document-client-id', true],
      ['document-secret', true],
    ],
  )
})

View('a policy that alone refuses a document is told, beside what the document would be', () => {
  const denied = 'https://denied.example/client.json'
  const { decision, faults, metadata, document } = published({ client_id: denied, redirect_uris }, { url: denied })
  assert.equal([decision.headline, faults], ['Refused by the policy alone', []])
  assert.ok(metadata.length > 0)
  assert.match(
    document?.remarks[0] ?? '',
    'does not accept this URL: metadata_documents.denied_hosts has denied.example',
  )
})

View('a text that is no JSON, or too large, is no document', () => {
  for (const [body, why] of [
    ['{', 'JSON'],
    [`"${'x'.repeat(70_000)}"`, 'larger than 65536 bytes'],
  ] as const) {
    const { faults, document } = view({ ...first, ...open, url, body }, accepting)
    assert.equal(
      faults.map(({ rule }) => rule),
      ['document-json'],
    )
    assert.match(document?.remarks.join(' ') ?? '', why)
    assert.is(document?.doors.length, 1)
  }
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
