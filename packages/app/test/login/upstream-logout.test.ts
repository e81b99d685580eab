// The logout at the OpenID provider that authenticated the end-user: OpenID Connect RP-Initiated Logout §2 and §3.
import { allowingNetworks } from '@clientele/adapters-outbound'
import * as E from 'fp-ts/lib/Either.js'
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import * as client from 'openid-client'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { clientSecret, startOpenIdProvider } from '../../../adapters-login/test/support/openid-provider.js'
import { type TlsServer, certificate, createBrowser } from '../../../adapters-login/test/support/tls-server.js'
import { freePort } from '../../../adapters-postgresql/test/support/free-port.js'
import type { Service } from '../../src/compose.js'
import { started } from '../cli/run.js'
import { type Application, confidential, configured } from '../engine/support/relying-party.js'
import { type Browser, type Page, openBrowser } from '../logout/support/browser.js'
import { discard, newDataDir } from '../support/service.js'
import { masterToken } from '../support/two-services.js'

type World = {
  readonly directory: string
  readonly provider: TlsServer
  readonly service: Service
  readonly application: Application
}

const logout = suite<World>('logout with login upstream')

const [back = ''] = confidential.post_logout_redirect_uris
const firstParty = { ...confidential, preferred_client_id: 'the-first-application' }

logout.before(async (context) => {
  const port = await freePort()
  const base = `http://localhost:${port}`
  const provider = await startOpenIdProvider(0, undefined, {
    redirect_uris: [`${base}/login/callback`],
    post_logout_redirect_uris: [`${base}/logout`],
  })
  const directory = newDataDir()
  const flags = {
    'data-dir': directory,
    'master-token': masterToken,
    engine: 'oidc-provider',
    'registration-status': '201',
    port: String(port),
    'base-url': base,
    login: 'upstream',
    'upstream-issuer': provider.origin,
    'upstream-client-id': 'clientele',
    'upstream-client-secret': clientSecret,
    'first-party-clients': firstParty.preferred_client_id,
  }
  const outbound = { ca: certificate, allowsAddress: allowingNetworks(['127.0.0.0/8']) }
  const service = await started(flags, { outbound })
  Object.assign(context, { directory, provider, service: { ...service, url: base } })
  Object.assign(context, { application: await configured({ ...service, url: base }, firstParty) })
})
logout.after(async ({ service, provider, directory }) => {
  await service.stop()
  await provider.stop()
  discard(directory)
})

const locationOf = ({ status, headers, html }: Page): string => {
  const location = headers.get('location')
  assert.ok(location, `${status} ${html}`)
  return location
}

type SignedIn = {
  readonly browser: Browser
  readonly idToken: string
  readonly elsewhere: ReturnType<typeof createBrowser>
}

/** Follows redirects in the browser, and at the provider in its own, up to the application. */
const signIn = async ({ service, provider, application }: World): Promise<SignedIn> => {
  const browser = openBrowser(service.url)
  const elsewhere = createBrowser()
  const { url, checks } = await application.request()
  for (let next = url; ;) {
    if (next.startsWith(provider.origin)) next = await elsewhere.visit(next)
    else if (next.startsWith(service.url))
      next = new URL(locationOf(await browser.get(next.slice(service.url.length))), next).href
    else {
      const { id_token } = await client.authorizationCodeGrant(application.config, new URL(next), checks)
      return { browser, elsewhere, idToken: String(id_token) }
    }
  }
}

const signOut = async (browser: Browser, parameters: Readonly<Record<string, string>>): Promise<Page> => {
  const confirmation = await browser.get(`/logout?${new URLSearchParams(parameters).toString()}`)
  return browser.answer(confirmation, 'logout')
}

