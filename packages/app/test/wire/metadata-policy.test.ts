import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { policyFile } from '../support/metadata/policies.js'
import { allClients, assertCareful, rulesOf } from '../support/metadata/refusals.js'
import { configurationOf, issueToken, register, send } from '../support/requests.js'
import { type Service, discard, startService } from '../support/composed-service.js'

const policies = suite<{ service: Service; folder: string }>('the registration policy, on POST and PUT')

const policy = {
  allowed_redirect_hosts: ['rp.example', '*.apps.example', 'localhost', 'com.example.app:', 'my-editor:'],
  allowed_private_use_schemes: ['my-editor', 'my-other-editor'],
  required_members: ['client_name', 'contacts', 'grant_types'],
  allowed_token_endpoint_auth_methods: ['client_secret_basic', 'none', 'private_key_jwt'],
  allowed_algorithms: ['RS256', 'ES256', 'ECDH-ES', 'A128CBC-HS256'],
}

policies.before(async (context) => {
  const { file, folder } = policyFile(JSON.stringify(policy))
  context.folder = folder
  context.service = await startService({
    CLIENTELE_REGISTRATION_POLICY: file,
    CLIENTELE_SIGNING_ALGORITHMS: 'RS256,ES256',
  })
})
policies.after(async ({ service, folder }) => {
  await service.stop()
  discard(service.dataDir)
  discard(folder)
})

const valid = { redirect_uris: ['https://rp.example/cb'], client_name: 'Example', contacts: ['ops@rp.example'] }
const jwks_uri = 'https://keys.elsewhere.example/jwks.json'

type Case = readonly [reported: ReadonlyArray<string>, ...bodies: ReadonlyArray<Readonly<Record<string, unknown>>>]

const hosts = (...uris: ReadonlyArray<string>): ReadonlyArray<Readonly<Record<string, unknown>>> =>
  uris.map((uri) => ({ redirect_uris: [uri] }))

const refused: Readonly<Record<string, Case>> = {
  'a host that is not allowed': [
    ['/redirect_uris/0 policy-redirect-host'],
    ...hosts(
      'https://evil.example/cb',
      'https://apps.example/cb',
      'https://evilapps.example/cb',
      'https://rp.example.evil.com/cb',
      'https://xrp.example/cb',
      'https://sub.rp.example/cb',
      'https://evil.example/rp.example',
      'https://evil.example/?rp.example',
      'http://127.0.0.1/cb',
      'http://[::1]/cb',
      'https://xn--rp-example.com/',
    ),
  ],
  'a private-use scheme that is not allowed': [
    ['/redirect_uris/0 policy-redirect-host'],
    ...hosts(
      'com.example.apps:/cb',
      'com.example:/cb',
      'x.com.example.app:/cb',
      'com.evil.app://rp.example/cb',
      'my-other-editor://rp.example/cb',
    ).map((each) => ({
      ...each,
      application_type: 'native',
    })),
  ],
  'a scheme that the operator left out': [
    ['/redirect_uris/0 redirect-uri-private-use', '/redirect_uris/0 policy-redirect-host'],
    ...hosts('cursor://cb').map((each) => ({ ...each, application_type: 'native' })),
  ],
  'one host among others': [
    ['/redirect_uris/1 policy-redirect-host'],
    { redirect_uris: ['https://rp.example/cb', 'https://evil.example/cb'] },
  ],
  'a host after logout': [
    ['/post_logout_redirect_uris/0 policy-redirect-host'],
    { post_logout_redirect_uris: ['https://evil.example/bye'] },
  ],
  'a host after claims gathering': [
    ['/claims_redirect_uris/0 policy-redirect-host'],
    { claims_redirect_uris: ['https://evil.example/claims'] },
  ],
  'a required member that is left out': [['/contacts policy-required'], { contacts: undefined }],
  'all required members that are left out': [
    ['/client_name policy-required', '/contacts policy-required'],
    { contacts: undefined, client_name: undefined, 'client_name#fr': 'Exemple' },
  ],
  'an authentication method': [
    ['/token_endpoint_auth_method policy-auth-method'],
    { token_endpoint_auth_method: 'client_secret_post' },
    { token_endpoint_auth_method: 'self_signed_tls_client_auth', jwks_uri },
    { token_endpoint_auth_methods_supported: ['client_secret_post'] },
  ],
  'an algorithm': [
    ['/id_token_signed_response_alg policy-algorithm'],
    { id_token_signed_response_alg: 'PS256' },
    { id_token_signed_response_alg: 'none' },
    { id_token_signing_alg_values_supported: ['EdDSA'] },
  ],
  'the algorithms of encryption': [
    ['/userinfo_encrypted_response_alg policy-algorithm', '/userinfo_encrypted_response_enc policy-algorithm'],
    { jwks_uri, userinfo_encrypted_response_alg: 'RSA-OAEP', userinfo_encrypted_response_enc: 'A256GCM' },
  ],
  'all of it at once': [
    [
      '/redirect_uris/0 policy-redirect-host',
      '/token_endpoint_auth_method policy-auth-method',
      '/client_name text',
      '/contacts policy-required',
      '/userinfo_signed_response_alg policy-algorithm',
    ],
    {
      redirect_uris: ['https://evil.example/cb'],
      token_endpoint_auth_method: 'client_secret_jwt',
      client_name: '',
      contacts: undefined,
      userinfo_signed_response_alg: 'ES384',
    },
  ],
  'a URI that is none is not also on the wrong host': [['/redirect_uris/0 uri'], ...hosts('https://evil.example/ x')],
}

