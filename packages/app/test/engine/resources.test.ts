// Public clients, resources and registration by an access token: RFC 7636, RFC 8707, RFC 9449, specification 5.1.
import type { AuditEntry } from '@clientele/domain/audit'
import * as E from 'fp-ts/lib/Either.js'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createRemoteJWKSet, jwtVerify } from 'jose'
import * as client from 'openid-client'
import { rejects } from 'node:assert/strict'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type Balanced, startBalanced } from './support/balanced.js'
import { Browser, goThrough } from './support/browser.js'
import {
  type Application,
  callback,
  confidential,
  configured,
  introspected,
  refused,
  signIn,
} from './support/relying-party.js'
import { post } from '../cli/run.js'
import { masterToken, remove } from '../support/two-services.js'

const resources = suite<{ world: Balanced; directory: string; server: Application }>('access to resources below a path')

const files = 'https://files.example/mcp'
const mail = 'https://mail.example/'
const fileServer = { ...confidential, preferred_client_id: 'the-server-of-files' }
const agent = {
  ...confidential,
  token_endpoint_auth_method: 'none',
  grant_types: ['authorization_code', 'refresh_token'],
}

resources.before(async (context) => {
  context.directory = mkdtempSync(join(tmpdir(), 'clientele-resources-'))
  const policy = join(context.directory, 'resources.json')
  writeFileSync(
    policy,
    JSON.stringify([
      { resource: files, scope: ['files:read', 'files:write'], introspected_by: [fileServer.preferred_client_id] },
      { resource: mail, scope: ['mail'], access_token_format: 'jwt' },
      { resource: 'https://other.example/', scope: [], clients: ['somebody'] },
    ]),
  )
  context.world = await startBalanced({ 'resource-policy': policy }, '/op')
  context.server = await configured(context.world.service, fileServer)
})
resources.after(async ({ world, directory }) => {
  await world.close()
  rmSync(directory, { recursive: true })
})

resources('a consent that is demanded again is to the same, by resource', async ({ world: { service } }) => {
  const application = await configured(service, { ...confidential, scope: 'openid offline_access files:read mail' })
  const browser = new Browser()
  const asked = { scope: 'openid offline_access files:read', resource: files, prompt: 'consent' }
  await signIn(service, application, browser, asked)
  const begun = await browser.open((await application.request(asked)).url)
  const page = new URL(String(begun.headers.get('location')), service.url).href
  const { interactions } = service.provider
  assert.ok(interactions)
  const cookies = { cookie: browser.cookieFor(page) }
  const found = await interactions.findInteraction(String(page.split('/').at(-1)), cookies)()
  assert.ok(E.isRight(found))
  assert.equal(found.right.scope, ['openid', 'offline_access'])
  assert.equal(found.right.resources, { [files]: ['files:read'] })
  const { tokens, prompts } = await signIn(service, application, browser, asked, undefined, { resource: files })
  assert.equal([prompts, tokens.scope], [['consent'], 'files:read'])
})

resources('a client without a secret must use PKCE', async ({ world: { service } }) => {
  const { registered } = await configured(service, agent)
  const query = new URLSearchParams({
    client_id: registered.client_id,
    redirect_uri: callback,
    response_type: 'code',
    scope: 'openid',
  })
  const { end } = await goThrough(new Browser(), service, `${service.url}/authorize?${query.toString()}`)
  assert.is(end?.searchParams.get('error'), 'invalid_request')
})

resources('a token is for the resource and the scope that were requested', async ({ world: { service }, server }) => {
  const application = await configured(service, agent)
  const parameters = { resource: files, scope: 'files:read' }
  const { tokens } = await signIn(service, application, new Browser(), parameters, undefined, { resource: files })
  const reported = await introspected(server, tokens.access_token)
  assert.equal([reported.active, reported.aud, reported.scope], [true, files, 'files:read'])
  const refreshed = await client.refreshTokenGrant(application.config, String(tokens.refresh_token))
  assert.is((await introspected(server, refreshed.access_token)).aud, files)
})

