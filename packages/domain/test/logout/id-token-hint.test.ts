import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { defaultNotificationLimits, logoutToken } from '../../src/logout/notifications.js'
import { ClientId } from '../../src/client/ids.js'
import { HintFault, judgeIdTokenHint } from '../../src/logout/hint.js'
import { anyText, clientId, exampleNotification, exampleTime as at, law, subject } from '@clientele/testing'

const Hint = suite('judgeIdTokenHint')
const it = law(Hint)

const issuer = 'https://op.example'
const policy = {
  issuer,
  hintMaxAge: 1_000,
  confirmationLifetime: 600,
  backchannel: true,
  notificationLimits: defaultNotificationLimits,
  endsOfflineAccess: true,
}
const judge = judgeIdTokenHint(policy, at)

type Claims = Readonly<Record<string, unknown>>

const valid: Claims = { iss: issuer, sub: 'zoe', aud: 'shop', exp: at + 60, iat: at }
const judged = (claims: Claims, typ?: string) => judge({ typ, claims: { ...valid, ...claims } })
const faultOf = (claims: Claims, typ?: string): string => {
  const result = judged(claims, typ)
  return E.isLeft(result) ? result.left : 'counts'
}
const without = (name: string): Claims => Object.fromEntries(Object.entries(valid).filter(([each]) => each !== name))

const types = fc.constantFrom(undefined, 'JWT', 'jwt', 'application/jwt', 'Application/JWT')

it(
  'an ID token counts, with its sub, sid and audience as they are',
  [
    types,
    subject(),
    fc.option(subject(), { nil: undefined }),
    fc.uniqueArray(clientId(), { minLength: 1, maxLength: 10 }),
  ],
  (typ, sub, sid, aud) => {
    const claims = { sub, aud, ...(sid === undefined ? {} : { sid }) }
    assert.equal(judged(claims, typ), E.right({ sub, sid, audience: aud, azp: undefined, iat: at }))
  },
)

it('an audience of one is told as text or as a list', [clientId()], (aud) =>
  assert.equal(judged({ aud }), judged({ aud: [aud] })),
)

it('claims that mean something else change nothing', [fc.dictionary(anyText(), fc.jsonValue())], (more) => {
  const decisive = ['iss', 'sub', 'aud', 'exp', 'iat', 'nbf', 'azp', 'sid', 'events', 'scope', 'client_id']
  const others = Object.fromEntries(Object.entries(more).filter(([name]) => !decisive.includes(name)))
  assert.equal(judged(others), judged({}))
})

const anyClaims = fc.record(
  {
    iss: fc.oneof(fc.constantFrom(issuer, `${issuer}/`, issuer.toUpperCase()), fc.anything()),
    sub: fc.oneof(subject(), fc.anything()),
    aud: fc.oneof(clientId(), fc.array(clientId(), { maxLength: 12 }), fc.anything()),
    exp: fc.oneof(fc.integer({ min: at - 2_000, max: at + 100 }), fc.anything()),
    iat: fc.oneof(fc.integer({ min: at - 2_000, max: at + 600 }), fc.anything()),
    sid: fc.oneof(subject(), fc.anything()),
    scope: fc.anything(),
    events: fc.anything(),
  },
  { requiredKeys: ['iss', 'sub', 'aud', 'exp', 'iat'], noNullPrototype: true },
)

it(
  'whatever the claims are, there is a fault or a hint, and a hint only of an ID token of ours for clients that can be',
  [fc.oneof(types, anyText()), anyClaims],
  (typ, claims) => {
    const result = judge({ typ, claims })
    if (E.isLeft(result)) return HintFault.is(result.left)
    const { sub, sid, audience } = result.right
    assert.ok(typ === undefined || /^(application\/)?jwt$/i.test(typ))
    assert.ok(claims.iss === issuer && claims.sub === sub && claims.sid === sid)
    assert.ok(Number(claims.iat) <= at + 300 && Number(claims.exp) + policy.hintMaxAge >= at)
    assert.not.ok('scope' in claims || 'events' in claims)
    const aud: unknown = [claims.aud].flat()
    assert.ok(Array.isArray(aud) && audience.length > 0 && audience.length <= 10)
    return audience.every((each) => ClientId.is(each) && aud.includes(each))
  },
)

it('any object whatever is judged', [fc.anything(), fc.object()], (typ, claims) => {
  const result = judge({ typ: typeof typ === 'string' ? typ : undefined, claims })
  assert.ok(E.isLeft(result) && HintFault.is(result.left))
})

it(
  'it counts for as long after it expired as the policy says, to the second; with 0, for ever',
  [
    fc.oneof(fc.integer({ min: -3, max: 3 }), fc.integer({ min: -5_000, max: 5_000 })),
    fc.integer({ min: 1, max: 10_000 }),
  ],
  (exceeding, hintMaxAge) => {
    const signed = { typ: undefined, claims: { ...valid, iat: 1, exp: at - hintMaxAge - exceeding } }
    const result = judgeIdTokenHint({ ...policy, hintMaxAge }, at)(signed)
    assert.equal(E.isRight(result), exceeding <= 0)
    if (E.isLeft(result)) assert.is(result.left, 'hint_too_old')
    assert.ok(E.isRight(judgeIdTokenHint({ ...policy, hintMaxAge: 0 }, at)(signed)))
  },
)