for (const [name, [reported, ...bodies]] of Object.entries(refused))
  policies(`${name}: 400 ${reported.join(', ')}`, async ({ service }) => {
    const registered = await register(service, valid)
    const { path, token: rat } = configurationOf(registered)
    const token = await issueToken(service, 'client-reg')
    const before = await allClients(service)
    for (const body of bodies)
      for (const [method, at, by] of [
        ['POST', '/clients', token],
        ['POST', '/clients', service.master],
        ['POST', '/clients?dry_run=true', token],
        ['PUT', path, rat],
        ['PUT', path, service.master],
      ] as const) {
        const answer = await send(service, at, { method, token: by, json: { ...valid, ...body } })
        const isOfRedirects = reported[0]?.startsWith('/redirect_uris') ?? false
        assertCareful(answer, 400, isOfRedirects ? 'invalid_redirect_uri' : 'invalid_client_metadata')
        assert.equal(rulesOf(answer), reported, JSON.stringify(body))
      }
    assert.is(await allClients(service), before)
    assert.is((await register(service, valid, token)).status, 200, 'the token is not spent')
  })

const allowed: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'an allowed host on any port, in any case': {
    redirect_uris: ['https://rp.example:8443/cb', 'https://RP.Example/cb', 'http://localhost:3000/cb'],
  },
  'every name below': { redirect_uris: ['https://a.apps.example/cb', 'https://a.b.apps.example/cb'] },
  'allowed private-use schemes': {
    application_type: 'native',
    redirect_uris: ['com.example.app:/cb', 'com.example.app://elsewhere.example/cb', 'my-editor://cb'],
  },
  'other URIs on other hosts': { jwks_uri, logo_uri: 'https://cdn.example/logo.png' },
  'an allowed method': { token_endpoint_auth_method: 'private_key_jwt', jwks_uri },
  'allowed algorithms': {
    jwks_uri,
    id_token_signed_response_alg: 'ES256',
    id_token_encrypted_response_alg: 'ECDH-ES',
  },
}

for (const [name, body] of Object.entries(allowed))
  policies(`${name}: taken`, async ({ service }) => {
    const answer = await register(service, { ...valid, ...body })
    assert.is(answer.status, 200, answer.text)
    const { path, token } = configurationOf(answer)
    assert.is((await send(service, path, { method: 'PUT', token, json: { ...valid, ...body } })).status, 200)
  })

for (const path of ['/.well-known/openid-configuration', '/.well-known/oauth-authorization-server'])
  policies(`the lists of ${path} are those of the policy`, async ({ service }) => {
    const { status, json } = await send(service, path)
    assert.is(status, 200)
    assert.equal(json['token_endpoint_auth_methods_supported'], ['client_secret_basic', 'private_key_jwt', 'none'])
    assert.equal(json['id_token_signing_alg_values_supported'], ['RS256', 'ES256'])
    assert.equal(json['token_endpoint_auth_signing_alg_values_supported'], ['RS256', 'ES256'])
    assert.equal(json['id_token_encryption_alg_values_supported'], ['ECDH-ES'])
    assert.equal(json['id_token_encryption_enc_values_supported'], ['A128CBC-HS256'])
    const listed = Object.entries(json).filter(([name]) => /_(?:alg|enc)_values_supported$/.test(name))
    assert.ok(listed.length >= 17)
    for (const [name, values] of listed)
      for (const value of Array.isArray(values) ? values : [undefined])
        assert.ok(policy.allowed_algorithms.includes(String(value)), `${name}: ${String(value)}`)
  })

policies.run()
