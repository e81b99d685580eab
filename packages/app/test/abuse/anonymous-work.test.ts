// What parties without a credential may make the service do, over HTTP: docs/operate/security.md#abuse.
import * as client from 'openid-client'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { startBalanced } from '../engine/support/balanced.js'
import { Browser, goThrough } from '../engine/support/browser.js'
import { callback, configured, confidential } from '../engine/support/relying-party.js'
import { post } from '../cli/run.js'
import { masterToken, startTwo, stopTwo } from '../support/two-services.js'
import { type Registered, attempts, registeredBy, sending, spends, statusesOf, withService } from './support.js'

const anonymous = suite('anonymous work')

const metadata = { redirect_uris: ['https://rp.example/callback'] }

anonymous('registrations without a token have a budget; those with one have none', () =>
  withService({ 'allow-open-registration': 'true', 'maximum-open-registrations': '10/20' }, async ({ url }) => {
    const bodies = [metadata, { redirect_uris: 'none' }]
    const answers = await attempts(25, (index) => post(`${url}/clients?dry_run=${index > 4}`, '', bodies[index % 2]))
    assert.equal(statusesOf(answers), { 200: 5, 400: 5, 429: 15 })
    const refused = answers.at(-1)
    assert.ok(Number(refused?.headers.get('retry-after')) >= 1)
    assert.is(((await refused?.json()) as { readonly error: string }).error, 'too_many_requests')
    assert.is((await post(`${url}/clients`, masterToken, metadata)).status, 200)
    const issued = await post(`${url}/direct-authz`, masterToken, { scope: 'client-reg' })
    const { access_token } = (await issued.json()) as { readonly access_token: string }
    assert.is((await post(`${url}/clients`, access_token, metadata)).status, 200)
    assert.is((await post(`${url}/clients`, 'no-such-token', metadata)).status, 401)
  }),
)

anonymous('a managed registration without a token costs nothing', () =>
  withService({ 'maximum-open-registrations': '1/1' }, async ({ url }) => {
    assert.equal(statusesOf(await attempts(5, () => post(`${url}/clients`, '', metadata))), { 401: 5 })
  }),
)

anonymous('logout requests without a session have a budget, and then a page; a session needs none', () =>
  withService({ 'maximum-logout-pages': '10/20' }, async ({ url }) => {
    const headers = { 'Accept-Language': 'de' }
    const open = (hint: string) => fetch(`${url}/logout?id_token_hint=${hint}`, { headers })
    const answers = await attempts(25, (index) => open(`garbage-${index}`))
    assert.equal(statusesOf(answers), { 200: 10, 429: 15 })
    const page = answers.at(-1)
    assert.match(String(page?.headers.get('content-type')), 'text/html')
    assert.ok(Number(page?.headers.get('retry-after')) >= 1)
    assert.match(String(await page?.text()), 'Zu viele Anfragen')
    const started = await post(`${url}/sessions`, masterToken, { sub: 'zoe' })
    const { set_cookie } = (await started.json()) as { readonly set_cookie: string }
    const cookie = set_cookie.split(';')[0] ?? ''
    assert.is((await fetch(`${url}/logout`, { headers: { Cookie: cookie } })).status, 200)
    const forged = cookie.replace(/=.*/, '=a-cookie-of-no-session')
    assert.is((await fetch(`${url}/logout`, { headers: { Cookie: forged } })).status, 429)
  }),
)

const engine = { engine: 'oidc-provider', 'registration-status': '201' }

anonymous('authorization requests without a session have a budget; who is signed in goes on', async () => {
  const world = await startTwo({ ...engine, 'maximum-authorization-requests': '12/20' })
  try {
    const { one, other } = world
    const application = await configured(one, confidential)
    const browser = new Browser()
    const first = await application.request()
    assert.is((await goThrough(browser, one, first.url)).end?.origin, new URL(callback).origin)
    const { url } = await application.request()
    const answers = await attempts(40, (index) =>
      fetch(index % 2 === 0 ? url : url.replace(one.url, other.url), { redirect: 'manual' }),
    )
    const { 303: begun = 0, 429: refused = 0 } = statusesOf(answers)
    assert.ok(begun >= 9 && begun <= 11, String(begun))
    assert.is(begun + refused, 40)
    const page = answers.at(-1)
    assert.match(String(page?.headers.get('content-type')), 'text/html')
    assert.is(page?.headers.get('location'), null)
    assert.ok(Number(page?.headers.get('retry-after')) >= 1)
    assert.match(String(await page?.text()), 'Too many requests')
    const again = await application.request({ prompt: 'consent' })
    assert.equal((await goThrough(browser, one, again.url)).prompts, ['consent'])
  } finally {
    await stopTwo(world)
  }
})

