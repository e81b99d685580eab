import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { epochSeconds, secondsAfter } from '../../src/kernel/time.js'
import {
  LoginState,
  acceptAuthTime,
  acceptReturn,
  loginLifetime,
  maxAuthenticationSkew,
  readEndUser,
} from '../../src/provider/login.js'
import { law } from '@clientele/testing'

const Returning = suite('the return from a login')
const it = law(Returning)

const begun_at = epochSeconds(1_800_000_000_000)
const state: LoginState = { method: 'm', interaction: 'i', handle: 'h', memo: '', max_age: null, begun_at }

it(
  'is accepted exactly with its own handle and method, within the lifetime',
  [fc.constantFrom('h', 'other', undefined), fc.constantFrom('m', 'other'), fc.nat({ max: 2 * loginLifetime })],
  (handle, method, seconds) => {
    const accepted = acceptReturn(state, { handle, method, at: secondsAfter(begun_at, seconds) })
    assert.is(E.isRight(accepted), handle === 'h' && method === 'm' && seconds < loginLifetime)
  },
)

it('no value but a state decodes as one', [fc.anything()], (value) => {
  const decoded = LoginState.decode(value)
  if (E.isRight(decoded)) assert.ok(LoginState.is(decoded.right))
})

it(
  'an authentication counts within max_age, and any counts without',
  [fc.option(fc.nat({ max: 5_000 })), fc.nat({ max: 10_000 })],
  (max_age, age) => {
    const endUser = readEndUser({ sub: '1', auth_time: begun_at - age }, begun_at)
    if (E.isLeft(endUser)) return assert.unreachable(endUser.left.reason)
    const accepted = acceptAuthTime({ ...state, max_age })(endUser.right)
    assert.is(E.isRight(accepted), max_age === null || age <= max_age + maxAuthenticationSkew)
  },
)

Returning.run()
