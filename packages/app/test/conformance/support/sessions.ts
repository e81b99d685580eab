// Modules about requests in a browser that has a session: OpenID Core §3.1.2.1.
import * as assert from 'uvu/assert'
import { type Flow, type Parameters, errorOf, flow, random } from './flow.js'
import type { Module } from './plan.js'

const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds))

const authTime = ({ idToken }: Flow): number => {
  const at = idToken.claims['auth_time']
  assert.type(at, 'number')
  return Number(at)
}

/** OpenID Core §3.1.2.6: errors that say that a page would be necessary. */
const needsPage = ['login_required', 'interaction_required', 'consent_required', 'account_selection_required']

export const promptNoneNotLoggedIn: Module = async (op) => {
  const error = await errorOf(op, await op.client(), op.browser(), { prompt: 'none', state: random(96) })
  assert.ok(needsPage.includes(error), error)
}

type Second = (first: Flow) => Parameters

/** Two requests in one browser, of which the second makes no page. */
const sameAuthentication =
  (first: Parameters, second: Second): Module =>
  async (op) => {
    const client = await op.client()
    const browser = op.browser()
    const before = await flow(op, client, browser, first)
    const after = await flow(op, client, browser, second(before))
    assert.equal(after.requested, [])
    assert.is(after.idToken.claims.sub, before.idToken.claims.sub)
    assert.is(after.idToken.claims['auth_time'], before.idToken.claims['auth_time'])
    if (first['max_age'] !== undefined) assert.is(authTime(after), authTime(before))
  }

export const promptNoneLoggedIn = sameAuthentication({}, () => ({ prompt: 'none' }))
export const idTokenHint = sameAuthentication({}, ({ idToken }) => ({ prompt: 'none', id_token_hint: idToken.text }))
export const maxAge10000 = sameAuthentication({ max_age: '15000' }, () => ({ max_age: '10000' }))

/** Two requests in one browser, of which the second demands a new login. */
const newAuthentication =
  (parameters: Parameters, wait: number): Module =>
  async (op) => {
    const client = await op.client()
    const browser = op.browser()
    const before = await flow(op, client, browser, { max_age: '10000' })
    await pause(wait)
    const after = await flow(op, client, browser, parameters)
    assert.ok(after.requested.includes('login'), after.requested.join())
    assert.is(after.idToken.claims.sub, before.idToken.claims.sub)
    if (parameters['max_age'] !== undefined || 'auth_time' in after.idToken.claims) {
      assert.ok(authTime(after) > authTime(before))
      assert.ok(Math.abs(authTime(after) * 1000 - Date.now()) < 60_000)
    }
  }

export const promptLogin = newAuthentication({ prompt: 'login' }, 1_100)
export const maxAge1 = newAuthentication({ max_age: '1' }, 2_100)
