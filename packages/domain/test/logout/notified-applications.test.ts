import * as fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { RegisteredClient } from '../../src/registration/registered-client.js'
import { originOf } from '../../src/client/uris.js'
import {
  type SessionApplication,
  applicationsOf,
  framesOf,
  notificationsOf,
  notifiedOf,
} from '../../src/logout/notifications.js'
import {
  clientOf,
  endUserSession,
  exampleClient,
  exampleSession,
  exampleTime as at,
  fetchedUri,
  law,
  webRedirectUri,
} from '@clientele/testing'

const Reported = suite('the applications that are told')
const it = law(Reported)

const sending = { backchannel: true }
const issuer = 'https://op.example/a?b'
const ids = ['shop', 'bank', 'mail', 'map']

// A Content-Security-Policy cannot contain an address in brackets.
const framedUri = webRedirectUri().filter((uri) => !uri.includes('['))

const reported = fc.record(
  {
    backchannel_logout_uri: fetchedUri(),
    frontchannel_logout_uri: framedUri,
    frontchannel_logout_session_required: fc.boolean(),
    id_token_signed_response_alg: fc.constantFrom('RS256', 'ES256', 'EdDSA'),
  },
  { requiredKeys: [], noNullPrototype: true },
)

const registered: fc.Arbitrary<ReadonlyArray<RegisteredClient>> = fc
  .tuple(fc.shuffledSubarray(ids), fc.array(reported, { minLength: 4, maxLength: 4 }))
  .map(([some, metadata]) => some.map((id, index) => clientOf(id, metadata[index] ?? {})))

const session = endUserSession(ids)
type Registered = { readonly client_id: string; readonly registration_id: string }
const isSameRegistration = (one: Registered, other: Registered): boolean =>
  one.client_id === other.client_id && one.registration_id === other.registration_id
const counted = (): (() => string) => {
  let count = 0
  return () => `notice-${(count += 1)}`
}

it(
  'they are those of the session that are registered still, by the names that they know',
  [session, registered],
  (left, clients) => {
    const applications = applicationsOf(left, clients)
    const known = left.clients.filter(({ client_id }) => clients.some((client) => client.client_id === client_id))
    assert.equal(
      applications.map(({ names }) => names),
      known,
    )
    assert.ok(
      applications.every(({ client, names }) => client.client_id === names.client_id && clients.includes(client)),
    )
  },
)

it(
  'a client that was registered again is none of them, and is owed nothing',
  [session, registered, fc.subarray(ids)],
  (left, clients, anew) => {
    const isAnew = ({ client_id }: { readonly client_id: string }): boolean => anew.includes(client_id)
    const { registration_id } = exampleClient('any', 'second')
    const present = clients.map((client) => (isAnew(client) ? { ...client, registration_id } : client))
    const applications = applicationsOf(left, present)
    assert.equal(
      applications,
      applicationsOf(
        left,
        clients.filter((client) => !isAnew(client)),
      ),
    )
    const owed = notificationsOf(sending, applications, at, counted())
    assert.ok(
      owed.every(
        (notification) => !isAnew(notification) && clients.some((client) => isSameRegistration(client, notification)),
      ),
    )
  },
)

it('where nobody is signed in there are none', [registered], (clients) =>
  assert.equal(applicationsOf(undefined, clients), []),
)

it(
  'a notice is owed to each that takes logout tokens, of its own end-user and session',
  [session, registered],
  (left, clients) => {
    const applications = applicationsOf(left, clients)
    const notifications = notificationsOf(sending, applications, at, counted())
    const expected = applications.filter(({ client }) => client.metadata.backchannel_logout_uri !== undefined)
    assert.equal(
      notifications.map(({ client_id, uri, sub, sid, alg }) => ({ client_id, uri, sub, sid, alg })),
      expected.map(({ client: { client_id, metadata }, names: { sub, sid } }) => ({
        client_id,
        uri: metadata.backchannel_logout_uri,
        sub,
        sid,
        alg: metadata.id_token_signed_response_alg,
      })),
    )
    assert.is(new Set(notifications.map(({ id }) => id)).size, notifications.length)
    assert.ok(notifications.every(({ created_at }) => created_at === at))
  },
)

