// Requested ≤ registered, for every grant: RFC 6749 §3.3, §4.1.2.1.
import * as client from 'openid-client'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Service } from '../../src/compose.js'
import { post } from '../cli/run.js'
import { type World, masterToken, startTwo, stopTwo } from '../support/two-services.js'
import { Browser, goThrough } from './support/browser.js'
import {
  type Application,
  callback,
  configured,
  configuredAs,
  introspected,
  refused,
  signIn,
} from './support/relying-party.js'

const scopes = suite<{ world: World }>('the scope of requests and tokens')

const files = 'https://files.example/mcp'
const machine = { grant_types: ['client_credentials'] }
const application = { redirect_uris: [callback], grant_types: ['authorization_code', 'refresh_token'] }

scopes.before(async (context) => {
  const open = { 'allow-open-registration': 'true', 'open-registration-scopes': 'openid tools' }
  context.world = await startTwo({ engine: 'oidc-provider', 'registration-status': '201', ...open })
})
scopes.after(({ world }) => stopTwo(world))

const initialAccessToken = async ({ url }: Service, scope: string): Promise<string> => {
  const issued = await post(`${url}/direct-authz`, masterToken, { scope })
  return ((await issued.json()) as { readonly access_token: string }).access_token
}

const asked = ({ config }: Application, parameters: Readonly<Record<string, string>>): Promise<string> =>
  client.clientCredentialsGrant(config, { ...parameters }).then(
    ({ scope }) => `given ${String(scope)}`,
    (error: unknown) => refused(Promise.reject(error as Error)),
  )

scopes('a client gets no scope for itself that it did not register', async ({ world: { one } }) => {
  const token = await initialAccessToken(one, 'client-reg:grant:client client-reg:scope:orders')
  const service = await configuredAs(one, { ...machine, scope: 'orders' }, token)
  for (const scope of [
    'orders admin',
    'admin',
    'openid orders',
    'client-reg',
    'client-reg:scope:admin client-reg:scope:root',
  ])
    for (const target of [{}, { resource: files }])
      assert.is(await asked(service, { scope, ...target }), 'invalid_scope', scope)
  for (const target of [{}, { resource: files }])
    assert.is(await asked(service, { scope: 'orders', ...target }), 'given orders')
  const { access_token } = await client.clientCredentialsGrant(service.config, { scope: 'orders' })
  assert.is((await introspected(service, access_token)).scope, 'orders')
})

scopes('a client without a scope gets what its registrant could have registered', async ({ world: { one } }) => {
  const poor = await configuredAs(one, machine, await initialAccessToken(one, 'client-reg:grant:client'))
  const some = 'client-reg:grant:client client-reg:scope:orders'
  const rich = await configuredAs(one, machine, await initialAccessToken(one, some))
  const master = await configured(one, machine)
  for (const each of [poor, rich, master]) {
    assert.is(await asked(each, { scope: 'openid' }), 'given openid')
    for (const scope of ['orders', 'client-reg:data']) assert.is(await asked(each, { scope }), 'invalid_scope')
  }
  const orders = { scope: 'orders', resource: files }
  assert.equal(await Promise.all([poor, rich, master].map((each) => asked(each, orders))), [
    'invalid_scope',
    'given orders',
    'given orders',
  ])
  assert.is(await asked(rich, { scope: 'orders admin', resource: files }), 'invalid_scope')
})

scopes('an initial access token of the token endpoint carries registered values only', async ({ world: { one } }) => {
  const portal = await configured(one, { ...machine, scope: 'client-reg:grant:client client-reg:scope:orders' })
  assert.is(await asked(portal, { scope: 'client-reg:grant:client client-reg:scope:root' }), 'invalid_scope')
  const { access_token } = await client.clientCredentialsGrant(portal.config, { scope: 'client-reg:grant:client' })
  const sent = { ...machine, scope: 'root' }
  assert.is((await post(`${one.url}/clients`, access_token, sent)).status, 403)
})

