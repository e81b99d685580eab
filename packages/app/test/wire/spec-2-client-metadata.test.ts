import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { configurationOf, issueToken, redirect_uris, register, send } from '../support/requests.js'
import { type Service, discard, startService } from '../support/composed-service.js'

const specification = suite<{ service: Service }>('specification 2: resources and their fields')

specification.before(async (context) => {
  context.service = await startService({ CLIENTELE_SIGNING_ALGORITHMS: 'RS256,ES256' })
})
specification.after(async ({ service }) => {
  await service.stop()
  discard(service.dataDir)
})

specification('2.1 every member seen in the shapes is provisioned and told', async ({ service }) => {
  const metadata = {
    application_type: 'web',
    redirect_uris: ['https://rp.example/a', 'https://rp.example/b?q=%20x+y'],
    client_name: 'Example',
    'client_name#ja-Jpan-JP': '例',
    logo_uri: 'https://rp.example/logo.png',
    policy_uri: 'https://rp.example/policy',
    tos_uri: 'https://rp.example/tos',
    client_uri: 'https://rp.example/',
    contacts: ['ops@rp.example'],
    token_endpoint_auth_method: 'client_secret_post',
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    id_token_signed_response_alg: 'ES256',
    subject_type: 'pairwise',
    post_logout_redirect_uris: ['https://rp.example/bye'],
    scope: 'openid email',
    jwks: { keys: [{ kty: 'EC', crv: 'P-256', x: 'A'.repeat(43), y: 'A'.repeat(43) }] },
    software_id: '4NRB1-0XZABZI9E6-5SM3R',
    software_version: '2.2',
    data: { tier: 3, nested: { list: [1, null, 'x'] } },
  }
  const answer = await register(service, metadata)
  assert.is(answer.status, 200)
  for (const [member, value] of Object.entries(metadata)) assert.equal(answer.json[member], value, member)
})

specification(
  '2.1 a registration that omits them gets the default grant, response type, algorithm and subject type',
  async ({ service }) => {
    const { json } = await register(service)
    assert.equal(json['grant_types'], ['authorization_code'])
    assert.equal(json['response_types'], ['code'])
    assert.is(json['id_token_signed_response_alg'], 'RS256')
    assert.is(json['subject_type'], 'public')
  },
)

specification('2.1 data is stored as it is and told again', async ({ service }) => {
  const token = await issueToken(service, 'client-reg:grant:code client-reg:data')
  const data = { a: [1, { b: null }], né: 'ü' }
  const registered = await register(service, { redirect_uris, data }, token)
  assert.equal(registered.json['data'], data)
  const { path, token: rat } = configurationOf(registered)
  assert.equal((await send(service, path, { token: rat })).json['data'], data)
})

specification('2.1 preferred_client_id and preferred_client_secret import a registration', async ({ service }) => {
  const preferred_client_secret = 'imported secret of 32 characters and more'
  const answer = await register(service, { redirect_uris, preferred_client_id: 'imported~1', preferred_client_secret })
  assert.is(answer.status, 200)
  assert.is(answer.json['client_id'], 'imported~1')
  assert.is(answer.json['client_secret'], preferred_client_secret)
  assert.not('preferred_client_id' in answer.json)
  assert.not('preferred_client_secret' in answer.json)
})

specification(
  '2.1 a preferred_client_id that is taken is refused and says nothing of the other client',
  async ({ service }) => {
    await register(service, { redirect_uris, preferred_client_id: 'taken', client_name: 'Hidden name' })
    const answer = await register(service, { redirect_uris, preferred_client_id: 'taken' })
    assert.is(answer.status, 400)
    assert.is(answer.json['error'], 'invalid_client_metadata')
    assert.not.match(answer.text, 'Hidden')
    assert.is((await register(service, { redirect_uris, preferred_client_id: 'TAKEN' })).status, 200)
  },
)

specification(
  '2.2 client_id, client_secret and registration_access_token are alphanumeric, of the configured lengths',
  async ({ service }) => {
    const { json } = await register(service)
    assert.match(String(json['client_id']), /^[A-Za-z0-9]{20}$/)
    assert.match(String(json['client_secret']), /^[A-Za-z0-9]{43}$/)
    assert.match(String(json['registration_access_token']), /^[A-Za-z0-9]{43}$/)
  },
)

specification(
  '2.2 registration_client_uri is the identifier appended to the registration endpoint, whatever Host says',
  async ({ service }) => {
    const json = { redirect_uris }
    const sent = { method: 'POST', json, token: service.master, headers: { 'x-forwarded-host': 'evil.example' } }
    const answer = await send(service, '/clients', sent)
    assert.is(answer.json['registration_client_uri'], `${service.base}/clients/${String(answer.json['client_id'])}`)
  },
)

specification('2.2 client_id_issued_at is the time in whole seconds', async ({ service }) => {
  const before = Math.floor(Date.now() / 1000)
  const issuedAt = Number((await register(service)).json['client_id_issued_at'])
  assert.ok(Number.isInteger(issuedAt) && issuedAt >= before && issuedAt <= Date.now() / 1000)
})

specification('2.2 client_secret_expires_at is 0 when the secret does not expire', async ({ service }) => {
  assert.is((await register(service)).json['client_secret_expires_at'], 0)
})

for (const method of ['none', 'private_key_jwt', 'tls_client_auth', 'self_signed_tls_client_auth'])
  specification(`2.2 client_secret and its expiry are omitted for ${method}`, async ({ service }) => {
    const answer = await register(service, {
      redirect_uris,
      token_endpoint_auth_method: method,
      jwks_uri: 'https://rp.example/jwks.json',
      ...(method === 'tls_client_auth' ? { tls_client_auth_san_dns: 'rp.example' } : {}),
    })
    assert.is(answer.status, 200)
    assert.not('client_secret' in answer.json)
    assert.not('client_secret_expires_at' in answer.json)
  })

specification('2.2 no member is ever null', async ({ service }) => {
  const { json } = await register(service)
  assert.not(Object.values(json).includes(null))
})

specification('2.1 unknown members are neither stored nor told', async ({ service }) => {
  const answer = await register(service, { redirect_uris, is_admin: true, client_id: 'mine', client_secret: 'x' })
  assert.is(answer.status, 200)
  assert.not('is_admin' in answer.json)
  assert.is.not(answer.json['client_id'], 'mine')
})

specification.run()
