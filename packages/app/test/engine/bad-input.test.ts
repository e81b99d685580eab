// What must not leave an end-user stranded, nor become a 500.
import * as E from 'fp-ts/lib/Either.js'
import { request } from 'node:http'
import { SignJWT, decodeJwt } from 'jose'
import * as client from 'openid-client'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { Browser, consented, endUser, goThrough } from './support/browser.js'
import { callback, confidential, configured, introspected, signIn } from './support/relying-party.js'
import { post } from '../cli/run.js'
import { type World, masterToken, startTwo, stopTwo } from '../support/two-services.js'

const bad = suite<{ world: World }>('bad input at the authorization server')

bad.before(async (context) => {
  context.world = await startTwo({ engine: 'oidc-provider', 'registration-status': '201' })
})
bad.after(({ world }) => stopTwo(world))

bad('an unknown client, or an unregistered redirection URI, gives a page', async ({ world: { one } }) => {
  const { registered } = await configured(one, confidential)
  for (const [client_id, redirect_uri] of [
    ['stranger', callback],
    [registered.client_id, 'https://attacker.example/cb'],
  ] as const) {
    const query = new URLSearchParams({ client_id, redirect_uri, response_type: 'code', scope: 'openid' })
    const answer = await new Browser().open(`${one.url}/authorize?${query.toString()}`)
    assert.is(answer.status, 400)
    assert.match(String(answer.headers.get('content-type')), /^text\/html/)
    assert.match(String(answer.headers.get('content-security-policy')), /frame-ancestors 'none'/)
    assert.match(await answer.text(), /The application made a mistake/)
    assert.type(answer.headers.get('x-request-id'), 'string')
  }
})

bad('a refusal says what to send, wherever its text arrives', async ({ world: { one } }) => {
  const application = await configured(one, confidential)
  const { client_id, client_secret } = application.registered
  const told =
    'the client may not use this response_type: register it in response_types, without authentication by a certificate, without tokens that are bound to one, and without tokens in the response that are bound by DPoP'
  const at = async (parameters: Readonly<Record<string, string>>) => {
    const { url } = await application.request({ response_type: 'id_token', ...parameters })
    return new Browser().open(url)
  }
  const fragment = new URL(String((await at({})).headers.get('location')))
  const said = new URLSearchParams(fragment.hash.slice(1))
  // RFC 6749 §4.1.2.1
  assert.equal([said.get('error'), said.get('error_description')], ['unauthorized_client', told])
  const form = await (await at({ response_mode: 'form_post' })).text()
  assert.match(form, 'name="error" value="unauthorized_client"')
  assert.match(form, `name="error_description" value="${told}"`)
  const signed = new URL(String((await at({ response_mode: 'jwt' })).headers.get('location')))
  const { error } = decodeJwt(String(new URLSearchParams(signed.hash.slice(1)).get('response')))
  assert.is(error, 'unauthorized_client')
  const query = new URL(String((await at({ response_type: 'code', prompt: 'create' })).headers.get('location')))
  assert.match(String(query.searchParams.get('error_description')), ': send some of prompt_values_supported')
  assert.is(query.searchParams.get('iss'), one.url)
  const page = await (await at({ redirect_uri: 'https://elsewhere.example/' })).text()
  assert.match(page, 'character by character, or register this one')
  const unsupported = new URL(String((await at({ registration: 'x', response_type: 'code' })).headers.get('location')))
  assert.match(String(unsupported.searchParams.get('error_description')), 'registration_endpoint')
  const body = new URLSearchParams({ client_id, client_secret, grant_type: 'password' })
  const token = (await (await fetch(`${one.url}/token`, { method: 'POST', body })).json()) as Record<string, unknown>
  assert.match(String(token['error_description']), ': send one of grant_types_supported')
  const info = await fetch(`${one.url}/userinfo`, { headers: { Authorization: 'Bearer unknown' } })
  const { error_description } = (await info.json()) as { readonly error_description: string }
  assert.match(error_description, 'invalid token provided: it is unknown, expired, revoked')
  assert.match(String(info.headers.get('www-authenticate')), `error_description="${error_description}"`)
})

// RFC 6749 §3.3, RFC 9101 §6.3
bad('a request object without a scope asks for openid, as any request', async ({ world: { one } }) => {
  const { registered } = await configured(one, { ...confidential, request_object_signing_alg: 'HS256' })
  const { client_id, client_secret } = registered
  const sent = { client_id, redirect_uri: callback, response_type: 'code', nonce: 'n', iss: client_id, aud: one.url }
  const request = await new SignJWT({ ...sent, exp: Math.floor(Date.now() / 1000) + 60 })
    .setProtectedHeader({ alg: 'HS256' })
    .sign(new TextEncoder().encode(client_secret))
  const body = new URLSearchParams({ client_id, client_secret, request })
  const pushed = (await (await fetch(`${one.url}/par`, { method: 'POST', body })).json()) as { request_uri: string }
  for (const parameters of [{ request }, { request_uri: pushed.request_uri }]) {
    const query = new URLSearchParams({ client_id, ...parameters })
    const { end } = await goThrough(new Browser(), one, `${one.url}/authorize?${query.toString()}`)
    assert.ok(end?.searchParams.has('code'), end?.href)
  }
})