scopes('a token by an earlier grant has no more than is registered now', async ({ world: { one, other } }) => {
  const sent = { ...application, scope: 'openid email files:read files:write' }
  const { registered, ...app } = await configured(one, sent)
  const parameters = { scope: 'openid email files:read files:write', resource: files }
  const { tokens } = await signIn(one, { registered, ...app }, new Browser(), parameters, undefined, {
    resource: files,
  })
  assert.is(tokens.scope, 'files:read files:write')
  const narrowed = await fetch(`${other.url}/clients/${registered.client_id}`, {
    method: 'PUT',
    headers: { Authorization: `Bearer ${masterToken}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ ...application, scope: 'openid files:read' }),
  })
  assert.is(narrowed.status, 200)
  const { client_secret } = (await narrowed.json()) as { readonly client_secret: string }
  const refreshed = async (token: unknown, target: Readonly<Record<string, string>>) => {
    const body = new URLSearchParams({ grant_type: 'refresh_token', refresh_token: String(token), ...target })
    const authorization = `Basic ${btoa(`${registered.client_id}:${client_secret}`)}`
    const answer = await fetch(`${one.url}/token`, { method: 'POST', headers: { authorization }, body })
    return (await answer.json()) as Readonly<Record<string, string>>
  }
  const atResource = await refreshed(tokens.refresh_token, { resource: files })
  assert.is(atResource['scope'], 'files:read')
  const atService = await refreshed(atResource['refresh_token'], {})
  assert.is(atService['scope'], 'openid')
})

// OpenID Core §11
scopes('lasting access needs prompt=consent, and a refresh token the grant alone', async ({ world: { one } }) => {
  const granted = async (grant_types: ReadonlyArray<string>, parameters: Readonly<Record<string, string>>) => {
    const app = await configured(one, { ...application, grant_types })
    const { tokens } = await signIn(one, app, new Browser(), { scope: 'openid email offline_access', ...parameters })
    return [tokens.scope, tokens.refresh_token !== undefined]
  }
  assert.equal(await granted(application.grant_types, {}), ['openid email', true])
  assert.equal(await granted(application.grant_types, { prompt: 'consent' }), ['openid email offline_access', true])
  assert.equal(await granted(['authorization_code'], { prompt: 'consent' }), ['openid email', false])
})

const requested = async (service: Service, { request }: Application, parameters: Readonly<Record<string, string>>) => {
  const { end, page, prompts } = await goThrough(new Browser(), service, (await request(parameters)).url)
  const said = end === undefined ? await page?.text() : end.searchParams.get('error_description')
  return { error: end?.searchParams.get('error'), said: String(said), prompts, code: end?.searchParams.get('code') }
}

scopes('an unknown scope is refused at once, and the remedy is told', async ({ world: { one } }) => {
  const any = await configured(one, application)
  const registrant = await configured(one, { ...application, scope: 'openid tools' })
  const anyone = await configuredAs(one, application)
  for (const each of [any, registrant, anyone]) {
    const alone = await requested(one, each, { scope: 'tools' })
    assert.equal([alone.prompts, alone.code ?? undefined], [[], undefined])
    assert.match(alone.said, /send resource/)
    assert.not.match(alone.said, 'tools')
    if (each !== anyone) assert.is(alone.error, 'invalid_scope')
    const withResource = await requested(one, each, { scope: 'tools', resource: files })
    assert.ok(withResource.code, withResource.said)
  }
  assert.match((await requested(one, registrant, { scope: 'openid tools' })).said, /send resource/)
  assert.match((await requested(one, anyone, { scope: 'openid tools' })).said, /send resource/)
  const admin = { scope: 'openid admin', resource: files }
  assert.match((await requested(one, registrant, admin)).said, /did not register/)
  assert.match((await requested(one, anyone, { scope: 'admin', resource: files })).said, /open-registration-scopes/)
})

scopes('an OpenID request goes on without values that mean nothing here', async ({ world: { one } }) => {
  const { tokens } = await signIn(one, await configured(one, application), new Browser(), { scope: 'openid groups' })
  assert.is(tokens.scope, 'openid')
})

scopes('a pushed request with an unknown scope is refused', async ({ world: { one } }) => {
  const { config, request } = await configured(one, application)
  const { url } = await request({ scope: 'tools' })
  assert.is(await refused(client.buildAuthorizationUrlWithPAR(config, new URL(url).searchParams)), 'invalid_scope')
})

scopes.run()