for (const scope of ['mail', 'openid mail'])
  resources(`with JWTs as access tokens, a code and each refresh token is used once (${scope})`, async ({ world }) => {
    for (const grant_types of [['authorization_code'], agent.grant_types]) {
      const application = await configured(world.service, { ...agent, grant_types })
      const { url, checks } = await application.request({ resource: mail, scope })
      const { end } = await goThrough(new Browser(), world.service, url)
      assert.ok(end)
      const redeem = () => client.authorizationCodeGrant(application.config, end, checks, { resource: mail })
      const settled = await Promise.allSettled([redeem(), ...(grant_types.length === 1 ? [redeem(), redeem()] : [])])
      const [first, ...more] = settled.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
      assert.equal([first?.access_token.split('.').length, more], [3, []])
      if (grant_types.includes('refresh_token')) {
        const refresh = (token: string | undefined) =>
          client.refreshTokenGrant(application.config, String(token), { resource: mail })
        const second = await refresh(first?.refresh_token)
        const third = await refresh(second.refresh_token)
        assert.is(await refused(refresh(second.refresh_token)), 'invalid_grant')
        assert.is(await refused(refresh(third.refresh_token)), 'invalid_grant')
      }
      assert.is(await refused(redeem()), 'invalid_grant')
    }
  })

resources('a refresh that is refused for its resource uses nothing up', async ({ world: { service }, server }) => {
  const application = await configured(service, agent)
  const parameters = { resource: files, scope: 'openid files:read' }
  const { tokens } = await signIn(service, application, new Browser(), parameters, undefined, { resource: files })
  const refresh = (resource: string) =>
    client.refreshTokenGrant(application.config, String(tokens.refresh_token), { resource })
  for (const resource of [`${files}/`, mail, 'https://unknown.example/'])
    assert.is(await refused(refresh(resource)), 'invalid_target', resource)
  const { access_token } = await refresh(files)
  assert.is((await introspected(server, access_token)).aud, files)
  assert.is(await refused(refresh(files)), 'invalid_grant')
})

resources(
  'a request without a scope is answered, and its token is for the resource',
  async ({ world: { service }, server }) => {
    const application = await configured(service, agent)
    const { url, checks } = await application.request({ resource: files })
    const unscoped = new URL(url)
    unscoped.searchParams.delete('scope')
    const { end, page } = await goThrough(new Browser(), service, unscoped.href)
    assert.ok(end, await page?.text())
    const tokens = await client.authorizationCodeGrant(application.config, end, checks, { resource: files })
    assert.is((await introspected(server, tokens.access_token)).aud, files)
  },
)

resources('a JWT for a resource verifies by the key set', async ({ world: { service } }) => {
  const application = await configured(service, agent)
  const parameters = { resource: mail, scope: 'mail' }
  const { tokens } = await signIn(service, application, new Browser(), parameters, undefined, { resource: mail })
  const keySet = createRemoteJWKSet(new URL(`${service.url}/jwks.json`))
  const { payload } = await jwtVerify(tokens.access_token, keySet, {
    issuer: service.url,
    audience: mail,
    typ: 'at+jwt',
  })
  assert.is(payload['scope'], 'mail')
})

resources('a resource that is not for the client is refused', async ({ world: { service } }) => {
  const application = await configured(service, agent)
  for (const resource of [
    'https://other.example/',
    'https://unknown.example/',
    'urn:x',
    'https://files.example/mcp#a',
  ]) {
    const { url } = await application.request({ resource })
    const { end } = await goThrough(new Browser(), service, url)
    assert.is(end?.searchParams.get('error'), 'invalid_target', resource)
  }
})

resources('a pushed request and a DPoP key bind the tokens', async ({ world: { service } }) => {
  const application = await configured(service, { ...confidential, dpop_bound_access_tokens: true })
  const { config } = application
  const { url, checks } = await application.request()
  const pushed = await client.buildAuthorizationUrlWithPAR(config, new URL(url).searchParams)
  const { end, page } = await goThrough(new Browser(), service, pushed.href)
  assert.ok(end, await page?.text())
  const DPoP = client.getDPoPHandle(config, await client.randomDPoPKeyPair())
  const tokens = await client.authorizationCodeGrant(config, end, checks, undefined, { DPoP })
  assert.is(tokens.token_type, 'dpop')
  assert.is((await client.fetchUserInfo(config, tokens.access_token, 'zoe', { DPoP })).sub, 'zoe')
  const again = await goThrough(new Browser(), service, pushed.href)
  assert.is(again.end?.searchParams.get('error') ?? again.page?.status, 400)
})

resources('an access token with a scope of registration registers one client', async ({ world: { service } }) => {
  const machine = { grant_types: ['client_credentials'], scope: 'client-reg:grant:code' }
  const application = await configured(service, machine)
  const { access_token } = await client.clientCredentialsGrant(application.config, { scope: machine.scope })
  const metadata = { redirect_uris: [callback] }
  assert.is((await post(`${service.url}/clients`, access_token, metadata)).status, 201)
  assert.is((await post(`${service.url}/clients`, access_token, metadata)).status, 401)
  const plain = await configured(service, { grant_types: ['client_credentials'] })
  assert.is(await refused(client.clientCredentialsGrant(plain.config, { scope: machine.scope })), 'invalid_scope')
})

