import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { epochSeconds } from '../../src/kernel/time.js'
import { judgeHandOver, maxAuthenticationSkew, maxHandOverLifetime } from '../../src/provider/login.js'
import { law } from '@clientele/testing'

const HandOver = suite('judgeHandOver')
const it = law(HandOver)

const at = epochSeconds(1_800_000_000_000)
const expected = { page: 'https://host.example/login', issuer: 'https://id.example', nonce: 'n-1', at }
const valid = { iss: expected.page, aud: expected.issuer, nonce: 'n-1', iat: at, exp: at + 60, sub: 'alice', name: 'A' }
const typ = 'login-response+jwt'
const judge = judgeHandOver(expected)
const reasonOf = (claims: unknown, type: unknown = typ): string => {
  const judged = judge({ typ: type, claims })
  return E.isLeft(judged) ? judged.left.reason : 'not refused'
}

it('any type and any claims give a refusal or an end-user', [fc.anything(), fc.anything()], (type, claims) => {
  const judged = judge({ typ: type, claims })
  assert.ok(E.isLeft(judged))
})

it(
  'one wrong claim of those that bind the response is refused, whatever its value',
  [fc.constantFrom('iss', 'aud', 'nonce', 'sub', 'exp'), fc.anything().filter((value) => value !== valid.exp)],
  (name, value) => {
    if (typeof value === 'string' && name === 'sub') return
    if (typeof value === 'number' && name === 'exp') return
    assert.is.not(reasonOf({ ...valid, [name]: value }), 'not refused')
  },
)

it('exp counts within its limits only', [fc.integer({ min: -1_000, max: 1_000 })], (seconds) => {
  const isValid = seconds > -maxAuthenticationSkew && seconds <= maxHandOverLifetime + maxAuthenticationSkew
  assert.is(reasonOf({ ...valid, exp: at + seconds }) === 'not refused', isValid)
})

HandOver('a valid response is the end-user of its claims', () =>
  assert.equal(judge({ typ, claims: valid }), {
    _tag: 'Right',
    right: { sub: 'alice', claims: { name: 'A' }, auth_time: at },
  }),
)

HandOver('a request, an ID token and a response issued later are refused', () => {
  for (const type of ['login-request+jwt', 'JWT', null, 7]) assert.match(reasonOf(valid, type), /^typ /)
  assert.match(reasonOf({ ...valid, iat: at + maxAuthenticationSkew + 1 }), /^iat /)
})

HandOver.run()
