import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { JsonObject } from '@clientele/domain/kernel'
import type { HttpResponse } from '../../src/http/response.js'
import { getProviderMetadata } from '../../src/routes/published.js'
import type { HttpSettings } from '../../src/settings.js'
import { httpRequest, membersOf } from '../support/http-request.js'
import { httpSettings } from '../support/in-memory-ports.js'

const metadata = suite('provider metadata')

const answered = async (given: Partial<HttpSettings> = {}, ifNoneMatch?: string): Promise<HttpResponse> =>
  getProviderMetadata(httpSettings(given))(httpRequest({ ifNoneMatch }))

const besides = (providerMetadata: JsonObject): Pick<HttpSettings, 'registration'> => {
  const { registration } = httpSettings()
  return { registration: { ...registration, abilities: { signingAlgorithms: ['RS256'], providerMetadata } } }
}

metadata('issuer is the base URL exactly, and the endpoints are absolute (RFC 8414 §2)', async () => {
  const members = membersOf(await answered())
  assert.is(members['issuer'], 'https://op.example')
  assert.is(members['registration_endpoint'], 'https://op.example/clients')
  assert.is(members['jwks_uri'], 'https://op.example/jwks.json')
})

metadata('no member is null, which readers refuse', async () => {
  assert.not.ok(Object.values(membersOf(await answered())).includes(null))
})

metadata('it may be kept as long as the key set, and is not sent again to whoever has it', async () => {
  const { status, headers } = await answered()
  assert.is(status, 200)
  assert.equal(Object.keys(headers).sort(), ['Cache-Control', 'Content-Type', 'ETag'])
  assert.is(headers['Content-Type'], 'application/json')
  assert.is(headers['Cache-Control'], 'public, max-age=3600')
  const again = await answered({}, headers['ETag'])
  assert.equal([again.status, again.body], [304, { kind: 'empty' }])
})

metadata('what the provider beside it adds is told, and wins over what registration accepts', async () => {
  const added = { token_endpoint: 'https://op.example/token', response_types_supported: ['code'] }
  const members = membersOf(await answered(besides(added)))
  assert.is(members['token_endpoint'], 'https://op.example/token')
  assert.equal(members['response_types_supported'], ['code'])
})

metadata('nothing that is added counts for what only the service knows', async () => {
  const elsewhere = 'https://elsewhere.example'
  const names = ['issuer', 'jwks_uri', 'registration_endpoint', 'end_session_endpoint']
  const added = Object.fromEntries(names.map((name) => [name, elsewhere]))
  const members = membersOf(await answered(besides(added)))
  assert.not.ok(Object.values(members).includes(elsewhere))
  assert.ok(names.every((name) => Object.hasOwn(members, name)))
  const settings = httpSettings()
  const without = { ...settings.logout, path: undefined }
  const off = membersOf(await answered({ ...besides(added), logout: without }))
  assert.not.ok(Object.keys(off).some((name) => name.includes('logout') || name === 'end_session_endpoint'))
})

metadata(
  'algorithms are listed that a key ring, a client_secret or the provider beside it serves (Discovery §3)',
  async () => {
    const own = membersOf(await answered(besides({})))
    assert.equal(own['id_token_signing_alg_values_supported'], ['RS256', 'HS256', 'HS384', 'HS512', 'none'])
    assert.equal(own['introspection_signing_alg_values_supported'], ['RS256', 'HS256', 'HS384', 'HS512'])
    const added = {
      id_token_signing_alg_values_supported: ['ES256', 'of-tomorrow'],
      request_object_encryption_alg_values_supported: ['RSA1_5', 'ECDH-ES'],
    }
    const declared = membersOf(await answered(besides(added)))
    assert.equal(declared['id_token_signing_alg_values_supported'], ['ES256'], 'and none that no client may name')
    assert.equal(declared['request_object_encryption_alg_values_supported'], ['ECDH-ES'])
  },
)

metadata(
  'the languages of the logout pages are told where there are such pages, and the response modes (§3)',
  async () => {
    const { logout } = httpSettings()
    const [on, off] = [await answered(), await answered({ logout: { ...logout, path: undefined } })].map(membersOf)
    assert.equal(on?.['ui_locales_supported'], ['en', 'de', 'fr', 'es', 'ja', 'ar'])
    assert.not.ok(Object.hasOwn(off ?? {}, 'ui_locales_supported'))
    const modes = ['query', 'fragment', 'form_post', 'jwt', 'query.jwt', 'fragment.jwt', 'form_post.jwt']
    assert.equal([on?.['response_modes_supported'], off?.['response_modes_supported']], [modes, modes])
  },
)

metadata.run()
