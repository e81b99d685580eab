// Several providers side by side, at the composed service: two OpenID providers, and an OAuth 2.0 server in GitHub's manner.
import { allowingNetworks } from '@clientele/adapters-outbound'
import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as client from 'openid-client'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import {
  clientSecret as forgeSecret,
  endpointsAt,
  startOAuthServer,
} from '../../../adapters-login/test/support/oauth-server.js'
import { clientSecret, startOpenIdProvider } from '../../../adapters-login/test/support/openid-provider.js'
import { type TlsServer, certificate, createBrowser } from '../../../adapters-login/test/support/tls-server.js'
import { freePort } from '../../../adapters-postgresql/test/support/free-port.js'
import type { Service } from '../../src/compose.js'
import { createLog } from '../../src/observing/log.js'
import { started } from '../cli/run.js'
import { type Application, confidential, configured } from '../engine/support/relying-party.js'
import { type Browser, type Page, openBrowser } from '../logout/support/browser.js'
import { discard, newDataDir } from '../support/service.js'
import { masterToken } from '../support/two-services.js'

type World = {
  readonly directory: string
  readonly lines: Array<string>
  readonly providers: Readonly<Record<'one' | 'two' | 'forge', TlsServer>>
  readonly service: Service
  readonly application: Application
}

const several = suite<World>('several providers')

const firstParty = { ...confidential, preferred_client_id: 'the-first-application' }

const startProvider = (base: string, id: string): Promise<TlsServer> =>
  startOpenIdProvider(0, undefined, {
    redirect_uris: [`${base}/login/callback/${id}`],
    post_logout_redirect_uris: [`${base}/logout`],
  })

several.before(async (context) => {
  const port = await freePort()
  const base = `http://localhost:${port}`
  const [one, two, forge] = await Promise.all([
    startProvider(base, 'one'),
    startProvider(base, 'two'),
    startOAuthServer(),
  ])
  const directory = newDataDir()
  const fileOf = (name: string, secret: string): string => {
    const path = join(directory, name)
    writeFileSync(path, `${secret}\n`)
    return path
  }
  const registered = { client_id: 'clientele', client_secret_file: fileOf('openid-secret', clientSecret) }
  const upstreams = {
    one: { ...registered, name: 'First', issuer: one.origin },
    two: { ...registered, name: 'Second', issuer: two.origin },
    away: { ...registered, name: 'Away', issuer: `https://localhost:${await freePort()}` },
    forge: {
      preset: 'github',
      issuer: forge.origin,
      ...endpointsAt(forge.origin),
      client_id: 'clientele',
      client_secret_file: fileOf('forge-secret', forgeSecret),
    },
  }
  const flags = {
    'data-dir': directory,
    'master-token': masterToken,
    engine: 'oidc-provider',
    'registration-status': '201',
    port: String(port),
    'base-url': base,
    login: 'upstream',
    upstreams: JSON.stringify(upstreams),
    'first-party-clients': firstParty.preferred_client_id,
    'claims-in-id-token': 'true',
  }
  const lines: Array<string> = []
  const log = createLog('info', { write: (line) => lines.push(line) > 0, writableLength: 0 })
  const outbound = { ca: certificate, allowsAddress: allowingNetworks(['127.0.0.0/8']) }
  const service = { ...(await started(flags, { outbound, log })), url: base }
  const application = await configured(service, firstParty)
  Object.assign(context, { directory, lines, providers: { one, two, forge }, service, application })
})
several.after(async ({ service, providers, directory }) => {
  await service.stop()
  for (const { stop } of Object.values(providers)) await stop()
  discard(directory)
})

const next = ({ service }: World, browser: Browser, url: string): Promise<Page> =>
  browser.get(new URL(url, service.url).href.slice(service.url.length))

const locationOf = ({ service }: World, { status, headers, html }: Page): string => {
  const location = headers.get('location')
  assert.ok(location, `${status} ${html}`)
  return new URL(location, service.url).href
}

const linkIn = ({ html }: Page, id: string): string =>
  (new RegExp(`href="([^"]*with(?:=|&#x3D;)${id})"`).exec(html)?.[1] ?? '').replaceAll('&#x2F;', '/')

/** The page on which the end-user of a new browser chooses, and the request that led there. */
const choosing = async (world: World, parameters: Readonly<Record<string, string>> = {}) => {
  const browser = openBrowser(world.service.url)
  const { url, checks } = await world.application.request({ scope: 'openid email profile', ...parameters })
  const page = await next(world, browser, locationOf(world, await next(world, browser, url)))
  assert.is(page.status, 200, page.html)
  return { browser, checks, page }
}

/** The URL of the provider that the choice leads to. */
const chosen = async (world: World, browser: Browser, page: Page, id: string): Promise<string> =>
  locationOf(world, await next(world, browser, linkIn(page, id)))

