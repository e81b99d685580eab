// The OpenID conformance suite's plan for Front-Channel Logout, module by module under its own names.
import * as assert from 'uvu/assert'
import type { Page } from './support/browser.js'
import { backUri } from './support/logout-service.js'
import { type LogoutWorld, requested, isConfirmation, isSignedOut, logoutSuite } from './support/logout-world.js'

const frontUri = 'https://rp.example/front?tenant=1'

const { test, it } = logoutSuite(
  'oidcc-frontchannel-rp-initiated-logout-certification-test-plan',
  {},
  {
    client_name: 'Front',
    frontchannel_logout_uri: frontUri,
    frontchannel_logout_session_required: true,
  },
)

const unescaped = (text: string): string => text.replaceAll('&amp;', '&').replaceAll('&#x2F;', '/')

const framesOf = ({ html }: Page): ReadonlyArray<string> =>
  [...html.matchAll(/<iframe[^>]* src="([^"]*)"/g)].map(([, uri = '']) => unescaped(uri))

const signOut = async ({ service, client, browser }: LogoutWorld): Promise<Page> => {
  const id_token_hint = await service.idToken(client)
  const confirmation = await browser.get(requested({ id_token_hint, post_logout_redirect_uri: backUri, state: 's' }))
  return browser.answer(isConfirmation(confirmation), 'logout')
}

it('oidcc-frontchannel-logout-discovery-endpoint-verification', async ({ service }) => {
  const metadata: unknown = await (await fetch(`${service.base}/.well-known/openid-configuration`)).json()
  const reported = Object.fromEntries(
    Object.entries(metadata ?? {}).filter(([name]) => /^frontchannel|^end_session/.test(name)),
  )
  assert.equal(reported, {
    end_session_endpoint: `${service.base}/logout`,
    frontchannel_logout_supported: true,
    frontchannel_logout_session_supported: true,
  })
})

it('oidcc-frontchannel-rp-initiated-logout', async (world) => {
  const page = await signOut(world)
  assert.is(page.status, 200)
  const [frame = '', ...more] = framesOf(page)
  assert.equal(more, [])
  assert.ok(frame.startsWith(`${frontUri}&`))
  assert.equal(
    [...new URL(frame).searchParams],
    [
      ['tenant', '1'],
      ['iss', world.service.base],
      ['sid', world.session.sid],
    ],
  )
  assert.match(page.headers.get('content-security-policy') ?? '', /; frame-src https:\/\/rp\.example; /)
  // Then the redirect, by Refresh and by a link.
  assert.match(page.headers.get('refresh') ?? '', /^\d+; url=/)
  assert.is((page.headers.get('refresh') ?? '').split('url=')[1], `${backUri}?state=s`)
  assert.ok(unescaped(page.html).includes(`href="${backUri}?state=s"`))
  await isSignedOut(world)
})

it('a client that asks for no names gets its URI as it is, and staying loads nothing', async (world) => {
  const plain = await world.service.register({
    redirect_uris: ['https://plain.example/callback'],
    frontchannel_logout_uri: 'https://plain.example/out',
  })
  await world.service.join(world.session, plain)
  const confirmation = isConfirmation(await world.browser.get('/logout'))
  assert.equal(framesOf(await world.browser.answer(confirmation, 'stay')), [])
  const page = await signOut(world)
  assert.ok(framesOf(page).includes('https://plain.example/out'))
  assert.match(
    page.headers.get('content-security-policy') ?? '',
    /; frame-src https:\/\/rp\.example https:\/\/plain\.example; /,
  )
})

it('a host that no parser of URLs takes does not hurt', async (world) => {
  const odd = await world.service.register({
    redirect_uris: ['https://xn--a.example/callback'],
    post_logout_redirect_uris: ['https://xn--a.example/out'],
    frontchannel_logout_uri: 'https://xn--a.example/front',
    client_name: 'Odd',
  })
  await world.service.join(world.session, odd)
  const id_token_hint = await world.service.idToken(odd)
  const parameters = { id_token_hint, post_logout_redirect_uri: 'https://xn--a.example/out' }
  const page = await world.browser.answer(isConfirmation(await world.browser.get(requested(parameters))), 'logout')
  assert.is(page.status, 200)
  assert.ok(framesOf(page).includes('https://xn--a.example/front'))
})

test.run()