// RFC 6749 §5.2
bad('the codes of the token endpoint are those of its section', async ({ world: { one } }) => {
  const { client_id, client_secret } = (
    await configured(one, { ...confidential, grant_types: ['authorization_code', 'refresh_token'] })
  ).registered
  const authenticated = { client_id, client_secret: String(client_secret) }
  const code = { grant_type: 'authorization_code', code: 'unknown', redirect_uri: callback }
  for (const [sent, status, error] of [
    [{ ...authenticated, grant_type: 'client_credentials' }, 400, 'unauthorized_client'],
    [{ ...authenticated, grant_type: 'password' }, 400, 'unsupported_grant_type'],
    [authenticated, 400, 'invalid_request'],
    [{ ...authenticated, grant_type: 'authorization_code' }, 400, 'invalid_request'],
    [{ ...authenticated, ...code }, 400, 'invalid_grant'],
    [{ ...authenticated, grant_type: 'refresh_token', refresh_token: 'unknown' }, 400, 'invalid_grant'],
    [code, 400, 'invalid_client'],
    [{ ...code, client_id }, 401, 'invalid_client'],
    [{ ...code, client_id: 'stranger' }, 401, 'invalid_client'],
    [{ ...code, client_id, client_secret: 'wrong' }, 401, 'invalid_client'],
    [{ ...authenticated, grant_type: 'refresh_token', refresh_token: 'unknown', scope: 'é' }, 400, 'invalid_scope'],
  ] as const) {
    const answer = await fetch(`${one.url}/token`, { method: 'POST', body: new URLSearchParams(sent) })
    const { error: said } = (await answer.json()) as { readonly error: string }
    assert.equal([answer.status, said], [status, error], JSON.stringify(sent))
  }
})

// OpenID Core §3.1.2.1: the engine takes any text of such a number.
bad('max_age is that of the engine, however it is written', async ({ world: { one } }) => {
  const application = await configured(one, confidential)
  const { interactions } = one.provider
  assert.ok(interactions)
  for (const [max_age, expected] of [
    ['60', 60],
    ['1e3', 1000],
    ['+5', 5],
    ['0', 0],
  ] as const) {
    const browser = new Browser()
    const begun = await browser.open((await application.request({ max_age })).url)
    const page = new URL(String(begun.headers.get('location')), one.url).href
    const found = await interactions.findInteraction(String(page.split('/').at(-1)), {
      cookie: browser.cookieFor(page),
    })()
    assert.ok(E.isRight(found))
    assert.is(found.right.maxAge, expected, max_age)
  }
})

bad('a tampered cookie is as good as none', async ({ world: { one } }) => {
  const application = await configured(one, confidential)
  const browser = new Browser()
  await signIn(one, application, browser)
  const whole = browser.cookies.filter(({ path }) => path === '/')
  assert.is(whole.length, 3)
  for (const { name } of whole) {
    const tampered = new Browser()
    tampered.cookies = whole.map((each) =>
      each.name === name ? { ...each, value: `A${each.value.slice(1)}${each.value.startsWith('A') ? 'B' : ''}` } : each,
    )
    const { url } = await application.request({ prompt: 'none' })
    const { end } = await goThrough(tampered, one, url)
    assert.is(end?.searchParams.get('error'), 'login_required', name)
  }
})

bad('the page of an interaction belongs to one browser, and is answered once', async ({ world: { one } }) => {
  const application = await configured(one, confidential)
  const browser = new Browser()
  const { url } = await application.request()
  const begun = await browser.open(url)
  const page = new URL(String(begun.headers.get('location')), url).href
  const id = page.slice(page.lastIndexOf('/') + 1)
  const { interactions } = one.provider
  assert.ok(interactions)
  const mine = { cookie: browser.cookieFor(page) }
  for (const cookie of [undefined, '', 'clientele-interaction=x', mine.cookie?.replace('.sig=', '.sig=A')]) {
    const found = await interactions.findInteraction(id, { cookie })()
    assert.equal(found, { _tag: 'Left', left: { error: 'interaction_gone' } })
  }
  assert.is((await interactions.answerInteraction(id, mine, consented)())._tag, 'Left')
  assert.is((await interactions.answerInteraction(id, mine, endUser('zoe'))())._tag, 'Right')
  assert.is((await interactions.answerInteraction(id, mine, endUser('mallory'))())._tag, 'Left')
})

bad('a denial is reported to the application', async ({ world: { one } }) => {
  const application = await configured(one, confidential)
  const { url } = await application.request()
  const denied = { login: endUser('zoe'), consent: { answer: 'denied' } as const }
  const { end } = await goThrough(new Browser(), one, url, denied)
  assert.is(end?.searchParams.get('error'), 'access_denied')
  assert.is(end?.searchParams.get('iss'), one.url)
})

