// ID tokens of one end-user in the browser of another.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { scope, signIn, silently } from './support/journey.js'
import { openidClient6 } from './support/openid-client-6.js'
import { type Provider, startProvider } from './support/provider.js'

const users = suite<{ provider: Provider }>('two end-users at the authorization server')

users.before(async (context) => {
  context.provider = await startProvider({ CLIENTELE_ALLOW_OPEN_REGISTRATION: 'true' })
})
users.after(({ provider }) => provider.stop())

for (const answer of ['logout', 'stay'] as const)
  users(`a hint of the other end-user never redirects: ${answer}`, async ({ provider }) => {
    const client = await openidClient6(provider)
    const one = provider.endUser(provider.developer)
    const other = provider.endUser(provider.other)
    const ofOne = await signIn(client, one)
    const ofOther = await signIn(client, other)
    assert.not.equal(ofOne.sub, ofOther.sub)
    const arrival = await other.visit(await client.logoutUrl(ofOne, 'x'), { logout: answer })
    assert.is(arrival.end, undefined, 'the browser goes to the application')
    assert.is(await silently(client, one), null, 'the end-user of the hint is signed out')
    assert.is(await provider.isActive(ofOne.access_token), true)
    if (answer === 'stay' || !arrival.requested.includes('logout')) {
      assert.is(await silently(client, other), null, 'the end-user of the browser is signed out')
      assert.is(await provider.isActive(ofOther.access_token), true)
    }
  })

users('a sign-in of the other end-user in the same browser is for the other alone', async ({ provider }) => {
  const client = await openidClient6(provider)
  const browser = provider.endUser(provider.developer)
  const first = await signIn(client, browser)
  const { url, finish } = await client.begin({ scope, prompt: 'login' })
  const { end } = await browser.visit(url, {}, provider.other)
  if (end === undefined) throw new Error('the browser does not go to the application')
  const second = await finish(end)
  assert.not.equal(second.sub, first.sub)
  assert.is(await provider.isActive(first.access_token), false, 'a token outlives its session')
  const arrival = await browser.visit(await client.logoutUrl(first, 'x'), { logout: 'stay' })
  assert.is(arrival.end, undefined)
  assert.is(await silently(client, browser), null)
})

users.run()
