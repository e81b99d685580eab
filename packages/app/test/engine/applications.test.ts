// What applications in use do, and the libraries with which they do it.
import { decodeJwt } from 'jose'
import * as client from 'openid-client'
import { AuthorizationCode, ClientCredentials } from 'simple-oauth2'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { post } from '../cli/run.js'
import { type World, masterToken, startTwo, stopTwo } from '../support/two-services.js'
import { Browser, goThrough } from './support/browser.js'
import { confidential, configured, introspected, signIn } from './support/relying-party.js'

const applications = suite<{ world: World }>('applications in use')

const flags = { engine: 'oidc-provider', 'registration-status': '201' }

applications.before(async (context) => {
  context.world = await startTwo(flags)
})
applications.after(({ world }) => stopTwo(world))

applications('simple-oauth2 revokes tokens: it reads the answer as JSON', async ({ world: { one } }) => {
  const application = await configured(one, confidential)
  const { client_id: id, client_secret: secret } = application.registered
  const settings = { client: { id, secret }, auth: { tokenHost: one.url, tokenPath: '/token', revokePath: '/revoke' } }
  const own = await new ClientCredentials(settings).getToken({})
  await own.revoke('access_token')
  const { tokens } = await signIn(one, application, new Browser())
  const ofEndUser = new AuthorizationCode(settings).createToken({ ...tokens })
  await ofEndUser.revokeAll()
  for (const token of [own.token['access_token'], tokens.access_token, tokens.refresh_token])
    assert.is((await introspected(application, String(token))).active, false)
})

applications('a revocation is answered with an empty JSON object, and a refusal as before', async ({ world }) => {
  const { config, registered } = await configured(world.one, confidential)
  const revoke = (authorization: string): Promise<Response> =>
    fetch(String(config.serverMetadata().revocation_endpoint), {
      method: 'POST',
      headers: { Authorization: authorization },
      body: new URLSearchParams({ token: 'unknown' }),
    })
  const basic = (secret: string): string => `Basic ${btoa(`${registered.client_id}:${secret}`)}`
  const answer = await revoke(basic(registered.client_secret))
  assert.equal(
    [answer.status, answer.headers.get('content-type'), await answer.text()],
    [200, 'application/json; charset=utf-8', '{}'],
  )
  assert.is((await revoke(basic('wrong'))).status, 401)
})

// Without application_type, a client on localhost is native: docs/decisions/redirects.md.
applications('a client in development that authenticates renews silently', async ({ world: { one } }) => {
  const redirect_uri = 'http://localhost:3000/callback'
  const application = await configured(one, { ...confidential, redirect_uris: [redirect_uri] })
  const browser = new Browser()
  const open = async (parameters: Readonly<Record<string, string>>) => {
    const { end, prompts } = await goThrough(
      browser,
      one,
      (await application.request({ redirect_uri, ...parameters })).url,
    )
    return [prompts, end?.searchParams.get('error') ?? (end?.searchParams.has('code') === true ? 'code' : undefined)]
  }
  assert.equal(await open({ prompt: 'none' }), [[], 'login_required'])
  assert.equal(await open({}), [['login', 'consent'], 'code'])
  assert.equal(await open({ prompt: 'none' }), [[], 'code'])
  assert.equal(await open({ prompt: 'none', scope: 'openid email profile' }), [[], 'consent_required'])
})

// OpenID Core §12.2. angular-auth-oidc-client refuses a refreshed ID token whose nonce is not left out.
applications('a refreshed ID token has no nonce', async ({ world: { one } }) => {
  const application = await configured(one, confidential)
  const { tokens } = await signIn(one, application, new Browser())
  assert.type(tokens.claims()?.['nonce'], 'string')
  const first = await client.refreshTokenGrant(application.config, String(tokens.refresh_token))
  const second = await client.refreshTokenGrant(application.config, String(first.refresh_token))
  for (const { id_token } of [first, second]) {
    const { nonce, sub, sid, auth_time } = decodeJwt(String(id_token))
    assert.is(nonce, undefined)
    assert.equal(
      [sub, sid, auth_time],
      ['sub', 'sid', 'auth_time'].map((name) => tokens.claims()?.[name]),
    )
  }
})

