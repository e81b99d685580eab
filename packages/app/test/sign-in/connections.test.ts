// Connections of documented clients, and their end by the end-user's own page, at the service as a process.
import { createHash } from 'node:crypto'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { send } from '../support/requests.js'
import { type DocumentServer, acceptDocuments, startDocumentServer } from './support/document-server.js'
import type { EndUser } from './support/end-user.js'
import { type Json, type Provider, callback, startProvider } from './support/provider.js'

type World = { provider: Provider; documents: DocumentServer }

const connections = suite<World>('connections of documented clients')

connections.before(async (context) => {
  context.documents = await startDocumentServer()
  context.provider = await startProvider({ CLIENTELE_PROFILE: 'mcp', ...acceptDocuments({ scope: ['openid'] }) })
})
connections.after(async ({ provider, documents }) => {
  await provider.stop()
  await documents.stop()
})

const metadata = {
  redirect_uris: [callback],
  grant_types: ['authorization_code', 'refresh_token'],
  token_endpoint_auth_method: 'none',
  scope: 'openid',
}

const verifier = 'v'.repeat(43)

const tokenOf = async ({ service }: Provider, parameters: Readonly<Record<string, string>>) =>
  send(service, '/token', {
    method: 'POST',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(parameters).toString(),
  })

const signIn = async (provider: Provider, endUser: EndUser, client_id: string, requested: ReadonlyArray<string>) => {
  const request = new URL(`${provider.service.base}/authorize`)
  request.search = new URLSearchParams({
    client_id,
    redirect_uri: callback,
    response_type: 'code',
    scope: 'openid',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  }).toString()
  const arrival = await endUser.visit(request)
  assert.equal(arrival.requested, requested, arrival.page)
  const code = arrival.end?.searchParams.get('code') ?? ''
  const grant = { grant_type: 'authorization_code', code, code_verifier: verifier, redirect_uri: callback, client_id }
  const { json, text } = await tokenOf(provider, grant)
  assert.type(json['refresh_token'], 'string', text)
  return { access: String(json['access_token']), refresh: String(json['refresh_token']) }
}

const listed = async ({ service }: Provider, query: string): Promise<ReadonlyArray<Json>> => {
  const { json } = await send(service, `/manage/v1/connections${query}`, { token: service.master })
  return json['connections'] as ReadonlyArray<Json>
}

const userinfo = async ({ service }: Provider, token: string): Promise<number> =>
  (await send(service, '/userinfo', { token })).status

connections('a document beside another of the same host has its own, and is asked for again alone', async (world) => {
  const { provider, documents } = world
  const [web, desktop] = ['web', 'desktop'].map((name) =>
    documents.publish(`/${name}.json`, { ...metadata, client_name: `The ${name} app` }),
  )
  if (web === undefined || desktop === undefined) throw new Error('both are published')
  const endUser = provider.endUser()
  const ofWeb = await signIn(provider, endUser, web, ['login', 'consent'])
  const ofDesktop = await signIn(provider, endUser, desktop, ['consent'])
  const all = await listed(provider, '')
  assert.equal(
    all.map(({ client_id, client_name }) => [client_id, client_name]),
    [
      [web, 'The web app'],
      [desktop, 'The desktop app'],
    ],
  )
  const [connection] = await listed(provider, `?client_id=${encodeURIComponent(web)}`)
  const path = `/manage/v1/connections/${String(connection?.['id'])}`
  const { service } = provider
  assert.is((await send(service, path, { method: 'DELETE', token: service.master })).status, 204)
  assert.equal([await userinfo(provider, ofWeb.access), await userinfo(provider, ofDesktop.access)], [401, 200])
  const refresh = (token: string, client_id: string) =>
    tokenOf(provider, { grant_type: 'refresh_token', refresh_token: token, client_id })
  assert.is((await refresh(ofWeb.refresh, web)).json['error'], 'invalid_grant')
  assert.is((await refresh(ofDesktop.refresh, desktop)).status, 200)
  assert.equal(
    (await listed(provider, '')).map(({ client_id }) => client_id),
    [desktop],
  )
  await signIn(provider, endUser, desktop, [])
  await signIn(provider, endUser, web, ['consent'])
})

connections(
  'the page of the end-user shows scope and last use, and revokes with a row of who did it',
  async (world) => {
    const { provider, documents } = world
    const url = documents.publish('/own.json', { ...metadata, client_name: 'An own app' })
    const endUser = provider.endUser(provider.other)
    const tokens = await signIn(provider, endUser, url, ['login', 'consent'])
    const { base, master } = provider.service
    const browser = endUser.browserOf(base)
    const html = await (await browser.open(`${base}/consents`)).text()
    for (const text of ['An own app', 'Since <bdi>', 'Last used on <bdi>']) assert.match(html, text)
    const [, value = ''] = /name="value" value="([^"]+)"/.exec(html) ?? []
    const body = new URLSearchParams({ value })
    const answer = await browser.open(`${base}/consents`, { method: 'POST', body, headers: { Origin: base } })
    assert.is(answer.headers.get('location'), '/consents?revoked=1')
    assert.is(await userinfo(provider, tokens.access), 401)
    const [revoked] = await listed(provider, `?state=revoked&client_id=${encodeURIComponent(url)}`)
    assert.is((revoked?.['revoked_by'] as Json)['kind'], 'end_user')
    const audit = await send(provider.service, '/manage/v1/audit?action=connection_revoked&limit=1', { token: master })
    const [row] = audit.json['rows'] as ReadonlyArray<{ readonly entry: Json }>
    assert.equal([row?.entry['subject'], (row?.entry['actor'] as Json)['kind']], [revoked?.['id'], 'end_user'])
    assert.not.match(audit.text, String(revoked?.['sub']))
  },
)

connections.run()
