// react-oidc-context and angular-auth-oidc-client in a real browser, as their first pages show them, from the login to the state
// after the logout.
import type { Browser, Page } from 'playwright-core'
import * as assert from 'uvu/assert'
import { browserSuite, openPage } from '../browser/support/browser.js'
import { type Site, openSite } from '../browser/support/loopback-site.js'
import { register } from '../support/requests.js'
import { type Framework, scriptOf } from './support/framework-pages.js'
import { type Provider, startProvider } from './support/provider.js'

const frameworks = browserSuite('applications of frameworks at the authorization server')

type Given = { client_id: string; authority: string }

const pageOf = (given: Given): string =>
  `<!doctype html><title>RP</title><main></main><script>window.given = ${JSON.stringify(given)}</script><script src="/app.js"></script>`

const openApplication = async (framework: Framework, given: Given): Promise<Site> => {
  const script = await scriptOf(framework)
  return openSite(({ path }) =>
    path === '/app.js' ? { html: script, headers: { 'Content-Type': 'text/javascript' } } : { html: pageOf(given) },
  )
}

const tokenOf = (page: Page): Promise<unknown> => page.evaluate('window.accessToken()')

/** The first access token that is another one: the library renews it by itself. */
const renewed = async (page: Page, before: unknown): Promise<unknown> => {
  for (let waited = 0; waited < 100; waited += 1) {
    const token = await tokenOf(page)
    if (token !== before && typeof token === 'string' && token !== '') return token
    await page.waitForTimeout(250)
  }
  throw new Error('no access token was renewed')
}

const useApplication = async (page: Page, origin: string, provider: Provider): Promise<void> => {
  const { service, developer, introspect, isActive } = provider
  await page.goto(`${origin}/`)
  await page.click('#log-in')
  await page.waitForURL(`${service.base}/interaction/**`)
  await page.fill('#username', developer.username)
  await page.fill('#password', developer.password)
  await page.click('button[value="sign-in"]')
  await page.click('button[value="allow"]')
  const shown = await page.textContent('#sub')
  const first = await tokenOf(page)
  const { active, sub } = await introspect(first)
  assert.equal([active, sub], [true, shown])
  const second = await renewed(page, first)
  assert.is(await isActive(second), true)
  assert.is(new URL(page.url()).origin, origin, 'no page of the service was shown')
  await page.click('#log-out')
  await page.click('button[value="logout"]')
  await page.waitForSelector('#log-in')
  assert.is(new URL(page.url()).origin, origin)
  for (const token of [first, second]) assert.is(await isActive(token), false)
}

const withApplication = async (browser: Browser, framework: Framework, lifetime: number): Promise<void> => {
  const given = { client_id: '', authority: '' }
  const provider = await startProvider({ CLIENTELE_ACCESS_TOKEN_LIFETIME: String(lifetime) })
  const site = await openApplication(framework, given)
  const { json } = await register(provider.service, {
    client_name: framework,
    redirect_uris: [`${site.origin}/`],
    post_logout_redirect_uris: [`${site.origin}/`],
    grant_types: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_method: 'none',
  })
  Object.assign(given, { client_id: json['client_id'], authority: provider.service.base })
  try {
    await useApplication(await openPage(browser), site.origin, provider)
  } finally {
    await site.close()
    await provider.stop()
  }
}

// Each renews some seconds after the sign-in: the one a minute before the end of the token, the other half a minute.
const lifetimes: Readonly<Record<Framework, number>> = { 'react-oidc-context': 64, 'angular-auth-oidc-client': 34 }

for (const [framework, lifetime] of Object.entries(lifetimes))
  frameworks(`${framework}: login, consent, claims, a renewal by itself, and a logout`, (browser) =>
    withApplication(browser, framework as Framework, lifetime),
  )

frameworks.run()
