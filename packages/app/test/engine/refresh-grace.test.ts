// RFC 9700 §4.14.2 with answers that are lost.
import * as client from 'openid-client'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { Browser } from './support/browser.js'
import { confidential, configured, introspected, refused, signIn } from './support/relying-party.js'
import { type World, startTwo, stopTwo } from '../support/two-services.js'

const grace = suite<{ world: World }>('a refresh token in its grace')

grace.before(async (context) => {
  context.world = await startTwo({
    engine: 'oidc-provider',
    'registration-status': '201',
    'refresh-token-grace': '60',
  })
})
grace.after(({ world }) => stopTwo(world))

grace('it is good again after a lost answer, until its successor is used', async ({ world: { one } }) => {
  const application = await configured(one, confidential)
  const { tokens } = await signIn(one, application, new Browser())
  const rotate = (token: string | undefined) => client.refreshTokenGrant(application.config, String(token))
  await rotate(tokens.refresh_token)
  const second = await rotate(tokens.refresh_token)
  const third = await rotate(second.refresh_token)
  assert.is((await introspected(application, third.access_token)).active, true)
  assert.is(await refused(rotate(tokens.refresh_token)), 'invalid_grant')
  assert.is(await refused(rotate(third.refresh_token)), 'invalid_grant')
})

grace.run()
