// What libraries expect beyond the defaults: the choice of an account, claims in the ID token, a popup with its opener, and a
// logout by an encrypted ID token.
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Service } from '../../src/compose.js'
import { post, started } from '../cli/run.js'
import { openBrowser } from '../logout/support/browser.js'
import { masterToken } from '../support/two-services.js'
import { Browser, consented, endUser, goThrough } from './support/browser.js'
import { callback, confidential, configured, signIn } from './support/relying-party.js'

type World = { readonly service: Service; readonly lenient: Service; readonly stop: () => Promise<void> }

const habits = suite<World>('the habits of libraries')

const startWith = async (flags: Readonly<Record<string, string>>) => {
  const directory = mkdtempSync(join(tmpdir(), 'clientele-'))
  const service = await started({
    'data-dir': directory,
    'master-token': masterToken,
    engine: 'oidc-provider',
    'registration-status': '201',
    ...flags,
  })
  const stop = async (): Promise<void> => {
    await service.stop()
    rmSync(directory, { recursive: true })
  }
  return { service, stop }
}

habits.before(async (world) => {
  const one = await startWith({})
  const other = await startWith({ 'claims-in-id-token': 'true', 'sign-in-opener-policy': 'unsafe-none' })
  const stop = async (): Promise<void> => {
    await one.stop()
    await other.stop()
  }
  Object.assign(world, { service: one.service, lenient: other.service, stop })
})
habits.after(({ stop }) => stop())

const as = (sub: string) => ({ login: endUser(sub), consent: consented })

// OpenID Core §3.1.2.1
habits('prompt=select_account is a login, by which the end-user chooses the account', async ({ service }) => {
  const application = await configured(service, confidential)
  const browser = new Browser()
  assert.equal((await signIn(service, application, browser)).prompts, ['login', 'consent'])
  assert.equal((await signIn(service, application, browser)).prompts, [])
  const same = await signIn(service, application, browser, { prompt: 'select_account' }, as('zoe'))
  assert.equal([same.prompts, same.tokens.claims()?.sub], [['login'], 'zoe'])
  const other = await signIn(service, application, browser, { prompt: 'select_account' }, as('adam'))
  assert.equal([other.prompts, other.tokens.claims()?.sub], [['login', 'consent'], 'adam'])
  for (const prompt of ['select_account', 'login select_account', 'select_account consent']) {
    const { prompts } = await signIn(service, application, new Browser(), { prompt }, as('adam'))
    assert.is(prompts.filter((each) => each === 'login').length, 1, prompt)
  }
})

habits('an end-user who chooses no account is told apart from one who denies', async ({ service }) => {
  const application = await configured(service, confidential)
  const browser = new Browser()
  await signIn(service, application, browser)
  const errorOf = async (prompt: string, place: 'login' | 'consent'): Promise<string | null | undefined> => {
    const { url } = await application.request({ prompt })
    const answers = { ...as('zoe'), [place]: { answer: 'denied' } as const }
    return (await goThrough(browser, service, url, answers)).end?.searchParams.get('error')
  }
  assert.is(await errorOf('select_account', 'login'), 'account_selection_required')
  assert.is(await errorOf('select_account consent', 'consent'), 'access_denied')
  assert.is(await errorOf('login', 'login'), 'access_denied')
  // It is an error for none to have another value beside it.
  assert.is(await errorOf('none select_account', 'login'), 'invalid_request')
})

// OpenID Core §5.4; passport-openidconnect and Auth.js read the ID token alone.
habits('claims of scope values are in the ID token by a setting', async ({ service, lenient }) => {
  const answers = { login: endUser('zoe', { name: 'Zoe', email: 'zoe@op.example' }), consent: consented }
  const claimsAt = async (at: Service) => {
    const { tokens } = await signIn(at, await configured(at, confidential), new Browser(), {}, answers)
    const claims = tokens.claims()
    return [claims?.['name'], claims?.['email']]
  }
  assert.equal(await claimsAt(service), [undefined, undefined])
  assert.equal(await claimsAt(lenient), [undefined, 'zoe@op.example'], 'scope: openid email')
})

// HTML §7.1.3; oidc-client-ts and others answer from the popup by window.opener.
habits(
  'the page of a login is parted from the window that opened it, unless a setting says otherwise',
  async ({ service, lenient }) => {
    for (const [at, expected] of [
      [service, 'same-origin'],
      [lenient, 'unsafe-none'],
    ] as const) {
      const { url } = await (await configured(at, confidential)).request()
      const browser = new Browser()
      const sent = await browser.open(url)
      const page = await browser.open(new URL(sent.headers.get('location') ?? '', at.url).href)
      assert.equal([page.status, page.headers.get('cross-origin-opener-policy')], [200, expected])
      const logout = await fetch(`${at.url}/logout`)
      assert.is(logout.headers.get('cross-origin-opener-policy'), 'same-origin')
    }
  },
)