anonymous('pushed requests of clients that do not authenticate have the same budget', () =>
  withService({ ...engine, 'maximum-authorization-requests': '5/5' }, async (service) => {
    const push = async (method: string) => {
      const { registered, request } = await configured(service, {
        ...metadata,
        redirect_uris: [callback],
        token_endpoint_auth_method: method,
      })
      const { url } = await request()
      const body = new URL(url).searchParams
      body.set('client_id', registered.client_id)
      if (method !== 'none') body.set('client_secret', registered.client_secret)
      return () => fetch(`${service.url}/par`, { method: 'POST', body })
    }
    assert.equal(statusesOf(await attempts(8, await push('none'))), { 201: 5, 429: 3 })
    assert.equal(statusesOf(await attempts(8, await push('client_secret_post'))), { 201: 8 })
  }),
)

anonymous(
  'assertions and proofs of a client of open registration count once, when they are of use, at two instances',
  async () => {
    const world = await startBalanced({
      'allow-open-registration': 'true',
      'maximum-authorization-requests': '5/9',
    })
    try {
      const { service, one, other } = world
      const registered = await registeredBy(service, '', {
        token_endpoint_auth_method: 'client_secret_jwt',
        grant_types: ['authorization_code', 'refresh_token'],
      })
      const { assertion, proof, form } = await sending(service, registered)
      const code_verifier = client.randomPKCECodeVerifier()
      const request = new URLSearchParams({
        client_id: registered.client_id,
        redirect_uri: callback,
        response_type: 'code',
        scope: 'openid',
        code_challenge: await client.calculatePKCECodeChallenge(code_verifier),
        code_challenge_method: 'S256',
      })
      const { end } = await goThrough(new Browser(), service, `${service.url}/authorize?${request.toString()}`)
      const redeeming = { grant_type: 'authorization_code', redirect_uri: callback, code_verifier }
      const refreshing = (refresh_token: string) => ({ grant_type: 'refresh_token', refresh_token })
      type Tokens = { readonly access_token: string; readonly refresh_token: string }
      const errorOf = async (answer: Response): Promise<string> => {
        const { error } = (await answer.json()) as { readonly error: string }
        return `${answer.status} ${error}`
      }

      const first = await assertion()
      const refused = await form('/token', { ...redeeming, code: 'junk' }, { with: first })
      assert.is(await errorOf(refused), '400 invalid_grant')
      const code = String(end?.searchParams.get('code'))
      const redeemed = await form('/token', { ...redeeming, code }, { with: first, proof: await proof('/token') })
      assert.is(redeemed.status, 200)
      const tokens = (await redeemed.json()) as Tokens
      const again = await form('/token', refreshing(tokens.refresh_token), { with: first, at: other.url })
      assert.is(await errorOf(again), '401 invalid_client')

      const shown = await proof('/token')
      const refreshed = await form('/token', refreshing(tokens.refresh_token), { proof: shown, at: other.url })
      assert.is(refreshed.status, 200, 'a replay has not used the refresh token')
      const next = (await refreshed.json()) as Tokens
      assert.is(
        await errorOf(await form('/token', refreshing(next.refresh_token), { proof: shown })),
        '400 invalid_dpop_proof',
      )
      assert.is((await form('/token', refreshing(next.refresh_token), { proof: await proof('/token') })).status, 200)

      const asked = await assertion()
      const answers = await Promise.all(
        [one, other, one, other].map(({ url: at }) =>
          form('/introspect', { token: next.access_token }, { with: asked, at }),
        ),
      )
      assert.equal(statusesOf(answers), { 200: 4 }, 'a question uses nothing up, and leaves no mark')
      const read = async (): Promise<Response> =>
        fetch(`${service.url}/userinfo`, {
          method: 'POST',
          headers: { Authorization: `DPoP ${next.access_token}`, DPoP: await proof('/userinfo', next.access_token) },
        })
      const { 200: told = 0, 429: refusedProofs = 0, ...others } = statusesOf(await attempts(12, read))
      assert.equal(
        [told > 0, refusedProofs > 5, others],
        [true, true, {}],
        'each proof leaves a mark, within the budget',
      )
      for (const [lifetime, status] of [
        ['60m', 400],
        ['2h', 401],
      ] as const)
        assert.is(
          (await form('/token', { ...redeeming, code: 'junk' }, { with: await assertion(lifetime) })).status,
          status,
        )
    } finally {
      await world.close()
    }
  },
)

