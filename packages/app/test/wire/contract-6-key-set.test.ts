import { writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { send } from '../support/requests.js'
import { type Service, discard, newDataDir, startService } from '../support/composed-service.js'

const contract = suite<{ service: Service }>('contract 6 and 7: key set and metadata')

const endpoint = { token_endpoint: 'https://op.example/token' }

contract.before(async (context) => {
  const dataDir = newDataDir()
  const file = join(dataDir, 'provider.json')
  writeFileSync(file, JSON.stringify(endpoint))
  context.service = await startService(
    { CLIENTELE_SIGNING_ALGORITHMS: 'RS256,ES256,EdDSA', CLIENTELE_PROVIDER_METADATA_FILE: file },
    dataDir,
  )
})
contract.after(async ({ service }) => {
  await service.stop()
  discard(service.dataDir)
})

const published = ['/jwks.json', '/.well-known/openid-configuration', '/.well-known/oauth-authorization-server']

const keysOf = (json: Readonly<Record<string, unknown>>): ReadonlyArray<Readonly<Record<string, unknown>>> => {
  const { keys } = json
  return Array.isArray(keys) ? keys.map((key: unknown) => Object(key)) : []
}

contract(
  'one key for each algorithm, and one to encrypt to; public members, kid, use and alg only',
  async ({ service }) => {
    const { status, headers, json } = await send(service, '/jwks.json')
    assert.is(status, 200)
    assert.is(headers.get('content-type'), 'application/json')
    const keys = keysOf(json)
    assert.equal(keys.map(({ alg, use }) => `${String(alg)} ${String(use)}`).sort(), [
      'ES256 sig',
      'EdDSA sig',
      'RS256 sig',
      'RSA-OAEP-256 enc',
    ])
    const allowed = ['kty', 'kid', 'use', 'alg', 'n', 'e', 'crv', 'x', 'y']
    assert.equal(
      keys.flatMap((key) => Object.keys(key)).filter((name) => !allowed.includes(name)),
      [],
    )
    for (const { kid } of keys) assert.match(String(kid), /^[\w-]{43}$/)
  },
)

for (const path of published) {
  contract(`${path} may be kept by everybody, and is 304 for whoever has it`, async ({ service }) => {
    const { headers } = await send(service, path)
    const etag = headers.get('etag') ?? ''
    assert.match(etag, /^"[\w-]{43}"$/)
    assert.is(headers.get('cache-control'), 'public, max-age=3600')
    assert.is(headers.get('access-control-allow-origin'), '*')
    for (const tag of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const again = await send(service, path, { headers: { 'if-none-match': tag } })
      assert.is(again.status, 304, tag)
      assert.is(again.text, '')
      assert.is(again.headers.get('etag'), etag)
      assert.is(again.headers.get('cache-control'), 'public, max-age=3600')
    }
    assert.is((await send(service, path, { headers: { 'if-none-match': '"other"' } })).status, 200)
  })

  contract(`HEAD ${path} has the headers of GET and no body; nothing else is allowed`, async ({ service }) => {
    const get = await send(service, path)
    const head = await send(service, path, { method: 'HEAD' })
    assert.is(head.status, 200)
    assert.is(head.text, '')
    for (const name of ['etag', 'content-type', 'content-length', 'cache-control'])
      assert.is(head.headers.get(name), get.headers.get(name), name)
    const post = await send(service, path, { method: 'POST', json: {} })
    assert.is(post.status, 405)
    assert.is(post.headers.get('allow'), 'GET, HEAD')
  })
}

contract('both documents name the endpoints, tell what the provider adds, and are alike', async ({ service }) => {
  const [openid, oauth] = await Promise.all(published.slice(1).map((path) => send(service, path)))
  assert.is(openid?.json['issuer'], service.base)
  assert.is(openid?.json['jwks_uri'], `${service.base}/jwks.json`)
  assert.is(openid?.json['registration_endpoint'], `${service.base}/clients`)
  assert.is(openid?.json['token_endpoint'], endpoint.token_endpoint)
  assert.is(openid?.json['end_session_endpoint'], `${service.base}/logout`)
  assert.is(openid?.text, oauth?.text)
})

contract('a restart changes neither keys nor entity tag', async () => {
  const first = await startService()
  const before = await send(first, '/jwks.json')
  await first.stop()
  const second = await startService({}, first.dataDir)
  const after = await send(second, '/jwks.json')
  assert.is(after.text, before.text)
  assert.is(after.headers.get('etag'), before.headers.get('etag'))
  await second.stop()
  discard(first.dataDir)
})

for (const [method, path] of [
  ['GET', '/keys'],
  ['POST', '/keys/roll-over'],
  ['POST', '/keys/compromise'],
  ['POST', '/keys/import'],
] as const)
  contract(`${method} ${path} is for MASTER alone, and never kept`, async ({ service }) => {
    const json = method === 'POST' ? {} : undefined
    assert.is((await send(service, path, { method, json })).status, 401)
    const wrong = await send(service, path, { method, json, token: 'not the master token' })
    assert.is(wrong.status, 401)
    assert.is(wrong.json['error'], 'invalid_token')
    const answer = await send(service, path, { method, json, token: service.master })
    assert.not.equal(answer.status, 401)
    assert.is(answer.headers.get('cache-control'), 'no-store')
  })

contract('with a management port the keys are managed there, and not on the public one', async () => {
  const service = await startService({ CLIENTELE_MANAGEMENT_PORT: '0' })
  const token = service.master
  assert.is((await send(service, '/keys', { token })).status, 404)
  const [, management = ''] = /^Health and metrics at (\S+)$/m.exec(service.output().stdout) ?? []
  assert.is((await send({ base: management }, '/keys', { token })).status, 200)
  assert.is((await send({ base: management }, '/jwks.json')).status, 200)
  await service.stop()
  discard(service.dataDir)
})

contract('a HEAD over the bare protocol ends with its headers', async ({ service }) => {
  const bytes = await new Promise<number>((resolve, reject) => {
    request(`${service.base}/jwks.json`, { method: 'HEAD', timeout: 10_000 }, (answer) => {
      let length = 0
      answer.on('data', (chunk: Buffer) => (length += chunk.length))
      answer.on('end', () => resolve(length))
    })
      .on('error', reject)
      .end()
  })
  assert.is(bytes, 0)
})

contract.run()
