// The applications that a logout page lists beside the one that asked.
import * as assert from 'uvu/assert'
import { backUri } from './support/logout-service.js'
import { isConfirmation, logoutSuite, requested } from './support/logout-world.js'

const uri = 'https://rp.example/front'
const { test, it } = logoutSuite('other applications', {}, { client_name: 'Asking', frontchannel_logout_uri: uri })

const countOf = (html: string, text: string): number => html.split(text).length - 1

it('the application that asked is named once, and not among those that end as well', async (world) => {
  const { service, session, client, browser } = world
  const other = await service.register({ client_name: 'Another', frontchannel_logout_uri: 'https://rp.example/other' })
  await service.join(session, other)
  const id_token_hint = await service.idToken(client)
  const path = requested({ id_token_hint, post_logout_redirect_uri: backUri })
  const confirmation = isConfirmation(await browser.get(path))
  assert.match(confirmation.html, 'Signing out also signs you out of:')
  const signedOut = await browser.answer(confirmation, 'logout')
  assert.match(signedOut.html, 'You are also being signed out of:')
  for (const { html } of [confirmation, signedOut])
    assert.equal([countOf(html, 'Asking'), countOf(html, 'Another')], [1, 1])
})

it('without another application there is no such list', async ({ service, client, browser }) => {
  const id_token_hint = await service.idToken(client)
  const path = requested({ id_token_hint, post_logout_redirect_uri: backUri })
  const confirmation = isConfirmation(await browser.get(path))
  assert.not.match(confirmation.html, 'also signs you out')
})

it('without a way back, the application is among those that are listed', async ({ browser }) => {
  const confirmation = isConfirmation(await browser.get('/logout'))
  assert.match(confirmation.html, 'Signing out also signs you out of:')
  assert.is(countOf(confirmation.html, 'Asking'), 1)
})

test.run()