Hint('expired a minute, a day or a year ago, it counts within the age', () => {
  const year = 31_536_000
  for (const age of [60, 86_400, year]) {
    const signed = { typ: 'JWT', claims: { ...valid, iat: at - age - 60, exp: at - age } }
    assert.ok(E.isRight(judgeIdTokenHint({ ...policy, hintMaxAge: year }, at)(signed)), String(age))
  }
})

it(
  'it is of the future when clocks that differ a little cannot explain it',
  [fc.integer({ min: -900, max: 900 })],
  (by) => assert.is(faultOf({ iat: at + by }), by > 300 ? 'hint_not_yet_issued' : 'counts'),
)

it(
  'nbf is the time before which it does not count, whatever its iat is (RFC 7519 §4.1.5)',
  [fc.integer({ min: -900, max: 900 })],
  (by) => assert.is(faultOf({ nbf: at + by }), by > 300 ? 'hint_not_yet_issued' : 'counts'),
)

it('nbf that is no number, or azp that is no text, makes no ID token', [fc.jsonValue()], (value) => {
  assert.is(faultOf({ nbf: value }) === 'hint_not_an_id_token', typeof value !== 'number')
  assert.is(faultOf({ azp: value }) === 'hint_not_an_id_token', typeof value !== 'string')
})

it('another issuer is another issuer, byte for byte', [anyText()], (iss) =>
  assert.is(faultOf({ iss }), iss === issuer ? 'counts' : 'hint_other_issuer'),
)

Hint('an issuer that looks like ours is not', () => {
  for (const iss of [
    `${issuer}/`,
    'https://OP.example',
    'http://op.example',
    'https://op.example:443',
    ` ${issuer}`,
    '',
  ])
    assert.is(faultOf({ iss }), 'hint_other_issuer', iss)
})

Hint('without one of its claims it is no ID token, nor with one of another kind (OpenID Core §2)', () => {
  for (const name of ['iss', 'sub', 'aud', 'exp', 'iat']) {
    const left = judge({ typ: 'JWT', claims: without(name) })
    assert.equal(left, E.left('hint_not_an_id_token'), name)
    for (const value of [null, true, {}, [], [[]], name === 'exp' || name === 'iat' ? '1' : 1])
      if (name !== 'aud' || !Array.isArray(value) || value.length > 0)
        assert.is(faultOf({ [name]: value }), 'hint_not_an_id_token', `${name} ${JSON.stringify(value)}`)
  }
  for (const sid of [null, 1, '', [], 'x'.repeat(256), 'é']) assert.is(faultOf({ sid }), 'hint_not_an_id_token')
  for (const sub of ['', 'x'.repeat(256), 'Zoë', 'a\nb']) assert.is(faultOf({ sub }), 'hint_not_an_id_token')
})

Hint('tokens of other kinds are none, although the same keys sign them (RFC 8725 §3.11)', () => {
  for (const typ of [
    'at+jwt',
    'application/at+jwt',
    'logout+jwt',
    'secevent+jwt',
    'token-introspection+jwt',
    'JWT ',
    '',
  ])
    assert.is(faultOf({}, typ), 'hint_not_an_id_token', typ)
  const { typ, claims } = logoutToken({ retention: 86_400 }, exampleNotification('one', 'shop'), 'fresh', at)
  const logout = { ...claims, iss: issuer, iat: at, exp: at + 120 }
  assert.is(faultOf(logout, typ), 'hint_not_an_id_token')
  assert.is(faultOf(logout), 'hint_not_an_id_token')
  for (const access of [{ scope: 'openid' }, { client_id: 'shop' }, { scope: '' }, { client_id: null }])
    assert.is(faultOf({ ...access, jti: 'x' }), 'hint_not_an_id_token')
  const userInfo = { iss: issuer, sub: 'zoe', aud: 'shop', email: 'zoe@rp.example' }
  assert.equal(judge({ typ: 'JWT', claims: userInfo }), E.left('hint_not_an_id_token'))
})

it(
  'an audience is each client once, in its order',
  [fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: 1 })],
  (aud) => {
    const result = judged({ aud })
    assert.equal(E.isRight(result) ? result.right.audience : [], [...new Set(aud)])
  },
)

it(
  'an audience of more than ten, or of none that could be a client, counts for none',
  [fc.integer({ min: 1, max: 20 })],
  (count) => {
    const aud = Array.from({ length: count }, (_, index) => `client-${index}`)
    assert.is(faultOf({ aud }), count > 10 ? 'hint_audience' : 'counts')
    assert.is(faultOf({ aud: aud.map((each) => `http://rp.example/${each}`) }), 'hint_audience')
  },
)

Hint('an audience that is empty counts for none', () => {
  for (const aud of [[], '', [''], ['.'], ['..', 'a b'], 'x'.repeat(129)]) assert.is(faultOf({ aud }), 'hint_audience')
})

Hint.run()
