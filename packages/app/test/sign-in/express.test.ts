// express-openid-connect: a web application whose browser goes through the pages of the service and comes back.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Answers } from './support/end-user.js'
import { type ExpressApplication, startExpressApplication } from './support/express-application.js'
import { type Json, type Provider, endRegistration, startProvider } from './support/provider.js'

const web = suite<{ provider: Provider; application: ExpressApplication }>('express-openid-connect')

web.before(async (context) => {
  context.provider = await startProvider()
  context.application = await startExpressApplication(context.provider)
})
web.after(async ({ provider, application }) => {
  await application.stop()
  await provider.stop()
})

web('login, claims, refresh, logout with both answers, and its removal', async ({ provider, application }) => {
  const endUser = provider.endUser(undefined, application.base)
  const at = async (path: string, requested: ReadonlyArray<string> = [], answers?: Answers): Promise<Json> => {
    const arrival = await endUser.visit(application.base + path, answers)
    assert.equal([arrival.status, arrival.requested], [200, requested], arrival.page)
    return JSON.parse(arrival.page) as Json
  }
  assert.equal(await at('/'), { in: false })
  const { sub } = await at('/login', ['login', 'consent'])
  assert.type(sub, 'string')
  assert.is((await at('/user-info'))['sub'], sub)
  const first = await at('/tokens')
  const second = await at('/refresh')
  assert.not.equal(second['refresh_token'], first['refresh_token'])
  assert.is(await provider.isActive(second['access_token']), true)

  assert.equal(await at('/logout', ['logout'], { logout: 'stay' }), { in: false })
  assert.is(await provider.isActive(second['access_token']), true)
  assert.equal(await at('/login'), { in: true, sub }, 'a form is shown again')
  assert.equal(await at('/logout', ['logout'], { logout: 'logout' }), { in: false })
  assert.is(await provider.isActive(second['access_token']), false)
  assert.equal(await at('/login', ['login']), { in: true, sub })

  const { access_token, refresh_token } = await at('/tokens')
  await endRegistration(provider, application.registered, application.metadata, {
    accessToken: access_token,
    refreshToken: refresh_token,
  })
  assert.is((await endUser.visit(`${application.base}/user-info`)).status, 401)
})

web.run()
