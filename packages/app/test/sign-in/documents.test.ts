// Clients whose client_id is the URL of their metadata, from the first request to the end of the document.
import { SignJWT, generateKeyPair } from 'jose'
import { setTimeout } from 'node:timers/promises'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { send } from '../support/requests.js'
import { type DocumentServer, acceptDocuments, startDocumentServer, untilStale } from './support/document-server.js'
import { mcpCallback, mcpMetadata, signInAt, withSdk1, withSdk2 } from './support/mcp-host.js'
import { type ProtectedServer, startMcpServer } from './support/mcp-server.js'
import { type Provider, startProvider } from './support/provider.js'

type World = { provider: Provider; server: ProtectedServer; documents: DocumentServer }

const test = suite<World>('clients with a metadata document')

test.before(async (context) => {
  context.documents = await startDocumentServer()
  context.server = await startMcpServer()
  context.provider = await startProvider({ CLIENTELE_PROFILE: 'mcp', ...acceptDocuments() })
  const { service, introspect } = context.provider
  context.server.trust(service.base, async (token, resource) => {
    const { active, ...claims } = await introspect(token)
    return active && claims.aud === resource ? claims : undefined
  })
})
test.after(async ({ provider, server, documents }) => {
  await server.stop()
  await provider.stop()
  await documents.stop()
})

/** The stored client of the URL, as the operator reads it. */
const stored = async ({ provider: { service } }: World, url: string) =>
  send(service, `/clients/${encodeURIComponent(url)}`, { token: service.master })

/** The SDK, untouched, with the URL of its document. */
const withDocument = (create: typeof withSdk1, url: string) => {
  const sdk = create()
  Object.assign(sdk.host, { clientMetadataUrl: url })
  return sdk
}

for (const [name, create] of [
  ['1', withSdk1],
  ['2', withSdk2],
] as const)
  test(`SDK ${name} signs in by its document, calls a tool and refreshes; nothing is stored before the consent`, async (world) => {
    const { provider, server, documents } = world
    const url = documents.publish(`/sdk-${name}.json`, mcpMetadata)
    const sdk = withDocument(create, url)
    assert.is(await sdk.authorize(server.url), 'REDIRECT')
    assert.is(
      (await provider.endUser().visit(String(sdk.host.sentTo), { consent: 'deny' })).end?.searchParams.get('error'),
      'access_denied',
    )
    assert.is((await stored(world, url)).status, 404)

    await signInAt(server.url, sdk, provider.endUser())
    assert.is(sdk.host.information?.['client_id'], url)
    await sdk.whoami(server.url)
    assert.is(server.seen.at(-1)?.['client_id'], url)
    const first = sdk.host.stored
    assert.is(await sdk.authorize(server.url), 'AUTHORIZED')
    assert.not.equal(sdk.host.stored?.refresh_token, first?.refresh_token)

    const { status, json } = await stored(world, url)
    assert.is(status, 200)
    assert.is(json['client_name'], mcpMetadata.client_name)
    assert.is(json['registration_access_token'], undefined)
  })

test('the metadata says that documents are accepted, and none among the methods', async ({ provider: { service } }) => {
  const { json } = await send(service, '/.well-known/oauth-authorization-server')
  assert.is(json['client_id_metadata_document_supported'], true)
  assert.ok(Array.isArray(json['token_endpoint_auth_methods_supported']))
  assert.ok(json['token_endpoint_auth_methods_supported'].includes('none'))
})

test('a host that is down when the end-user answers gets no code, and one that is back does', async (world) => {
  const { provider, server, documents } = world
  const url = documents.publish('/down.json', mcpMetadata)
  const sdk = withDocument(withSdk1, url)
  assert.is(await sdk.authorize(server.url), 'REDIRECT')
  const meanwhile = async (page: string): Promise<void> => {
    if (page !== 'consent') return
    documents.publish('/down.json', 503)
    await untilStale()
  }
  const { end, requested, status } = await provider.endUser().visit(String(sdk.host.sentTo), { meanwhile })
  assert.equal([end, requested.includes('consent')], [undefined, true])
  assert.ok(status >= 400, String(status))
  assert.is((await stored(world, url)).status, 404)
  documents.publish('/down.json', mcpMetadata)
  // What failed is not requested again for ten seconds.
  await setTimeout(10_100)
  await signInAt(server.url, withDocument(withSdk1, url), provider.endUser())
  assert.is((await stored(world, url)).status, 200)
})