applications('a response type that repeats a value is no response type', async ({ world: { one } }) => {
  const application = await configured(one, confidential)
  for (const response_type of ['code code', 'code id_token code']) {
    const { url } = await application.request({ response_type })
    const { end } = await goThrough(new Browser(), one, url)
    const { searchParams, hash } = new URL(String(end))
    const answer = new URLSearchParams(searchParams.has('error') ? searchParams : hash.slice(1))
    assert.is(answer.get('error'), 'unsupported_response_type', response_type)
  }
})

const apache = {
  redirect_uris: ['https://rp.example/secure/redirect_uri'],
  response_types: ['code', 'id_token', 'id_token token', 'code id_token', 'code token', 'code id_token token'],
  grant_types: ['authorization_code', 'implicit', 'refresh_token'],
}

type DryRun = Readonly<Record<'adjustments' | 'warnings', ReadonlyArray<Readonly<Record<string, string>>>>>

// RFC 7591 §3.2.1; specification §5.1 names grants that this authorization server does not do
applications('what is not done does not register in silence', async ({ world: { one } }) => {
  const dryRun = async (metadata: object): Promise<ReadonlyArray<string | undefined>> => {
    const answer = await post(`${one.url}/clients?dry_run=true`, masterToken, metadata)
    assert.is(answer.status, 200, await answer.clone().text())
    const { adjustments, warnings } = (await answer.json()) as DryRun
    return [...adjustments.map(({ rule }) => rule), ...warnings.map(({ rule }) => rule)]
  }
  assert.equal(await dryRun(apache), ['response-types-narrowed'])
  const registered = await post(`${one.url}/clients`, masterToken, apache)
  const { response_types } = (await registered.json()) as typeof apache
  assert.equal(response_types, ['code', 'id_token', 'code id_token'])
  const tls = { token_endpoint_auth_method: 'tls_client_auth', tls_client_auth_subject_dn: 'CN=rp.example' }
  for (const [metadata, expected] of [
    [{ ...apache, response_types: ['token'] }, ['response-type-not-served']],
    [{ ...confidential, grant_types: ['authorization_code', 'password'] }, ['grant-not-served']],
    [{ ...confidential, ...tls }, ['method-not-served']],
    [{ ...confidential, tls_client_certificate_bound_access_tokens: true }, ['binding-not-served']],
    [confidential, []],
  ] as const)
    assert.equal(await dryRun(metadata), expected)
})

// RFC 7591 §3.2.1, RFC 6749 §5.2
applications('a client_secret counts until it expires, and is refused with 401 after that', async () => {
  const world = await startTwo({ ...flags, 'client-secret-lifetime': '2' })
  try {
    const { registered } = await configured(world.one, confidential)
    const credentials = btoa(`${registered.client_id}:${registered.client_secret}`)
    const ask = (): Promise<Response> =>
      fetch(`${world.one.url}/token`, {
        method: 'POST',
        headers: { Authorization: `Basic ${credentials}` },
        body: new URLSearchParams({ grant_type: 'client_credentials' }),
      })
    const end = Number(Reflect.get(registered, 'client_secret_expires_at')) * 1000
    if (Date.now() < end - 500) assert.is((await ask()).status, 200)
    await new Promise((resolve) => setTimeout(resolve, end - Date.now() + 50))
    const refused = await ask()
    assert.is(refused.status, 401)
    assert.match(String(refused.headers.get('www-authenticate')), /^Basic .*error="invalid_client"/)
    const { error, error_description } = (await refused.json()) as Readonly<Record<string, string>>
    assert.is(error, 'invalid_client')
    assert.match(String(error_description), /has expired: read the registration/)
  } finally {
    await stopTwo(world)
  }
})

applications.run()
