// A standard client on the composed service: from discovery to dead tokens.
import * as client from 'openid-client'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { Browser, goThrough } from './support/browser.js'
import { callback, confidential, configured, introspected, refused, signIn } from './support/relying-party.js'
import { type World, masterToken, remove, startTwo, stopTwo } from '../support/two-services.js'

const flow = suite<{ world: World }>('an application at the authorization server')

flow.before(async (context) => {
  context.world = await startTwo({ engine: 'oidc-provider', 'registration-status': '201' })
})
flow.after(({ world }) => stopTwo(world))

flow('it is registered, signs in an end-user with PKCE, reads claims, refreshes, and is gone', async ({ world }) => {
  const { one } = world
  const application = await configured(one, confidential)
  const browser = new Browser()
  const { tokens, prompts } = await signIn(one, application, browser)
  assert.equal(prompts, ['login', 'consent'])
  const claims = tokens.claims()
  assert.is(claims?.sub, 'zoe')
  assert.type(claims?.['sid'], 'string')
  const info = await client.fetchUserInfo(application.config, tokens.access_token, 'zoe')
  assert.is(info.sub, 'zoe')
  const refreshed = await client.refreshTokenGrant(application.config, String(tokens.refresh_token))
  assert.not.equal(refreshed.refresh_token, tokens.refresh_token)
  assert.is((await introspected(application, String(refreshed.refresh_token))).active, true)
  await remove(one, application.registered)
  const other = await configured(one, confidential)
  for (const token of [tokens.access_token, String(refreshed.refresh_token)])
    assert.is((await introspected(other, token)).active, false)
  const again = await configured(one, { ...confidential, preferred_client_id: application.registered.client_id })
  assert.is(again.registered.client_id, application.registered.client_id)
  for (const token of [tokens.access_token, refreshed.access_token, String(refreshed.refresh_token)])
    assert.is((await introspected(again, token)).active, false)
  assert.is(await refused(client.refreshTokenGrant(again.config, String(refreshed.refresh_token))), 'invalid_grant')
})

flow('an end-user who is signed in is not prompted again, and a consent is remembered', async ({ world }) => {
  const { one } = world
  const application = await configured(one, confidential)
  const browser = new Browser()
  await signIn(one, application, browser)
  assert.equal((await signIn(one, application, browser)).prompts, [])
  assert.equal((await signIn(one, application, new Browser())).prompts, ['login'])
})

flow('after the logout, the session and its tokens have ended, and prompt=none says so', async ({ world }) => {
  const { one } = world
  const application = await configured(one, confidential)
  const browser = new Browser()
  const { tokens } = await signIn(one, application, browser)
  const sid = tokens.claims()?.['sid']
  const [session] = (await sessionsOf(one.url, 'zoe')).filter(({ clients }) => clients.some((each) => each.sid === sid))
  assert.ok(session, 'the session names the client by its sid')
  const headers = { Authorization: `Bearer ${masterToken}` }
  assert.is((await fetch(`${one.url}/sessions/${session.sid}`, { method: 'DELETE', headers })).status, 204)
  assert.is((await introspected(application, tokens.access_token)).active, false)
  assert.is((await introspected(application, String(tokens.refresh_token))).active, false)
  const { url } = await application.request({ prompt: 'none' })
  const { end } = await goThrough(browser, one, url)
  assert.is(end?.searchParams.get('error'), 'login_required')
  assert.ok(end?.href.startsWith(callback))
  assert.equal((await signIn(one, application, browser)).prompts, ['login'])
})

type Session = { readonly sid: string; readonly clients: ReadonlyArray<{ readonly sid: string }> }

const sessionsOf = async (url: string, sub: string): Promise<ReadonlyArray<Session>> => {
  const headers = { Authorization: `Bearer ${masterToken}` }
  const answer = await fetch(`${url}/sessions?sub=${sub}`, { headers })
  return ((await answer.json()) as { readonly sessions: ReadonlyArray<Session> }).sessions
}

flow.run()