test('a document is used without what this service cannot do or show, and the log names it', async (world) => {
  const { provider, server, documents } = world
  const url = documents.publish('/sloppy.json', {
    ...mcpMetadata,
    grant_types: ['authorization_code', 'refresh_token', 'client_credentials'],
    response_types: ['code', 'token'],
    redirect_uris: ['not a URI', mcpCallback],
    logo_uri: 'data:image/png;base64,AA',
    contacts: 'somebody',
    software_version: 1.1,
    policy_uri: null,
  })
  await signInAt(server.url, withDocument(withSdk1, url), provider.endUser())
  const { json } = await stored(world, url)
  assert.equal([json['redirect_uris'], json['response_types']], [[mcpCallback], ['code']])
  assert.equal(json['grant_types'], ['authorization_code', 'refresh_token'])
  assert.not(['logo_uri', 'contacts', 'software_version', 'policy_uri'].some((name) => name in json))
  const line = provider.service
    .output()
    .stderr.split('\n')
    .find((each) => each.includes('/sloppy.json') && each.includes('without a part of it'))
  for (const told of [
    '/redirect_uris/0 document-left-out',
    '/grant_types document-narrowed',
    '/policy_uri empty-left-out',
  ])
    assert.match(line ?? '', told)
  assert.not.match(line ?? '', 'not a URI')
})

test('only the document changes its client', async (world) => {
  const { provider, server, documents } = world
  const url = documents.publish('/own.json', mcpMetadata)
  await signInAt(server.url, withDocument(withSdk1, url), provider.endUser())
  const { service } = provider
  const path = `/clients/${encodeURIComponent(url)}`
  const put = await send(service, path, {
    method: 'PUT',
    token: service.master,
    json: { ...mcpMetadata, client_id: url },
  })
  assert.is(put.status, 400)
  assert.match(String(put.json['error_description']), 'change the document')
  const renewal = await send(service, `${path}/renewal`, { method: 'POST', token: service.master })
  assert.is(renewal.status, 400)
})

test('a cosmetic change goes on; a new host asks again; a document that is gone suspends its client', async (world) => {
  const { provider, server, documents } = world
  const url = documents.publish('/drift.json', mcpMetadata)
  const sdk = withDocument(withSdk1, url)
  const endUser = provider.endUser()
  await signInAt(server.url, sdk, endUser)

  documents.publish('/drift.json', { ...mcpMetadata, software_version: '2' })
  await untilStale()
  assert.is(await sdk.authorize(server.url), 'AUTHORIZED')
  assert.is((await stored(world, url)).json['software_version'], '2')

  const redirect_uris = [...mcpMetadata.redirect_uris, 'https://elsewhere.example/callback']
  documents.publish('/drift.json', { ...mcpMetadata, redirect_uris })
  await untilStale()
  assert.is(await sdk.authorize(server.url), 'AUTHORIZED', 'the approved document counts for a refresh')
  assert.equal((await stored(world, url)).json['redirect_uris'], mcpMetadata.redirect_uris)
  sdk.host.invalidateCredentials('tokens')
  assert.is(await sdk.authorize(server.url), 'REDIRECT')
  const again = await endUser.visit(String(sdk.host.sentTo))
  assert.equal(again.requested, ['consent'], again.page)
  assert.is(await sdk.authorize(server.url, again.end), 'AUTHORIZED')
  assert.equal((await stored(world, url)).json['redirect_uris'], redirect_uris)

  documents.publish('/drift.json', 410)
  await untilStale()
  const { service } = provider
  const refused = await send(service, '/token', {
    method: 'POST',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({
      grant_type: 'refresh_token',
      refresh_token: String(sdk.host.tokens()?.refresh_token),
      client_id: url,
    }).toString(),
  })
  assert.equal([refused.status, refused.json['error']], [401, 'invalid_client'], refused.text)
})

const requestOf = ({ provider }: World, client_id: string, more: Readonly<Record<string, string>> = {}): URL => {
  const request = new URL(`${provider.service.base}/authorize`)
  request.search = new URLSearchParams({
    client_id,
    redirect_uri: mcpCallback,
    response_type: 'code',
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
    ...more,
  }).toString()
  return request
}