/** Signs in with one of them: the claims that the application gets. */
const signIn = async (
  world: World,
  id: keyof World['providers'],
  parameters: Readonly<Record<string, string>> = {},
) => {
  const { browser, checks, page } = await choosing(world, parameters)
  const location = await chosen(world, browser, page, id)
  let url = await createBrowser().visit(location)
  assert.match(url, `${world.service.url}/login/callback/${id}?`)
  while (url.startsWith(world.service.url)) url = locationOf(world, await next(world, browser, url))
  const tokens = await client.authorizationCodeGrant(world.application.config, new URL(url), checks)
  const claims = tokens.claims()
  assert.ok(claims)
  return { browser, claims, location }
}

const subOf = (issuer: string, sub: string): string =>
  createHash('sha256')
    .update(JSON.stringify([issuer, sub]))
    .digest('base64url')

several('the same sub of two providers is two end-users, and that of one is as with upstream-issuer', async (world) => {
  const { one, two, forge } = world.providers
  assert.is((await signIn(world, 'one')).claims.sub, subOf(one.origin, 'alice'))
  assert.is((await signIn(world, 'two')).claims.sub, subOf(two.origin, 'alice'))
  const { sub, email, email_verified, preferred_username } = (await signIn(world, 'forge')).claims
  assert.is(sub, subOf(forge.origin, '583231'))
  assert.equal([email, email_verified, preferred_username], ['octocat@example.com', true, 'octocat'])
})

// OpenID Core §3.1.2.1
several(
  'an application may want the choice of an account of each, a new authentication not of OAuth 2.0',
  async (world) => {
    const promptOf = ({ location }: { readonly location: string }) => new URL(location).searchParams.get('prompt')
    assert.is(promptOf(await signIn(world, 'forge', { prompt: 'select_account' })), 'select_account')
    const chosen = await signIn(world, 'one', { prompt: 'select_account' })
    assert.is(promptOf(chosen), 'login')
    // Google gives no auth_time, so that nothing may need it.
    assert.is(new URL(chosen.location).searchParams.get('max_age'), null)
    const anew = await signIn(world, 'one', { prompt: 'select_account login' })
    assert.equal([promptOf(anew), new URL(anew.location).searchParams.get('max_age')], ['login', '0'])
    for (const parameters of [{ prompt: 'login' }, { prompt: 'select_account login' }, { max_age: '60' }]) {
      const { browser, page } = await choosing(world, parameters)
      assert.is((await next(world, browser, linkIn(page, 'forge'))).status, 403)
    }
  },
)

several('the page names each provider, and needs no script', async (world) => {
  const { page } = await choosing(world)
  for (const name of ['First', 'Second', 'GitHub']) assert.match(page.html, name)
  assert.not.match(page.html, '<script')
  assert.match(page.headers.get('content-security-policy') ?? '', "default-src 'none'")
})

several('the end-user may leave without a choice, and the application is told', async (world) => {
  const { browser, page } = await choosing(world)
  let url = locationOf(world, await browser.answer(page, 'cancel'))
  while (!url.startsWith('https://rp.example')) url = locationOf(world, await next(world, browser, url))
  assert.is(new URL(url).searchParams.get('error'), 'access_denied')
})

// RFC 9700 §4.4: a mix-up.
several(
  'the response of one provider is refused at the redirect URI of another, and as that of another',
  async (world) => {
    for (const [begun, arrived] of [
      ['one', 'two'],
      ['one', 'forge'],
      ['forge', 'one'],
    ] as const) {
      const { browser, page } = await choosing(world)
      const returned = await createBrowser().visit(await chosen(world, browser, page, begun))
      const moved = returned.replace(`/callback/${begun}`, `/callback/${arrived}`)
      const refused = await next(world, browser, locationOf(world, await next(world, browser, moved)))
      assert.is(refused.status, 403)
      assert.match(refused.html, 'Signing in did not work')
    }
    await new Promise((resolve) => setTimeout(resolve, 20))
    assert.is(world.lines.filter((line) => line.includes('the login began with another login method')).length, 3)
  },
)

const linksOf = ({ html }: Page): ReadonlyArray<string> =>
  [...html.matchAll(/<a class="button[^"]*" href="([^"]*)"/g)].map(([, href = '']) =>
    href.replaceAll('&amp;', '&').replaceAll('&#x2F;', '/'),
  )

several('the logout leads to the provider of the session, and nowhere for plain OAuth 2.0', async (world) => {
  for (const id of ['one', 'two', 'forge'] as const) {
    const { browser } = await signIn(world, id)
    const page = await browser.answer(await browser.get('/logout'), 'logout')
    const expected = id === 'forge' ? [] : [world.providers[id].origin]
    assert.equal(
      linksOf(page).map((link) => new URL(link).origin),
      expected,
    )
  }
})

several('a provider that is away does not take the others', async (world) => {
  const { browser, page } = await choosing(world)
  const away = await next(world, browser, linkIn(page, 'away'))
  assert.is(away.status, 503)
  const [again = ''] = linksOf(away)
  const anew = await next(world, browser, again)
  assert.match(await chosen(world, browser, anew, 'two'), world.providers.two.origin)
  await signIn(world, 'one')
})

several.run()
