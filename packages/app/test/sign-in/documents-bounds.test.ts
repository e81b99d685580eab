// What the documents of clients can make a service store: docs/operate/security.md#abuse.
import { SignJWT, exportJWK, generateKeyPair } from 'jose'
import { randomUUID } from 'node:crypto'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { send } from '../support/requests.js'
import { type DocumentServer, acceptDocuments, startDocumentServer, untilStale } from './support/document-server.js'
import { type Json, type Provider, startProvider } from './support/provider.js'

type World = { provider: Provider; documents: DocumentServer }

const test = suite<World>('bounds of documents')

const approvals = 3
const redirect = 'https://rp.example/callback'

test.before(async (context) => {
  context.documents = await startDocumentServer()
  context.provider = await startProvider({
    ...acceptDocuments(),
    CLIENTELE_MAXIMUM_DOCUMENT_CHANGES: `${approvals}/1000`,
    CLIENTELE_MAXIMUM_AUTHORIZATION_REQUESTS: '40/40',
  })
})
test.after(async ({ provider, documents }) => {
  await provider.stop()
  await documents.stop()
})

const metadata = { client_name: 'An application', redirect_uris: [redirect], token_endpoint_auth_method: 'none' }

const requestOf = ({ provider }: World, client_id: string): URL => {
  const request = new URL(`${provider.service.base}/authorize`)
  request.search = new URLSearchParams({
    client_id,
    redirect_uri: redirect,
    response_type: 'code',
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
  }).toString()
  return request
}

const rowsOf = async ({ provider: { service } }: World, path: string): Promise<ReadonlyArray<Json>> => {
  const { json } = await send(service, `/manage/v1/audit?limit=1000&client_id=${encodeURIComponent(path)}`, {
    token: service.master,
  })
  return (json['rows'] as ReadonlyArray<{ readonly entry: Json }>).map(({ entry }) => entry)
}

test('an end-user approves so many new documents, and others go on; the log names none of them', async (world) => {
  const { provider, documents } = world
  const urls = Array.from({ length: approvals + 1 }, (_, index) => documents.publish(`/new-${index}.json`, metadata))
  const endUser = provider.endUser()
  const actors: Array<unknown> = []
  for (const [index, url] of urls.entries()) {
    const { end, status, page, headers } = await endUser.visit(requestOf(world, url))
    if (index < approvals) {
      assert.ok(end?.searchParams.get('code'), page)
      const [row] = await rowsOf(world, url)
      assert.equal([row?.['action'], (row?.['actor'] as Json)['kind']], ['client_registered', 'end_user'])
      actors.push(row?.['actor'])
    } else {
      assert.equal([end, status], [undefined, 429])
      assert.ok(Number(headers.get('retry-after')) >= 1)
      assert.equal(await rowsOf(world, url), [])
    }
  }
  assert.equal(new Set(actors.map((actor) => JSON.stringify(actor))).size, 1)
  assert.not.match(JSON.stringify(actors), provider.developer.username)
  // What was approved before, by whomever, costs nothing.
  assert.ok((await endUser.visit(requestOf(world, String(urls[0])))).end?.searchParams.get('code'))
  const other = await provider.endUser(provider.other).visit(requestOf(world, String(urls[approvals])))
  assert.ok(other.end?.searchParams.get('code'), other.page)
  const [row] = await rowsOf(world, String(urls[approvals]))
  assert.not.equal(row?.['actor'], actors[0])
})

test('a document that changes too often is stored no more, and its client goes on', async (world) => {
  const { provider, documents } = world
  const url = documents.publish('/flips.json', metadata)
  const endUser = provider.endUser(provider.other)
  assert.ok((await endUser.visit(requestOf(world, url))).end?.searchParams.get('code'))
  for (let version = 1; version <= approvals + 2; version += 1) {
    documents.publish('/flips.json', { ...metadata, software_version: String(version) })
    await untilStale()
    assert.ok((await endUser.visit(requestOf(world, url))).end?.searchParams.get('code'))
  }
  const { json } = await send(provider.service, `/clients/${encodeURIComponent(url)}`, {
    token: provider.service.master,
  })
  assert.is(json['software_version'], String(approvals))
  const updates = (await rowsOf(world, url)).filter(({ action }) => action === 'client_updated')
  assert.equal(
    updates.map(({ actor }) => (actor as Json)['kind']),
    Array<string>(approvals).fill('service'),
  )
})

test('pushed requests of a document with keys have a budget, and so have its assertions and proofs', async (world) => {
  const { provider, documents } = world
  const { base } = provider.service
  const { privateKey, publicKey } = await generateKeyPair('ES256')
  const jwk = await exportJWK(publicKey)
  const client_id = documents.publish('/keys.json', {
    ...metadata,
    token_endpoint_auth_method: 'private_key_jwt',
    jwks: { keys: [{ ...jwk, kid: 'one', alg: 'ES256', use: 'sig' }] },
  })
  const signed = (claims: Json, header: { alg: string; typ?: string; kid?: string; jwk?: typeof jwk }) =>
    new SignJWT({ jti: randomUUID(), ...claims })
      .setProtectedHeader(header)
      .setIssuedAt()
      .setExpirationTime('5m')
      .sign(privateKey)
  const push = async (): Promise<number> => {
    const answer = await fetch(`${base}/par`, {
      method: 'POST',
      headers: { DPoP: await signed({ htm: 'POST', htu: `${base}/par` }, { alg: 'ES256', typ: 'dpop+jwt', jwk }) },
      body: new URLSearchParams({
        client_id,
        redirect_uri: redirect,
        response_type: 'code',
        code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
        code_challenge_method: 'S256',
        client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
        client_assertion: await signed({ iss: client_id, sub: client_id, aud: base }, { alg: 'ES256', kid: 'one' }),
      }),
    })
    return answer.status
  }
  const statuses: Array<number> = []
  for (let attempt = 0; attempt < 60; attempt += 1) statuses.push(await push())
  assert.equal([...new Set(statuses)], [201, 429], statuses.join())
})

test.run()
