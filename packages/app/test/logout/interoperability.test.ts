// Logout requests of two client libraries, and whether they accept the post-logout redirect.
import { InMemoryWebStorage, OidcClient, WebStorageStateStore } from 'oidc-client-ts'
import * as openid from 'openid-client'
import * as assert from 'uvu/assert'
import { backUri } from './support/logout-service.js'
import { type LogoutWorld, isConfirmation, isSignedIn, isSignedOut, logoutSuite } from './support/logout-world.js'

const { test, it } = logoutSuite('logout with real clients')

const answered = async ({ browser }: LogoutWorld, url: string, answer: string): Promise<string> => {
  const { pathname, search } = new URL(url)
  const page = await browser.answer(isConfirmation(await browser.get(pathname + search)), answer)
  assert.is(page.status, 303)
  return page.headers.get('location') ?? ''
}

it('openid-client 6: buildEndSessionUrl', async (world) => {
  const { service, client } = world
  const configuration = await openid.discovery(new URL(service.base), client.client_id, undefined, undefined, {
    execute: [openid.allowInsecureRequests],
  })
  const url = openid.buildEndSessionUrl(configuration, {
    id_token_hint: await service.idToken(client),
    post_logout_redirect_uri: backUri,
    state: 'of openid-client',
  })
  assert.is(await answered(world, url.href, 'stay'), `${backUri}?state=of%20openid-client`)
  await isSignedIn(world)
  await answered(world, url.href, 'logout')
  await isSignedOut(world)
})

it('oidc-client-ts 3: createSignoutRequest, and processSignoutResponse finds its state', async (world) => {
  const { service, client } = world
  const stateStore = new WebStorageStateStore({ store: new InMemoryWebStorage() })
  const oidc = new OidcClient({
    authority: service.base,
    client_id: client.client_id,
    redirect_uri: 'https://rp.example/callback',
    post_logout_redirect_uri: backUri,
    stateStore,
  })
  const { url } = await oidc.createSignoutRequest({
    id_token_hint: await service.idToken(client, { sid: world.session.sid }),
    state: { page: '/settings?tab=1#top' },
  })
  const response = await oidc.processSignoutResponse(await answered(world, url, 'logout'))
  assert.equal(response.userState, { page: '/settings?tab=1#top' })
  await isSignedOut(world)
})

test.run()