anonymous('pushed requests of a client of open registration have the same budget, also with its secret', () =>
  withService(
    { ...engine, 'allow-open-registration': 'true', 'maximum-authorization-requests': '5/5' },
    async (service) => {
      const registered = await registeredBy(service, '', { token_endpoint_auth_method: 'client_secret_post' })
      const { form } = await sending(service, registered)
      const request = { redirect_uri: callback, response_type: 'code', scope: 'openid' }
      assert.equal(statusesOf(await attempts(8, () => form('/par', request))), { 201: 5, 429: 3 })
    },
  ),
)

anonymous('changes of a client of open registration by its own token have the budget of registrations', () =>
  withService(
    { 'allow-open-registration': 'true', 'registration-status': '201', 'maximum-open-registrations': '5/5' },
    async (service) => {
      const open = await registeredBy(service, '')
      const vouched = await registeredBy(service, masterToken)
      const put = ({ client_id }: Registered, token: string): Promise<Response> =>
        fetch(`${service.url}/clients/${client_id}`, {
          method: 'PUT',
          headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
          body: JSON.stringify({ ...metadata, client_id }),
        })
      const putByOwn = (registered: Registered) => {
        let token = registered.registration_access_token
        return async (): Promise<Response> => {
          const answer = await put(registered, token)
          if (answer.ok) token = ((await answer.clone().json()) as Registered).registration_access_token
          return answer
        }
      }
      const answers = await attempts(8, putByOwn(open))
      assert.equal(statusesOf(answers), { 200: 4, 429: 4 })
      const refused = answers.at(-1)
      assert.ok(Number(refused?.headers.get('retry-after')) >= 1)
      assert.is(((await refused?.json()) as { readonly error: string }).error, 'too_many_requests')
      assert.is((await put(open, masterToken)).status, 200, 'the operator goes on')
      assert.equal(statusesOf(await attempts(8, putByOwn(vouched))), { 200: 8 })
    },
  ),
)

anonymous('wrong client secrets have a budget; the right one is never refused', () =>
  withService({ ...engine, 'maximum-failed-credentials': '10/20' }, async (service) => {
    const { registered, config } = await configured(service, confidential)
    const authorization = (secret: string) =>
      `Basic ${Buffer.from(`${registered.client_id}:${secret}`).toString('base64')}`
    const paths = ['token', 'introspect', 'revoke']
    const [refused] = await spends({ units: 10, status: 401, each: 6 }, 30, (index) =>
      fetch(`${service.url}/${paths[index % paths.length]}`, {
        method: 'POST',
        headers: { Authorization: authorization('a-guess') },
        body: new URLSearchParams({ grant_type: 'client_credentials', token: 'any' }),
      }),
    )
    assert.ok(Number(refused?.headers.get('retry-after')) >= 1)
    assert.is(refused?.headers.get('www-authenticate'), null)
    assert.is(((await refused?.json()) as { readonly error: string }).error, 'too_many_requests')
    assert.type((await client.clientCredentialsGrant(config)).access_token, 'string')
  }),
)

const formOf = (html: string): { readonly action: string; readonly fields: Readonly<Record<string, string>> } => ({
  action: /action="([^"]+)"/.exec(html)?.[1] ?? '',
  fields: Object.fromEntries(
    [...html.matchAll(/type="hidden" name="([a-z]+)" value="([^"]*)"/g)].map(([, name = '', value = '']) => [
      name,
      value,
    ]),
  ),
})

anonymous('passwords of the development login have the budget of failed credentials, before they are checked', () =>
  withService({ ...engine, login: 'development', 'maximum-failed-credentials': '7/7' }, async (service, directory) => {
    const application = await configured(service, confidential)
    const attempt = async (password: string): Promise<Response> => {
      const browser = new Browser()
      const { url } = await application.request()
      const location = String((await browser.open(url)).headers.get('location'))
      const page = new URL(location, service.url).href
      const { action, fields } = formOf(await (await browser.open(page)).text())
      const body = new URLSearchParams({ ...fields, username: 'developer', password, answer: 'sign-in' })
      return browser.open(new URL(action, service.url).href, { method: 'POST', body })
    }
    const right = readFileSync(join(directory, 'accounts-first-password'), 'utf8').trim()
    assert.is((await attempt(right)).status, 303)
    const guessThenRight = (index: number) => attempt(index < 6 ? 'a guess' : right)
    const [refused] = await spends({ units: 6, status: 401, each: 60 / 7 }, 9, guessThenRight)
    assert.ok(Number(refused?.headers.get('retry-after')) >= 1)
  }),
)

anonymous.run()