const linksOf = ({ html }: Page): ReadonlyArray<string> =>
  [...html.matchAll(/<a class="button[^"]*" href="([^"]*)"/g)].map(([, href = '']) =>
    href.replaceAll('&amp;', '&').replaceAll('&#x2F;', '/'),
  )

const sessionsOf = async ({ service }: World, idToken: string): Promise<number> => {
  const { sub } = JSON.parse(Buffer.from(idToken.split('.')[1] ?? '', 'base64url').toString())
  const headers = { Authorization: `Bearer ${masterToken}` }
  const answer = await fetch(`${service.url}/sessions?sub=${encodeURIComponent(sub)}`, { headers })
  return ((await answer.json()) as { readonly sessions: ReadonlyArray<unknown> }).sessions.length
}

logout('the page offers the logout at the provider, which knows the end-user and leads back here', async (world) => {
  const { service, provider } = world
  const { browser, idToken, elsewhere } = await signIn(world)
  const page = await signOut(browser, { id_token_hint: idToken, post_logout_redirect_uri: back })
  assert.is(page.status, 200, page.html)
  assert.is(page.headers.get('refresh'), null)
  assert.is(await sessionsOf(world, idToken), 0)
  const [toApplication, toProvider = '', ...more] = linksOf(page)
  assert.equal([toApplication, more], [back, []])
  const { origin, searchParams } = new URL(toProvider)
  assert.is(origin, provider.origin)
  const hint = searchParams.get('id_token_hint') ?? ''
  assert.equal(JSON.parse(Buffer.from(hint.split('.')[1] ?? '', 'base64url').toString()).sub, 'alice')
  searchParams.delete('id_token_hint')
  assert.equal(
    [...searchParams],
    [
      ['client_id', 'clientele'],
      ['post_logout_redirect_uri', `${service.url}/logout`],
    ],
  )
  // The provider accepts the request, and asks on its own.
  const confirmation = await elsewhere.get(toProvider)
  assert.is(confirmation.status, 200, confirmation.body)
  assert.match(confirmation.body, '<form')
  assert.match((await browser.get('/logout')).html, 'You are not signed in')
})

logout('the ID token of the provider is sealed at rest, and removed with the session', async (world) => {
  const { browser, idToken } = await signIn(world)
  const [first] = linksOf(await signOut(browser, {}))
  const hint = new URL(String(first)).searchParams.get('id_token_hint') ?? ''
  assert.ok(hint.length > 100)
  for (const name of readdirSync(world.directory).filter((each) => each.startsWith('clientele.db')))
    assert.not.ok(readFileSync(join(world.directory, name)).includes(hint.slice(0, 60)), name)
  assert.is(await sessionsOf(world, idToken), 0)
  // The same session again: there is none, and nothing is offered.
  assert.equal(linksOf(await signOut(browser, {})), [])
})

logout('an end-user who stays is not sent to the provider', async (world) => {
  const { browser, idToken } = await signIn(world)
  const stayed = await browser.answer(await browser.get('/logout'), 'stay')
  assert.not.match(stayed.html, world.provider.origin)
  assert.is(await sessionsOf(world, idToken), 1)
  await signOut(browser, {})
})

logout('the session here ends while the provider is away, and with an answer at once', async (world) => {
  const { browser, idToken } = await signIn(world)
  await world.provider.stop()
  const page = await signOut(browser, {})
  assert.is(page.status, 200)
  assert.is(await sessionsOf(world, idToken), 0)
  assert.is(linksOf(page).length, 1)
})

logout(
  'a session that began elsewhere without an end_session_endpoint has nothing to offer',
  async ({ service, application }) => {
    const { interactions } = service.provider
    assert.ok(interactions)
    const browser = openBrowser(service.url)
    const { url } = await application.request()
    const page = locationOf(await browser.get(url.slice(service.url.length)))
    const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const endUser = { sub: 'zoe' as never, claims: {}, auth_time: 1 as never }
    const answered = await interactions.answerInteraction(
      page.slice(page.lastIndexOf('/') + 1),
      { cookie },
      { answer: 'signed_in', endUser },
    )()
    assert.ok(E.isRight(answered))
    const [session = ''] = answered.right.setCookies
    const signedOut = await signOut(openBrowser(service.url, [session.split(';')[0] ?? '']), {})
    assert.match(signedOut.html, 'You are signed out')
    assert.equal(linksOf(signedOut), [])
  },
)

logout.run()
