// Libraries for web applications, with their defaults: from a registration to a browser that comes back signed in.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type Json, type Provider, startProvider } from './support/provider.js'
import { type WebApplication, authJs, fastify, passport, startWebApplication } from './support/web-applications.js'

const web = suite<{ provider: Provider }>('libraries for web applications')

web.before(async (context) => {
  context.provider = await startProvider({ CLIENTELE_ALLOW_OPEN_REGISTRATION: 'true' })
})
web.after(({ provider }) => provider.stop())

type Visited = { readonly application: WebApplication; readonly at: (path: string) => Promise<Json> }

/** Signs in once, so that both pages are shown. */
const signedIn = async (
  provider: Provider,
  application: WebApplication,
): Promise<{ readonly user: Json } & Visited> => {
  const endUser = provider.endUser(undefined, application.base)
  const visit = async (path: string, requested: ReadonlyArray<string>): Promise<Json> => {
    const arrival = await endUser.visit(application.base + path)
    assert.equal([arrival.status, arrival.requested], [200, requested], arrival.page)
    return JSON.parse(arrival.page) as Json
  }
  const user = await visit('/login', ['login', 'consent'])
  return { user, application, at: (path) => visit(path, []) }
}

web('passport-openidconnect', async ({ provider }) => {
  const application = await startWebApplication(provider, '/callback', passport)
  try {
    const { user, at } = await signedIn(provider, application)
    assert.type(user['id'], 'string')
    assert.is((await at('/login'))['id'], user['id'], 'no page is shown again')
  } finally {
    await application.stop()
  }
})

web('@fastify/oauth2, with a refresh and a revocation', async ({ provider }) => {
  const application = await startWebApplication(provider, '/callback', fastify)
  try {
    const { user, at } = await signedIn(provider, application)
    assert.type(user['sub'], 'string')
    assert.is(await provider.isActive(user['access_token']), true)
    assert.equal(await at(`/revoke?access_token=${String(user['access_token'])}`), { revoked: true })
    assert.is(await provider.isActive(user['access_token']), false)
    const again = await at('/login')
    assert.is(again['sub'], user['sub'])
    await application.end({ accessToken: again['access_token'], refreshToken: again['refresh_token'] })
  } finally {
    await application.stop()
  }
})

web('@auth/core', async ({ provider }) => {
  const application = await startWebApplication(provider, '/auth/callback/clientele', authJs)
  try {
    const { user, at } = await signedIn(provider, application)
    assert.type(user['expires'], 'string')
    assert.ok(user['user'] !== undefined, JSON.stringify(user))
    assert.equal((await at('/login'))['user'], user['user'], 'no page is shown again')
  } finally {
    await application.stop()
  }
})

web.run()
