// oidc-client-ts in a real browser: an application without a server, from the login to the state after the logout.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import * as assert from 'uvu/assert'
import { browserSuite, openPage } from '../browser/support/browser.js'
import { type Site, openSite } from '../browser/support/loopback-site.js'
import { register } from '../support/requests.js'
import type { Account } from './support/end-user.js'
import { type Provider, startProvider } from './support/provider.js'

const spa = browserSuite('a single-page application at the authorization server')

const entry = createRequire(import.meta.url).resolve('oidc-client-ts')
const library = readFileSync(join(dirname(entry), '..', 'browser', 'oidc-client-ts.min.js'), 'utf8')

type Application = { readonly site: Site; readonly settings: { clientId: string; authority: string } }

// The library renews by its refresh token, or by a frame where that is what the test wants.
const pageOf = ({ clientId, authority }: Application['settings'], action: string): string => `<!doctype html>
<title>RP</title><script src="/library.js"></script><script>
const at = (path) => location.origin + path
window.manager = new oidc.UserManager({
  authority: ${JSON.stringify(authority)}, client_id: ${JSON.stringify(clientId)},
  redirect_uri: at('/callback'), silent_redirect_uri: at('/silent'), post_logout_redirect_uri: at('/left'),
  scope: 'openid profile', loadUserInfo: true, automaticSilentRenew: false, silentRequestTimeoutInSeconds: 5,
  revokeTokensOnSignout: true,
})
window.outcome = undefined
const tell = (promise) => promise.then((value) => { window.outcome = { value } }, (error) => { window.outcome = { error: error.error || String(error) } })
${action}
</script>`

const actions: Readonly<Record<string, string>> = {
  '/callback': 'tell(manager.signinRedirectCallback())',
  '/silent': 'manager.signinSilentCallback()',
  '/left': 'tell(manager.signoutRedirectCallback().then(({ userState }) => userState))',
}

const openApplication = async (): Promise<Application> => {
  const settings = { clientId: '', authority: '' }
  const site = await openSite(({ path }) => {
    const [name = ''] = path.split('?')
    return name === '/library.js'
      ? { html: library, headers: { 'Content-Type': 'text/javascript' } }
      : { html: pageOf(settings, actions[name] ?? '') }
  })
  return { site, settings }
}

type Outcome = { readonly value?: Readonly<Record<string, unknown>>; readonly error?: string }

const outcome = async (page: Page): Promise<Outcome> => {
  await page.waitForFunction('window.outcome')
  return page.evaluate('JSON.parse(JSON.stringify(window.outcome))')
}

const outcomeOf = async (page: Page, action: string): Promise<Outcome> => {
  await page.evaluate(`(window.outcome = undefined, void tell(${action}))`)
  return outcome(page)
}

const signIn = async (page: Page, { username, password }: Account): Promise<void> => {
  await page.fill('#username', username)
  await page.fill('#password', password)
  await page.click('button[value="sign-in"]')
}

const firstParty = 'of-the-operator'

const withApplication = async (
  browser: Browser,
  clientId: string,
  use: (page: Page, origin: string, provider: Provider) => Promise<void>,
): Promise<void> => {
  const provider = await startProvider({ CLIENTELE_FIRST_PARTY_CLIENTS: firstParty })
  const { site, settings } = await openApplication()
  const { origin } = site
  const { json } = await register(provider.service, {
    client_name: 'Single page',
    application_type: 'web',
    preferred_client_id: clientId,
    redirect_uris: [`${origin}/callback`, `${origin}/silent`],
    post_logout_redirect_uris: [`${origin}/left`],
    grant_types: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_method: 'none',
  })
  Object.assign(settings, { clientId: json['client_id'], authority: provider.service.base })
  try {
    await use(await openPage(browser), origin, provider)
  } finally {
    await site.close()
    await provider.stop()
  }
}

const signInAt = async (page: Page, origin: string, provider: Provider): Promise<void> => {
  await page.goto(`${origin}/`)
  assert.is((await outcomeOf(page, 'manager.signinSilent()')).error, 'login_required')
  await page.evaluate(`void manager.signinRedirect()`)
  await page.waitForURL(`${provider.service.base}/interaction/**`)
  await signIn(page, provider.developer)
}

const signedIn = async (page: Page, origin: string): Promise<NonNullable<Outcome['value']>> => {
  await page.waitForURL(`${origin}/callback?**`)
  const { value, error } = await outcome(page)
  if (value === undefined) throw new Error(error)
  return value
}

const inFrame = 'manager.signinSilent({ forceIframeAuth: true })'

spa('oidc-client-ts: login, claims, a refresh, silent state, and a logout with both answers', (browser) =>
  withApplication(browser, firstParty, async (page, origin, provider) => {
    await signInAt(page, origin, provider)
    const { access_token, profile } = await signedIn(page, origin)
    assert.is(await provider.isActive(access_token), true)

    const refreshed = await outcomeOf(page, 'manager.signinSilent()')
    assert.is(refreshed.error, undefined)
    assert.not.equal(refreshed.value?.['access_token'], access_token)
    const framed = await outcomeOf(page, inFrame)
    assert.is(framed.error, undefined)
    const subOf = (claims: unknown): unknown => Object(claims).sub
    assert.is(subOf(framed.value?.['profile']), subOf(profile))

    for (const answer of ['stay', 'logout']) {
      await page.evaluate(`void manager.signoutRedirect({ state: ${JSON.stringify(answer)} })`)
      await page.click(`button[value="${answer}"]`)
      await page.waitForURL(`${origin}/left?**`)
      assert.equal(await outcome(page), { value: answer })
      assert.is(await provider.isActive(refreshed.value?.['access_token']), false)
      const { error: silent } = await outcomeOf(page, 'manager.signinSilent()')
      assert.is(silent, answer === 'stay' ? undefined : 'login_required')
    }
    assert.is(await provider.isActive(access_token), false)
  }),
)

// RFC 8252 §8.6: another program on the device may have the same client_id
spa('an application on loopback that is not of the operator asks for consent each time, also silently', (browser) =>
  withApplication(browser, 'of-anybody', async (page, origin, provider) => {
    await signInAt(page, origin, provider)
    await page.click('button[value="allow"]')
    await signedIn(page, origin)
    assert.is((await outcomeOf(page, 'manager.signinSilent()')).error, undefined)
    assert.is((await outcomeOf(page, inFrame)).error, 'consent_required')
  }),
)

spa.run()
