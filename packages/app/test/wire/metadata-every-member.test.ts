import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { allMembers, certificateMembers, publicKey } from '../support/metadata/members.js'
import { allClients } from '../support/metadata/refusals.js'
import { configurationOf, redirect_uris, register, send } from '../support/requests.js'
import { type Service, discard, startService } from '../support/composed-service.js'

const members = suite<{ service: Service }>('every member of client metadata is taken and told exactly')

members.before(async (context) => {
  context.service = await startService({ CLIENTELE_SIGNING_ALGORITHMS: 'RS256,ES256,PS256' })
})
members.after(async ({ service }) => {
  await service.stop()
  discard(service.dataDir)
})

const jwks_uri = 'https://rp.example/jwks.json'

const bodies: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'all that go together': allMembers,
  ...Object.fromEntries(
    Object.entries(certificateMembers).map(([member, value]) => [
      member,
      { redirect_uris, token_endpoint_auth_method: 'tls_client_auth', [member]: value },
    ]),
  ),
  'an IPv4 address': {
    redirect_uris,
    token_endpoint_auth_method: 'tls_client_auth',
    tls_client_auth_san_ip: '192.0.2.7',
  },
  jwks_uri: { redirect_uris, token_endpoint_auth_method: 'self_signed_tls_client_auth', jwks_uri },
  'a client that never redirects': {
    grant_types: ['client_credentials'],
    response_types: [],
    token_endpoint_auth_method: 'client_secret_jwt',
    token_endpoint_auth_signing_alg: 'HS256',
    scope: 'orders',
  },
  'symmetric algorithms': {
    redirect_uris,
    id_token_signed_response_alg: 'HS256',
    userinfo_signed_response_alg: 'HS256',
    id_token_encrypted_response_alg: 'dir',
    id_token_encrypted_response_enc: 'A256CBC-HS512',
    request_object_signing_alg: 'none',
  },
  'no signature of the ID token': { redirect_uris, id_token_signed_response_alg: 'none' },
  'keys of several kinds': {
    redirect_uris,
    jwks: {
      keys: [
        publicKey,
        { kty: 'OKP', crv: 'Ed25519', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo' },
        {
          kty: 'RSA',
          n: Buffer.alloc(256, 0xa5).toString('base64url'),
          e: 'AQAB',
          kid: 'rsa',
          x5c: ['MIIB'],
          x5t: 'abc',
        },
      ],
    },
  },
}

for (const [name, metadata] of Object.entries(bodies))
  members(`${name}: by POST, PUT, GET and the list`, async ({ service }) => {
    const registered = await register(service, metadata)
    assert.is(registered.status, 200, registered.text.slice(0, 600))
    const { path, token } = configurationOf(registered)
    const updated = await send(service, path, { method: 'PUT', token, json: metadata })
    assert.is(updated.status, 200, updated.text.slice(0, 600))
    const read = await send(service, path, { token: configurationOf(updated).token })
    const listed: unknown = JSON.parse(await allClients(service))
    const clients: ReadonlyArray<Record<string, unknown>> = Array.isArray(listed) ? listed : []
    const inList = clients.find((each) => each['client_id'] === registered.json['client_id'])
    for (const shown of [registered.json, updated.json, read.json, inList ?? {}])
      for (const [member, value] of Object.entries(metadata))
        assert.is(JSON.stringify(shown[member]), JSON.stringify(value), member)
  })

for (const [member, value] of Object.entries(allMembers)) {
  const isAboutKeys = /_alg$|_enc$|_supported$|^(?:token_endpoint_auth_method|response_types|jwks)$/.test(member)
  const isAboutCiba = member.startsWith('backchannel_token') || member.startsWith('backchannel_client')
  if (isAboutKeys || isAboutCiba || member === 'grant_types') continue
  members(`${member} alone`, async ({ service }) => {
    const answer = await register(service, { redirect_uris, [member]: value })
    assert.is(answer.status, 200, answer.text.slice(0, 300))
    assert.is(JSON.stringify(answer.json[member]), JSON.stringify(value))
  })
}

members.run()