bad('another end-user in the same browser gets a session of their own', async ({ world: { one } }) => {
  const application = await configured(one, confidential)
  const browser = new Browser()
  const first = await signIn(one, application, browser)
  const other = { login: endUser('abe'), consent: consented }
  const second = await signIn(one, application, browser, { prompt: 'login' }, other)
  assert.is(second.tokens.claims()?.sub, 'abe')
  assert.is.not(second.tokens.claims()?.['sid'], first.tokens.claims()?.['sid'])
})

const askWithHost = (url: string, host: string): Promise<string> =>
  new Promise((resolve, reject) => {
    request(url, { headers: { Host: host, 'X-Forwarded-Host': host, 'X-Forwarded-Proto': 'https' } }, (answer) => {
      answer.resume()
      resolve(`${String(answer.headers.location)} ${String(answer.headers['set-cookie'])}`)
    })
      .on('error', reject)
      .end()
  })

const form = (url: string, fields: Readonly<Record<string, string>>): Promise<Response> =>
  fetch(url, { method: 'POST', body: new URLSearchParams(fields) })

bad('a client that authenticates by a certificate is refused where there is none', async ({ world: { one } }) => {
  for (const metadata of [
    { token_endpoint_auth_method: 'tls_client_auth', tls_client_auth_subject_dn: 'CN=rp.example' },
    { token_endpoint_auth_method: 'self_signed_tls_client_auth', jwks_uri: 'https://rp.example/keys' },
  ]) {
    const answer = await post(`${one.url}/clients`, masterToken, { ...confidential, ...metadata })
    const { client_id } = (await answer.json()) as { readonly client_id: string }
    for (const [path, fields] of [
      ['token', { grant_type: 'client_credentials' }],
      ['introspect', { token: 'x' }],
      ['revoke', { token: 'x' }],
      ['par', { redirect_uri: callback, response_type: 'code' }],
    ] as const) {
      const refused = await form(`${one.url}/${path}`, { client_id, ...fields })
      assert.is(refused.status, 401, path)
      assert.is(((await refused.json()) as { readonly error: string }).error, 'invalid_client')
    }
  }
})

bad('an assertion that is valid for longer than a day is refused', async ({ world: { one } }) => {
  const { registered } = await configured(one, {
    ...confidential,
    token_endpoint_auth_method: 'client_secret_jwt',
    token_endpoint_auth_signing_alg: 'HS256',
  })
  const { client_id, client_secret } = registered
  const now = Math.floor(Date.now() / 1000)
  const statusWith = async (exp: number): Promise<number> => {
    const claims = { iss: client_id, sub: client_id, aud: one.url, jti: String(exp), exp }
    const client_assertion = await new SignJWT(claims)
      .setProtectedHeader({ alg: 'HS256' })
      .sign(new TextEncoder().encode(client_secret))
    const client_assertion_type = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'
    const fields = { grant_type: 'client_credentials', client_assertion, client_assertion_type }
    return (await form(`${one.url}/token`, fields)).status
  }
  assert.is(await statusWith(now + 3_600), 200)
  for (const exp of [now + 100_000, 9e15, 1e300]) assert.is(await statusWith(exp), 401, String(exp))
})

// RFC 7009 §2.1
bad('a client that revokes the token of another one is told so', async ({ world: { one } }) => {
  const application = await configured(one, confidential)
  const { access_token } = await client.clientCredentialsGrant(application.config)
  const other = await configured(one, confidential)
  const open = await configured(one, { redirect_uris: [callback], token_endpoint_auth_method: 'none' })
  const { client_id, client_secret } = other.registered
  for (const [sent, status] of [
    [{ client_id, client_secret }, 400],
    [{ client_id: open.registered.client_id }, 200],
  ] as const) {
    const body = new URLSearchParams({ ...sent, token: access_token })
    const answer = await fetch(`${one.url}/revoke`, { method: 'POST', body })
    assert.is(answer.status, status)
    if (status === 400) assert.match(await answer.text(), ': only the client to which it was issued may')
  }
  assert.is((await introspected(application, access_token)).active, true)
})

bad('an access token of registration that is revoked registers no client', async ({ world: { one } }) => {
  const scope = 'client-reg'
  const application = await configured(one, { ...confidential, scope })
  const { access_token } = await client.clientCredentialsGrant(application.config, { scope })
  await client.tokenRevocation(application.config, access_token)
  assert.is((await post(`${one.url}/clients`, access_token, { redirect_uris: [callback] })).status, 401)
})

bad('the host that a request names has no effect', async ({ world: { one } }) => {
  const application = await configured(one, confidential)
  const { url } = await application.request()
  const reported = await askWithHost(url, 'evil.example')
  assert.match(reported, /\/interaction\//)
  assert.not.match(reported, /evil|Secure/i)
  const metadata = await askWithHost(`${one.url}/.well-known/openid-configuration`, 'evil.example')
  assert.not.match(metadata, /evil/)
})

bad.run()
