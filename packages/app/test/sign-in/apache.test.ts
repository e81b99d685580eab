// Apache mod_auth_openidc, from its own registration to the end of its tokens. Skipped where it is not installed.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { issueToken } from '../support/requests.js'
import type { Arrival } from './support/end-user.js'
import { isApacheInstalled, startApache } from './support/apache.js'
import { type Json, type Registered, endRegistration, startProvider } from './support/provider.js'

const apache = suite('Apache mod_auth_openidc')
const it = (title: string, test: () => Promise<void>): unknown =>
  isApacheInstalled ? apache(title, test) : apache.skip(title)

it('it registers, signs in, refreshes, and signs out with both answers', async () => {
  const provider = await startProvider()
  const { service } = provider
  const server = await startApache(service.base, await issueToken(service, 'client-reg'))
  try {
    const endUser = provider.endUser(undefined, server.base)
    const page = `${server.base}/secure/`
    // The module asks which provider it is, and then discovers it.
    const signIn = async (): Promise<Arrival> => {
      const choice = await endUser.visit(page)
      const [, x_csrf = ''] = /name="x_csrf" value="([^"]+)"/.exec(choice.page) ?? []
      const chosen = new URLSearchParams({ iss: service.base, target_link_uri: page, x_csrf })
      return endUser.visit(`${page}redirect_uri?${chosen.toString()}`)
    }
    const arrival = await signIn()
    assert.equal([arrival.page, arrival.requested], ['for end-users', ['login', 'consent']], server.log())
    const info = async (more = ''): Promise<Json> =>
      JSON.parse((await endUser.visit(`${page}redirect_uri?info=json${more}`)).page) as Json
    const first = await info()
    assert.type(Object(first['userinfo']).sub, 'string')
    await new Promise((resolve) => setTimeout(resolve, 1100))
    const second = await info('&access_token_refresh_interval=1')
    assert.not.equal(second['refresh_token'], first['refresh_token'])
    assert.is(await provider.isActive(second['access_token']), true)

    const leave = `${page}redirect_uri?logout=${encodeURIComponent(`${server.base}/left.html`)}`
    for (const logout of ['stay', 'logout'] as const) {
      const answered = await endUser.visit(leave, { logout })
      assert.equal(answered.requested, ['logout'], server.log())
      const left = logout === 'stay' ? answered : await endUser.visit(linkIn(answered.page))
      assert.is(left.page, 'left')
      assert.is(await provider.isActive(second['access_token']), false, 'the module revokes its tokens')
      const again = await signIn()
      assert.equal([again.page, again.requested], ['for end-users', logout === 'stay' ? [] : ['login']])
    }
    const { access_token, refresh_token } = await info()
    const registration = server.registration()
    const registered: Registered = { ...registration, client_id: String(registration['client_id']) }
    const metadata = { redirect_uris: [`${page}redirect_uri`], grant_types: ['authorization_code', 'refresh_token'] }
    await endRegistration(provider, registered, metadata, {
      accessToken: access_token,
      refreshToken: refresh_token,
    })
  } finally {
    await server.stop()
    await provider.stop()
  }
})

// OpenID Connect Front-Channel Logout 1.0 §3: the browser loads the frame of the module, and then goes back.
const linkIn = (page: string): string => {
  assert.match(page, /<iframe src="[^"]+\/secure\/redirect_uri\?logout=get"/)
  const [, back = ''] = /<a class="button first" href="([^"]+)"/.exec(page) ?? []
  return back
}

apache.run()
