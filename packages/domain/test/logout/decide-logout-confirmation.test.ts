import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { defaultNotificationLimits } from '../../src/logout/notifications.js'
import { type LogoutFacts, decideLogoutConfirmation, locationOf } from '../../src/logout/confirm.js'
import { HintFault, PostLogoutRedirectRefusal, judgeIdTokenHint, readLogoutRequest } from '../../src/logout/hint.js'
import {
  anyFacts,
  anyText,
  clientOf,
  endUserSession,
  exampleTime,
  law,
  leaving,
  otherUri,
  validFacts,
  subject,
  urisOf,
} from '@clientele/testing'

const Confirmation = suite('decideLogoutConfirmation')
const it = law(Confirmation)

// From the contract, independent of the decision's code.
const isTheirs = ({ hint, session, registered: [client] }: LogoutFacts): boolean => {
  if (hint === undefined || E.isLeft(hint)) return false
  if (session === undefined) return true
  const recorded = session.clients.filter(({ client_id }) => client_id === client?.client_id)
  const [known] = [...recorded, session]
  const sids: ReadonlyArray<string | undefined> = [undefined, known.sid, session.sid]
  return hint.right.sub === known.sub && sids.includes(hint.right.sid)
}

const isOfOneClient = ({ registered, request: { clientId, postLogoutRedirectUri: uri } }: LogoutFacts): boolean => {
  const [client, ...more] = registered
  if (client === undefined || more.length > 0) return false
  const named = clientId === undefined || clientId === client.client_id
  return named && urisOf(client).some((registeredUri) => registeredUri === uri)
}

it(
  'for any request whatever, there is a way back exactly when hint, client, end-user and URI hold',
  [anyFacts()],
  (facts) => {
    const { redirect } = decideLogoutConfirmation(facts)
    const expected = !facts.request.repeated && isTheirs(facts) && isOfOneClient(facts)
    assert.is(E.isRight(redirect), expected)
    if (E.isLeft(redirect)) assert.ok(PostLogoutRedirectRefusal.is(redirect.left))
  },
)

it('where there is one, it is what was asked for, and nothing else', [anyFacts()], (facts) => {
  const { redirect } = decideLogoutConfirmation(facts)
  if (E.isLeft(redirect)) return
  const { requested, client } = redirect.right
  assert.equal([client], facts.registered)
  assert.is(requested.uri, facts.request.postLogoutRedirectUri)
  assert.is(requested.state, facts.request.state)
  assert.ok(facts.hint !== undefined && E.isRight(facts.hint))
  const { sub, sid } = facts.hint.right
  assert.equal(requested.user, { client_id: client.client_id, registration_id: client.registration_id, sub, sid })
  assert.ok(urisOf(client).some((uri) => locationOf(requested).startsWith(uri)))
})

it('when all holds there is a way back', [leaving(), fc.boolean()], (left, isNamed) => {
  const facts = validFacts(left)
  const clientId = isNamed ? left.client.client_id : undefined
  assert.ok(E.isRight(decideLogoutConfirmation({ ...facts, request: { ...facts.request, clientId } }).redirect))
})

it('what the dialog shows of the session is who is signed in, or why nobody is known', [anyFacts()], (facts) => {
  const { session } = decideLogoutConfirmation(facts)
  if (facts.session !== undefined) assert.equal(session, { kind: 'signed_in', sid: facts.session.sid })
  else assert.equal(session, { kind: facts.cookiesWithheld ? 'unseen' : 'nobody' })
})

it('what is asked for changes nothing of the session that is shown', [anyFacts(), anyFacts()], (one, other) =>
  assert.equal(
    decideLogoutConfirmation({ ...other, session: one.session, cookiesWithheld: one.cookiesWithheld }).session,
    decideLogoutConfirmation(one).session,
  ),
)

const redirectRefusal = (facts: LogoutFacts): string => {
  const { redirect } = decideLogoutConfirmation(facts)
  return E.isLeft(redirect) ? redirect.left : 'a way back'
}

it('a parameter that is given twice is told before all else', [anyFacts()], (facts) =>
  assert.is(redirectRefusal({ ...facts, request: { ...facts.request, repeated: true } }), 'repeated_parameter'),
)

it('where nothing is asked for, nothing else is told', [anyFacts()], (facts) => {
  const request = { ...facts.request, repeated: false, postLogoutRedirectUri: undefined }
  assert.is(redirectRefusal({ ...facts, request }), 'not_asked')
})

it('without a hint there is none, whatever the client_id', [leaving(), anyText()], (left, clientId) => {
  const facts = validFacts(left)
  assert.is(redirectRefusal({ ...facts, hint: undefined, request: { ...facts.request, clientId } }), 'no_hint')
  assert.is(redirectRefusal({ ...facts, hint: undefined, request: { ...facts.request, clientId: 'shop' } }), 'no_hint')
})