test('until an end-user approves a document, no error leads the browser to its URI', async (world) => {
  const { provider, server, documents } = world
  const url = documents.publish('/held.json', mcpMetadata)
  const refused = [{ prompt: 'none' }, { code_challenge_method: 'plain' }, { response_type: 'token' }]
  for (const more of refused) {
    const { end, status } = await provider.endUser().visit(requestOf(world, url, more))
    assert.equal([end, status], [undefined, 400], JSON.stringify(more))
  }
  // The engine takes the parameters of the query, where it finds no interaction.
  for (const response_mode of ['query', 'fragment', 'form_post']) {
    const resumption = requestOf(world, url, { response_mode })
    resumption.pathname += '/none'
    const { end, status, page } = await provider.endUser().visit(resumption)
    assert.equal([end, status], [undefined, 400])
    assert.not.match(page, mcpCallback)
  }
  await signInAt(server.url, withDocument(withSdk1, url), provider.endUser())
  const { end } = await provider.endUser().visit(requestOf(world, url, { prompt: 'none' }))
  assert.equal([end?.origin, end?.searchParams.get('error')], [new URL(mcpCallback).origin, 'login_required'])

  documents.publish('/held.json', { ...mcpMetadata, redirect_uris: [mcpCallback, 'https://elsewhere.example/'] })
  await untilStale()
  const elsewhere = requestOf(world, url, { redirect_uri: 'https://elsewhere.example/', prompt: 'none' })
  assert.is((await provider.endUser().visit(elsewhere)).end, undefined, 'a URI that no end-user approved')
  assert.ok((await provider.endUser().visit(requestOf(world, url, { prompt: 'none' }))).end, 'an approved one')
})

test('a redirection URI that the document drops before the answer gets no code', async (world) => {
  const { provider, server, documents } = world
  const dropped = 'http://127.0.0.1:7777/dropped'
  const url = documents.publish('/dropped.json', { ...mcpMetadata, redirect_uris: [mcpCallback, dropped] })
  const endUser = provider.endUser()
  await signInAt(server.url, withDocument(withSdk1, url), endUser)
  let page = requestOf(world, url, { redirect_uri: dropped, prompt: 'consent' }).href
  for (let location: string | null = page; location !== null;) {
    page = new URL(location, page).href
    const answer = await endUser.browserOf(page).open(page, { headers: { 'Sec-Fetch-Mode': 'navigate' } })
    location = answer.headers.get('location')
  }
  documents.publish('/dropped.json', mcpMetadata)
  await untilStale()
  const { end, status } = await endUser.visit(page)
  assert.equal([end, status], [undefined, 400])
})

test('a document that is not there, or not valid, is no client, and its request ends on a page', async (world) => {
  const { provider, documents } = world
  const visit = (url: string) => provider.endUser().visit(requestOf(world, url))
  const missing = await visit(documents.urlOf('/missing.json'))
  const down = await visit('https://127.0.0.1:1025/client.json')
  for (const { status, page } of [missing, down]) {
    assert.is(status, 400)
    assert.match(page, 'there is no document at client_id')
  }
  const invalid = await visit(documents.publish('/faulty.json', { ...mcpMetadata, client_secret: 'x'.repeat(40) }))
  assert.match(invalid.page, 'must not stand in a document')
  const another = await visit(
    documents.publish('/another.json', { ...mcpMetadata, client_id: documents.urlOf('/own.json') }),
  )
  assert.match(another.page, 'must be the URL of the document, byte by byte')
})

// 60 requests of nobody, each with a request object: the server of the keys is of a third party.
test('the key set of a document is requested once a minute, whoever asks', async (world) => {
  const { provider, documents } = world
  const jwks_uri = documents.publish('/keys', { keys: [] })
  const url = documents.publish('/with-keys.json', {
    ...mcpMetadata,
    token_endpoint_auth_method: 'private_key_jwt',
    jwks_uri,
  })
  const { privateKey } = await generateKeyPair('ES256')
  const { base } = provider.service
  const asked = async (): Promise<number> => {
    const request = await new SignJWT({
      client_id: url,
      response_type: 'code',
      redirect_uri: mcpCallback,
      iss: url,
      aud: base,
    })
      .setProtectedHeader({ alg: 'ES256', kid: 'any' })
      .sign(privateKey)
    const query = new URLSearchParams({ client_id: url, request })
    return (await fetch(`${base}/authorize?${query.toString()}`, { redirect: 'manual' })).status
  }
  const statuses = await Promise.all(Array.from({ length: 30 }, asked))
  for (let index = 0; index < 30; index += 1) statuses.push(await asked())
  assert.equal(new Set(statuses), new Set([400]))
  assert.is(documents.requested.filter((path) => path === '/keys').length, 1)
})

test.run()