resources('no token with a DPoP key has a scope of registration', async ({ world: { service } }) => {
  const scope = 'client-reg:grant:code api'
  const { config } = await configured(service, { grant_types: ['client_credentials'], scope })
  const DPoP = client.getDPoPHandle(config, await client.randomDPoPKeyPair())
  await rejects(client.clientCredentialsGrant(config, { scope }, { DPoP }), {
    error: 'invalid_scope',
    error_description: /ask without a DPoP proof/,
  })
  assert.is((await client.clientCredentialsGrant(config, { scope: 'api' }, { DPoP })).token_type, 'dpop')
  assert.is((await client.clientCredentialsGrant(config, { scope })).token_type, 'bearer')
})

resources(
  'no token, and no update by the client, makes a client that registers others',
  async ({ world: { service } }) => {
    const { url } = service
    const machine = { grant_types: ['client_credentials'] }
    for (const scope of [
      'client-reg',
      'client-reg:grant:client client-reg:scope',
      'client-reg:grant:client client-reg:scope:client-reg',
    ]) {
      const issued = await post(`${url}/direct-authz`, masterToken, { scope })
      const { access_token } = (await issued.json()) as { readonly access_token: string }
      const refused = await post(`${url}/clients`, access_token, { ...machine, scope: 'client-reg' })
      assert.is(refused.status, 403)
      assert.match(String(refused.headers.get('www-authenticate')), /insufficient_scope.*master token/)
    }
    const { registered } = await configured(service, { ...machine, scope: 'api client-reg:data' })
    const update = (token: string, scope: string): Promise<Response> =>
      fetch(`${url}/clients/${registered.client_id}`, {
        method: 'PUT',
        headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
        body: JSON.stringify({ ...machine, scope }),
      })
    assert.is((await update(registered.registration_access_token, 'client-reg:data client-reg')).status, 403)
    assert.is((await update(registered.registration_access_token, 'client-reg:data other')).status, 200)
    assert.is((await update(masterToken, 'client-reg')).status, 200)
  },
)

resources('a token of registration ends with the client that got it', async ({ world: { service } }) => {
  const application = await configured(service, { grant_types: ['client_credentials'], scope: 'client-reg:grant:code' })
  const { access_token } = await client.clientCredentialsGrant(application.config, { scope: 'client-reg:grant:code' })
  await remove(service, application.registered)
  assert.is((await post(`${service.url}/clients`, access_token, { redirect_uris: [callback] })).status, 401)
})

type Listed = { readonly rows: ReadonlyArray<{ readonly entry: AuditEntry }> }

const auditOf = async (url: string, client_id: string): Promise<ReadonlyArray<AuditEntry>> => {
  const headers = { Authorization: `Bearer ${masterToken}` }
  const answer = await fetch(`${url}/manage/v1/audit?client_id=${client_id}`, { headers })
  return ((await answer.json()) as Listed).rows.map(({ entry }) => entry).reverse()
}

resources('a token of registration has an audit row, and so has its end', async ({ world: { service } }) => {
  const scope = 'client-reg:grant:code'
  const { config, registered } = await configured(service, { grant_types: ['client_credentials'], scope })
  const { client_id } = registered
  const used = await client.clientCredentialsGrant(config, { scope })
  const unused = await client.clientCredentialsGrant(config, { scope })
  await client.clientCredentialsGrant(config, {})
  assert.is((await post(`${service.url}/clients`, used.access_token, { redirect_uris: [callback] })).status, 201)
  for (const { access_token } of [used, unused, unused]) await client.tokenRevocation(config, access_token)
  const [registration, ...rows] = await auditOf(service.url, client_id)
  assert.is(registration?.action, 'client_registered')
  assert.equal(
    rows.map(({ action, subject }) => [action, subject === rows[1]?.subject]),
    [
      ['initial_access_token_issued', false],
      ['initial_access_token_issued', true],
      ['initial_access_token_revoked', true],
    ],
  )
  for (const { actor, origin } of rows) {
    assert.equal([actor, origin.door, origin.address], [{ kind: 'client', fingerprint: '' }, 'http', '127.0.0.1'])
    assert.match(origin.request_id, /^[\w-]{36}$/)
  }
  assert.is(new Set(rows.map(({ origin }) => origin.request_id)).size, 3)
})

resources.run()