it(
  'the fault of a hint is told as it is',
  [leaving(), fc.constantFrom(...Object.keys(HintFault.keys)).filter(HintFault.is)],
  (left, fault) => assert.is(redirectRefusal({ ...validFacts(left), hint: E.left(fault) }), fault),
)

it(
  'azp, where there is one, is that client, to the letter (OpenID Core §3.1.3.7)',
  [leaving(), fc.oneof(anyText(), fc.constantFrom('shop', 'Shop', 'shop '))],
  (left, azp) => {
    const expected = azp === left.client.client_id ? 'a way back' : 'hint_other_client'
    assert.is(redirectRefusal({ ...validFacts(left), hint: E.right({ ...left.hint, azp }) }), expected)
  },
)

it(
  'a hint from before the client was registered is of another client, unless clocks that differ a little explain it',
  [leaving(), fc.integer({ min: -900, max: 900 })],
  (left, by) => {
    const hint = { ...left.hint, iat: left.client.client_id_issued_at + by }
    const expected = by < -300 ? 'hint_before_registration' : 'a way back'
    assert.is(redirectRefusal({ ...validFacts(left), hint: E.right(hint) }), expected)
  },
)

it('a hint for no client that is registered, or for two, is for none', [leaving()], (left) => {
  const bank = clientOf('bank', { post_logout_redirect_uris: [left.uri] })
  for (const registered of [[], [left.client, bank], [bank, left.client], [left.client, left.client]])
    assert.is(redirectRefusal({ ...validFacts(left), registered }), 'hint_audience')
})

it(
  'a client_id is that of the hint, to the letter',
  [leaving(), fc.oneof(anyText(), fc.constantFrom('Shop', 'shop '))],
  (left, clientId) => {
    const facts = validFacts(left)
    const expected = clientId === left.client.client_id ? 'a way back' : 'hint_other_client'
    assert.is(redirectRefusal({ ...facts, request: { ...facts.request, clientId } }), expected)
  },
)

it(
  'a URI that is not registered is told',
  [leaving().chain((left) => fc.tuple(fc.constant(left), otherUri(left.uri)))],
  ([left, uri]) => {
    const facts = validFacts(left)
    const expected = urisOf(left.client).includes(uri) ? 'a way back' : 'unregistered_uri'
    assert.is(redirectRefusal({ ...facts, request: { ...facts.request, postLogoutRedirectUri: uri } }), expected)
  },
)

it(
  'when somebody else is signed in, it is told, and the dialog is still theirs',
  [leaving(), endUserSession([])],
  (left, session) => {
    const facts = { ...validFacts(left), session }
    if (left.hint.sub === session.sub) return
    assert.is(redirectRefusal(facts), 'other_user')
    assert.equal(decideLogoutConfirmation(facts).session, { kind: 'signed_in', sid: session.sid })
  },
)

const policy = {
  issuer: 'https://op.example',
  hintMaxAge: 0,
  confirmationLifetime: 600,
  backchannel: true,
  notificationLimits: defaultNotificationLimits,
  endsOfflineAccess: true,
}
const anyClaims = fc.record(
  {
    iss: fc.oneof(fc.constant(policy.issuer), fc.anything()),
    sub: fc.anything(),
    aud: fc.anything(),
    exp: fc.anything(),
  },
  { noNullPrototype: true },
)

it(
  'whatever comes from outside, there is a dialog, and none of it is a way back',
  [leaving(), fc.dictionary(anyText(), fc.array(anyText())), fc.array(anyText()), anyClaims, fc.option(subject())],
  (left, parameters, uris, claims, typ) => {
    const request = readLogoutRequest({ ...parameters, id_token_hint: ['x'], post_logout_redirect_uri: uris })
    const hint = judgeIdTokenHint(policy, exampleTime)({ typ: typ ?? undefined, claims })
    assert.ok(PostLogoutRedirectRefusal.is(redirectRefusal({ ...validFacts(left), request, hint })))
  },
)

it('from the parameters to the location, the state comes back as it was sent', [leaving()], (left) => {
  const request = readLogoutRequest({
    id_token_hint: ['x'],
    post_logout_redirect_uri: [left.uri],
    ...(left.state === undefined ? {} : { state: [left.state] }),
  })
  const { redirect } = decideLogoutConfirmation({ ...validFacts(left), request })
  assert.ok(E.isRight(redirect))
  const { searchParams } = new URL(locationOf(redirect.right.requested))
  assert.is(searchParams.get('state') ?? undefined, left.state)
})

Confirmation.run()