it('nothing is owed to anybody while no logout token is sent', [session, registered], (left, clients) =>
  assert.equal(notificationsOf({ backchannel: false }, applicationsOf(left, clients), at, counted()), []),
)

Reported('a logout token is signed, although the ID tokens are not (Back-Channel Logout §2.6)', () => {
  const client = clientOf('shop', {
    backchannel_logout_uri: 'https://rp.example/out',
    id_token_signed_response_alg: 'none',
  })
  const [notification] = notificationsOf(
    sending,
    applicationsOf(exampleSession('zoe', ['shop']), [client]),
    at,
    counted(),
  )
  assert.is(notification?.alg, 'RS256')
})

it(
  'a frame is loaded for each that wants one, and told are those that have a frame, or a notice that is sent',
  [session, registered, fc.boolean()],
  (left, clients, backchannel) => {
    const applications = applicationsOf(left, clients)
    const frames = framesOf(applications, issuer)
    assert.is(
      frames.length,
      applications.filter(({ client }) => client.metadata.frontchannel_logout_uri !== undefined).length,
    )
    const isReported = (application: SessionApplication): boolean =>
      framesOf([application], issuer).length +
        (backchannel ? notificationsOf(sending, [application], at, counted()).length : 0) >
      0
    assert.equal(notifiedOf(applications, { issuer, backchannel }), applications.filter(isReported))
  },
)

it(
  'a frame has the registered bytes, with iss and sid where the client asks for them, and the origin that they have',
  [session, framedUri, fc.boolean()],
  (left, uri, asks) => {
    const client = clientOf('shop', { frontchannel_logout_uri: uri, frontchannel_logout_session_required: asks })
    for (const { names, client: of } of applicationsOf(left, [client])) {
      const [frame, ...more] = framesOf([{ names, client: of }], issuer)
      assert.ok(frame !== undefined && more.length === 0)
      assert.is(frame.origin, originOf(uri))
      assert.ok(frame.uri.startsWith(uri))
      const { searchParams, origin } = new URL(frame.uri)
      assert.is(origin, frame.origin)
      const before = [...new URL(uri).searchParams]
      const added = asks
        ? [
            ['iss', issuer],
            ['sid', names.sid],
          ]
        : []
      assert.equal([...searchParams], [...before, ...added])
      if (!asks) assert.is(frame.uri, uri)
    }
  },
)

Reported('a page loads thirty frames at most, and none of what would not be registered today', () => {
  const many = Array.from({ length: 40 }, (_, index) => `client-${index}`)
  const clients = many.map((id) => clientOf(id, { frontchannel_logout_uri: `https://${id}.example/out` }))
  const frames = framesOf(applicationsOf(exampleSession('zoe', many), clients), issuer)
  assert.equal(
    frames.map(({ uri }) => uri),
    many.slice(0, 30).map((id) => `https://${id}.example/out`),
  )
  assert.is(notifiedOf(applicationsOf(exampleSession('zoe', many), clients), { issuer, backchannel: true }).length, 30)
  // A Content-Security-Policy cannot contain a host in brackets, and the provider does not frame itself.
  for (const uri of [
    'https://[::1]/out',
    'https://OP.example/login',
    'javascript:alert(1)',
    'data:text/html,x',
    'com.example:/out',
    'https://a b.example',
    '//x',
    '',
  ]) {
    const client = clientOf('shop', { frontchannel_logout_uri: uri })
    assert.equal(framesOf(applicationsOf(exampleSession('zoe', ['shop']), [client]), issuer), [], uri)
  }
})

Reported.run()
