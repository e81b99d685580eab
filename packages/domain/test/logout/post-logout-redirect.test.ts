import * as fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type RequestedRedirect, locationOf, postLogoutRedirectFault } from '../../src/logout/confirm.js'
import { PostLogoutRedirectRefusal } from '../../src/logout/hint.js'
import {
  anyText,
  clientOf,
  endUserSession,
  exampleClient,
  exampleRegistrationId,
  exampleSession,
  law,
  leaving,
  leftClient,
  namesAt,
  otherUri,
  subject,
  urisOf,
  wellFormedState,
  type Leaving,
} from '@clientele/testing'

const PostLogoutRedirect = suite('the way back')
const it = law(PostLogoutRedirect)

const zoe = exampleSession('of-zoe')
const registeredUri = leftClient().map((client) => urisOf(client)[0] ?? '')

it('without a state the location is the registered URI, byte for byte', [registeredUri], (uri) =>
  assert.is(locationOf({ uri, state: undefined }), uri),
)

it(
  'with a state the location begins with the registered bytes, and adds one parameter and nothing else',
  [registeredUri, wellFormedState()],
  (uri, state) => {
    const location = locationOf({ uri, state })
    assert.ok(location.startsWith(uri))
    const [, separator = '', value = ''] = /^([?&]?)state=([^&#?]*)$/.exec(location.slice(uri.length)) ?? []
    assert.is(decodeURIComponent(value), state)
    assert.is(separator === '?' || uri.includes('?'), true)
  },
)

it(
  'any reader of URLs finds the state as it was sent, once, beside what was registered',
  [registeredUri, wellFormedState()],
  (uri, state) => {
    const before = new URL(uri)
    const after = new URL(locationOf({ uri, state }))
    assert.equal(after.searchParams.getAll('state'), [state])
    assert.equal(
      [after.protocol, after.host, after.pathname, after.hash],
      [before.protocol, before.host, before.pathname, ''],
    )
    const others = [...after.searchParams].filter(([name]) => name !== 'state')
    assert.equal(others, [...before.searchParams])
  },
)

it('nothing in a state leaves its parameter or the header', [registeredUri, wellFormedState()], (uri, state) =>
  assert.match(locationOf({ uri, state }), /^[\x21-\x7e]+$/),
)

PostLogoutRedirect('the state stands after a query, and begins one where there is none', () => {
  for (const [uri, location] of [
    ['https://rp.example', 'https://rp.example?state=s'],
    ['https://rp.example/out', 'https://rp.example/out?state=s'],
    ['https://rp.example/out?', 'https://rp.example/out?state=s'],
    ['https://rp.example/out?a=b', 'https://rp.example/out?a=b&state=s'],
    ['https://rp.example/out?a=b&', 'https://rp.example/out?a=b&state=s'],
    ['https://rp.example/out?a=b?', 'https://rp.example/out?a=b?&state=s'],
    ['https://rp.example/out&', 'https://rp.example/out&?state=s'],
    ['com.example.app:/out', 'com.example.app:/out?state=s'],
    ['com.example.app:', 'com.example.app:?state=s'],
  ] as const)
    assert.is(locationOf({ uri, state: 's' }), location)
})

const requestedBy = ({ client, uri, hint: { sub, sid }, state }: Leaving): RequestedRedirect => ({
  user: { client_id: client.client_id, registration_id: client.registration_id, sub, sid },
  uri,
  state,
})

it('there is one for a URI of the client and the hint of the end-user', [leaving()], (left) =>
  assert.is(postLogoutRedirectFault(requestedBy(left), left), undefined),
)

it('where nobody is signed in, the client and its URI decide', [leaving(), subject()], (left, sub) => {
  const requested = requestedBy(left)
  const ofSomebody = { ...requested, user: { ...requested.user, sub } }
  assert.is(postLogoutRedirectFault(ofSomebody, { client: left.client, session: undefined }), undefined)
})

it(
  'whatever is asked for, only the very bytes of a URI that is registered are a way back',
  [leaving().chain((left) => fc.tuple(fc.constant(left), otherUri(left.uri)))],
  ([left, uri]) => {
    const fault = postLogoutRedirectFault({ ...requestedBy(left), uri }, left)
    assert.is(fault, urisOf(left.client).includes(uri) ? undefined : 'unregistered_uri')
  },
)

PostLogoutRedirect('no other spelling of a registered URI is registered', () => {
  const client = clientOf('shop', { post_logout_redirect_uris: ['https://rp.example/out', 'https://rp.example/a%2Fb'] })
  const user = {
    client_id: client.client_id,
    registration_id: client.registration_id,
    sub: namesAt(client, zoe).sub,
    sid: undefined,
  }
  for (const uri of [
    '',
    'https://rp.example',
    'https://rp.example/',
    'https://rp.example/out/',
    'https://rp.example/out?',
    'https://rp.example/out?foo=bar',
    'https://rp.example/out#',
    'https://rp.example/out#x',
    'https://RP.example/out',
    'HTTPS://rp.example/out',
    'https://rp.example:443/out',
    'https://rp.example/Out',
    'https://rp.example/%6Fut',
    'https://rp.example/x/../out',
    'https://rp.example/a%2fb',
    'https://rp.example/a/b',
    'https://rp.example.evil.example/out',
    'https://evil.rp.example/out',
    'https://user@rp.example/out',
    'https://rp.example/ou',
    'http://rp.example/out',
    '//rp.example/out',
    ' https://rp.example/out',
    'https://rp.example/out\r\n',
  ])
    assert.is(
      postLogoutRedirectFault({ user, uri, state: undefined }, { client, session: undefined }),
      'unregistered_uri',
      uri,
    )
})

it('a URI of another client is not one of this', [leaving(), subject()], (left, sub) => {
  const { application_type } = left.client.metadata
  const bank = clientOf('bank', { application_type, post_logout_redirect_uris: [left.uri] })
  const user = { client_id: bank.client_id, registration_id: bank.registration_id, sub, sid: undefined }
  const requested = { user, uri: left.uri, state: left.state }
  assert.is(postLogoutRedirectFault(requested, { client: left.client, session: undefined }), 'hint_audience')
  assert.is(
    postLogoutRedirectFault(requested, { client: exampleClient('bank'), session: undefined }),
    'unregistered_uri',
  )
  assert.is(postLogoutRedirectFault(requested, { client: undefined, session: undefined }), 'hint_audience')
  assert.is(postLogoutRedirectFault(requested, { client: bank, session: undefined }), undefined)
})

PostLogoutRedirect(
  'a private-use scheme leads back, whatever today’s policy lists, and a dangerous one never does',
  () => {
    const uris = ['cursor://bye', 'of-another-policy://bye', 'com.example.app://bye', 'intent://bye', 'MS-Word:x']
    const client = clientOf('shop', { application_type: 'native', post_logout_redirect_uris: uris })
    const user = { client_id: client.client_id, registration_id: client.registration_id, sub: zoe.sub, sid: undefined }
    assert.equal(
      uris.map((uri) => postLogoutRedirectFault({ user, uri, state: undefined }, { client, session: undefined })),
      [undefined, undefined, undefined, 'refused_uri', 'refused_uri'],
    )
  },
)

PostLogoutRedirect('what could not be registered today is refused, although it stands in the store', () => {
  const uris = [
    'javascript:alert(1)',
    'JaVaScRiPt://rp.example/%0aalert(1)',
    'data:text/html,x',
    'file:///etc/passwd',
    'http://rp.example/out',
    'https://rp.example/out#x',
    'https://user@rp.example/out',
    'https://*.rp.example/out',
    'https://rp.example/../out',
    'https://rp.example/out?state=fixed',
    'https://rp.example/out?%73tate=fixed',
    'https://rp.example/out\r\nSet-Cookie: a=b',
    '//evil.example',
    '/out',
    '',
  ]
  const client = clientOf('shop', { application_type: 'web', post_logout_redirect_uris: uris })
  const user = { client_id: client.client_id, registration_id: client.registration_id, sub: zoe.sub, sid: undefined }
  for (const uri of uris)
    assert.is(
      postLogoutRedirectFault({ user, uri, state: undefined }, { client, session: undefined }),
      'refused_uri',
      uri,
    )
})

it('a client that was registered again under the same client_id is not the one of the hint', [leaving()], (left) => {
  const again = { ...left.client, registration_id: exampleRegistrationId('again') }
  for (const session of [undefined, left.session])
    assert.is(postLogoutRedirectFault(requestedBy(left), { client: again, session }), 'hint_audience')
})

it('the hint of another end-user leads nowhere', [leaving(), subject()], (left, sub) => {
  const requested = requestedBy(left)
  const fault = postLogoutRedirectFault({ ...requested, user: { ...requested.user, sub } }, left)
  assert.is(fault, sub === requested.user.sub ? undefined : 'other_user')
})

it('the hint of another session of the same end-user leads nowhere', [leaving(), subject()], (left, sid) => {
  const requested = requestedBy(left)
  const known = [namesAt(left.client, left.session).sid, left.session.sid]
  const fault = postLogoutRedirectFault({ ...requested, user: { ...requested.user, sid } }, left)
  assert.is(fault, known.includes(sid) ? undefined : 'other_session')
})

it(
  'a client that knows the end-user by a name of its own is not told by another',
  [leaving(), subject(), subject()],
  (left, sub, sid) => {
    const clients = [{ client_id: left.client.client_id, registration_id: left.client.registration_id, sub, sid }]
    const session = { ...left.session, clients }
    const named = (name: typeof sub) => ({
      ...requestedBy(left),
      user: { client_id: left.client.client_id, registration_id: left.client.registration_id, sub: name, sid },
    })
    assert.is(postLogoutRedirectFault(named(sub), { client: left.client, session }), undefined)
    if (sub !== session.sub)
      assert.is(postLogoutRedirectFault(named(session.sub), { client: left.client, session }), 'other_user')
  },
)

it(
  'any text is judged, and by a code',
  [leaving(), fc.option(endUserSession(['shop']), { nil: undefined }), anyText(), anyText()],
  (left, session, uri, state) => {
    const fault = postLogoutRedirectFault({ ...requestedBy(left), uri, state }, { client: left.client, session })
    return fault === undefined || PostLogoutRedirectRefusal.is(fault)
  },
)

PostLogoutRedirect.run()
