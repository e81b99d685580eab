// What may be used once, on two instances: RFC 6749 §4.1.2, RFC 9700 §4.14.2.
import * as client from 'openid-client'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type Balanced, startBalanced } from './support/balanced.js'
import { Browser, goThrough } from './support/browser.js'
import { type Application, confidential, configured, introspected, refused, signIn } from './support/relying-party.js'

const replays = suite<{ world: Balanced }>('codes and refresh tokens on two instances')

replays.before(async (context) => {
  context.world = await startBalanced()
})
replays.after(({ world }) => world.close())

const outcomes = async (requests: ReadonlyArray<Promise<unknown>>): Promise<ReadonlyArray<string>> =>
  Promise.all(requests.map((each) => each.then(() => 'granted').catch(() => refused(each))))

const rotate = ({ config }: Application, token: string | undefined) => client.refreshTokenGrant(config, String(token))

replays('a code that one instance issued is redeemed at the other, and the login goes on there', async ({ world }) => {
  const { one, other, service, turnTo } = world
  turnTo(one)
  const application = await configured(service, confidential)
  const { url, checks } = await application.request()
  const browser = new Browser()
  const started = await browser.open(url)
  turnTo(other)
  const interaction = new URL(String(started.headers.get('location')), url).href
  const { end } = await goThrough(browser, service, interaction)
  turnTo(one)
  const tokens = await client.authorizationCodeGrant(application.config, end ?? new URL(url), checks)
  assert.is((await introspected(application, tokens.access_token)).active, true)
  turnTo(other)
  assert.is((await introspected(application, tokens.access_token)).active, true)
})

replays('a code is redeemed once; a replay ends what it gave', async ({ world: { service } }) => {
  const application = await configured(service, confidential)
  const { url, checks } = await application.request()
  const { end } = await goThrough(new Browser(), service, url)
  assert.ok(end)
  const tokens = await client.authorizationCodeGrant(application.config, end, checks)
  assert.is(await refused(client.authorizationCodeGrant(application.config, end, checks)), 'invalid_grant')
  assert.is((await introspected(application, tokens.access_token)).active, false)
  assert.is(await refused(rotate(application, tokens.refresh_token)), 'invalid_grant')
})

replays('of several redemptions of a code at once, one succeeds', async ({ world: { service } }) => {
  const application = await configured(service, confidential)
  const { url, checks } = await application.request()
  const { end } = await goThrough(new Browser(), service, url)
  assert.ok(end)
  const all = await outcomes([1, 2, 3, 4].map(() => client.authorizationCodeGrant(application.config, end, checks)))
  assert.is(all.filter((each) => each === 'granted').length, 1, String(all))
  assert.ok(
    all.every((each) => each === 'granted' || each === 'invalid_grant'),
    String(all),
  )
})

replays('a refresh token that was used ends its family', async ({ world: { service } }) => {
  const application = await configured(service, confidential)
  const { tokens } = await signIn(service, application, new Browser())
  const second = await rotate(application, tokens.refresh_token)
  assert.is(await refused(rotate(application, tokens.refresh_token)), 'invalid_grant')
  assert.is(await refused(rotate(application, second.refresh_token)), 'invalid_grant')
  assert.is((await introspected(application, second.access_token)).active, false)
})

replays.run()