// RP-Initiated Logout §2: client_id, "so that it can be decrypted"
habits('an ID token that the secret of the client encrypted is a hint, with client_id', async ({ service }) => {
  for (const [alg, enc] of [
    ['dir', 'A128CBC-HS256'],
    ['A256KW', 'A256GCM'],
  ] as const) {
    const encrypted = { id_token_encrypted_response_alg: alg, id_token_encrypted_response_enc: enc }
    const { registered, request } = await configured(service, { ...confidential, ...encrypted })
    const browser = new Browser()
    const { url, checks } = await request()
    const { end } = await goThrough(browser, service, url)
    const { client_id, client_secret } = registered
    const fields = { grant_type: 'authorization_code', redirect_uri: callback, client_id, client_secret }
    const answer = await fetch(`${service.url}/token`, {
      method: 'POST',
      body: new URLSearchParams({
        ...fields,
        code: end?.searchParams.get('code') ?? '',
        code_verifier: String(checks.pkceCodeVerifier),
      }),
    })
    const { id_token: id_token_hint } = (await answer.json()) as { readonly id_token: string }
    assert.is(id_token_hint.split('.').length, 5, alg)
    const cookies = browser.cookies.map(({ name, value }) => `${name}=${value}`)
    const [post_logout_redirect_uri] = confidential.post_logout_redirect_uris
    const left = async (more: Readonly<Record<string, string>>) => {
      const window = openBrowser(service.url, cookies)
      const query = new URLSearchParams({
        id_token_hint,
        post_logout_redirect_uri: String(post_logout_redirect_uri),
        ...more,
      })
      const page = await window.get(`/logout?${query.toString()}`)
      return (await window.answer(page, 'stay')).headers.get('location')
    }
    assert.is(await left({ client_id }), post_logout_redirect_uri, alg)
    assert.is(await left({}), null, 'nobody says by which secret')
    assert.is(await left({ client_id: randomBytes(10).toString('hex') }), null)
    const other = await configured(service, { ...confidential, ...encrypted })
    assert.is(await left({ client_id: other.registered.client_id }), null, 'by the secret of another client')
  }
})

// Back-Channel Logout §2.2; mod_auth_openidc and express-openid-connect name such a URI by themselves, in development.
habits('a receiver of logout tokens may have http on loopback where the service is there', async () => {
  const received: Array<string> = []
  const receiver = createServer((request, response) => {
    void text(request).then((body) => {
      received.push(body)
      response.end()
    })
  })
  await new Promise<void>((resolve) => void receiver.listen(0, '127.0.0.1', resolve))
  const { port } = receiver.address() as AddressInfo
  const metadata = { ...confidential, backchannel_logout_uri: `http://localhost:${port}/out` }
  const reaching = { 'outbound-fetches': 'true', 'outbound-allowed-networks': '127.0.0.0/8' }
  const { service, stop } = await startWith(reaching)
  const elsewhere = await startWith({ ...reaching, engine: 'none', 'base-url': 'https://op.example' })
  try {
    const application = await configured(service, metadata)
    const browser = new Browser()
    const { tokens } = await signIn(service, application, browser)
    const window = openBrowser(
      service.url,
      browser.cookies.map(({ name, value }) => `${name}=${value}`),
    )
    await window.answer(await window.get(`/logout?id_token_hint=${String(tokens.id_token)}`), 'logout')
    for (let waited = 0; received.length === 0 && waited < 100; waited += 1)
      await new Promise((resolve) => setTimeout(resolve, 50))
    assert.match(received.join(), /^logout_token=/)
    const refused = await post(`${elsewhere.service.url}/clients`, masterToken, metadata)
    assert.equal([refused.status, (await refused.text()).includes('/backchannel_logout_uri')], [400, true])
  } finally {
    await stop()
    await elsewhere.stop()
    receiver.close()
  }
})

habits(
  'an application on a private network has http where the policy says so, and consent each time',
  async ({ service }) => {
    const redirect_uri = 'http://192.168.1.5:8123/cb'
    const metadata = {
      redirect_uris: [redirect_uri],
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code'],
    }
    assert.is((await post(`${service.url}/clients`, masterToken, metadata)).status, 400)
    const policy = { allow_http_on_private_networks: true }
    const permitting = await startWith({ 'registration-policy-json': JSON.stringify(policy) })
    try {
      const application = await configured(permitting.service, metadata)
      assert.is(Reflect.get(application.registered, 'application_type'), 'native')
      const browser = new Browser()
      for (const expected of [['login', 'consent'], ['consent']]) {
        const { prompts, end, tokens } = await signIn(permitting.service, application, browser, { redirect_uri })
        assert.equal([prompts, end.origin], [expected, 'http://192.168.1.5:8123'])
        assert.type(tokens.id_token, 'string')
      }
      const { url } = await application.request({ redirect_uri: 'http://192.168.1.5:8124/cb' })
      assert.is((await goThrough(browser, permitting.service, url)).end, undefined)
    } finally {
      await permitting.stop()
    }
  },
)

habits.run()
