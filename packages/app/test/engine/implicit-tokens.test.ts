// Access tokens in authorization responses: offered by a setting alone (RFC 9700 §2.1.2).
import { emptyState, openInMemoryStore } from '@clientele/adapters-memory'
import { createHash } from 'node:crypto'
import { decodeJwt } from 'jose'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { post } from '../cli/run.js'
import { type World, masterToken, startTwo, stopTwo } from '../support/two-services.js'
import { Browser, goThrough } from './support/browser.js'
import { callback, configured, configuredFor } from './support/relying-party.js'

const tokens = suite('access tokens in authorization responses')

const implicit = { redirect_uris: [callback], grant_types: ['implicit'], response_types: ['id_token token'] }
const response_type = 'id_token token'

const inWorld = async (
  settings: Readonly<Record<string, string>>,
  run: (world: World) => Promise<void>,
): Promise<void> => {
  const world = await startTwo({ engine: 'oidc-provider', 'registration-status': '201', ...settings })
  await run(world).finally(() => stopTwo(world))
}

tokens('are issued with the setting, with their hash in the ID token', () =>
  inWorld({ 'implicit-access-tokens': 'true' }, async ({ one }) => {
    const { config, request } = await configured(one, implicit)
    assert.ok(config.serverMetadata().response_types_supported?.includes(response_type))
    const { url } = await request({ response_type })
    const { end } = await goThrough(new Browser(), one, url)
    assert.equal([end?.search, end?.hash.includes('error')], ['', false], end?.href)
    const answer = new URLSearchParams(end?.hash.slice(1))
    const token = answer.get('access_token') ?? ''
    const half = createHash('sha256').update(token).digest().subarray(0, 16).toString('base64url')
    assert.is(decodeJwt(answer.get('id_token') ?? '')['at_hash'], half)
    assert.equal([answer.get('token_type'), answer.get('refresh_token')], ['Bearer', null])
    const info = await fetch(`${one.url}/userinfo`, { headers: { Authorization: `Bearer ${token}` } })
    assert.is(info.status, 200)
  }),
)

tokens('are bound to a key where the client asks for that, which no authorization response can', () =>
  inWorld({ 'implicit-access-tokens': 'true' }, async ({ one }) => {
    const metadata = { ...implicit, response_types: ['id_token', response_type], dpop_bound_access_tokens: true }
    const { request } = await configured(one, metadata)
    const { end } = await goThrough(new Browser(), one, (await request({ response_type })).url)
    assert.match(end?.hash ?? '', 'error=unauthorized_client')
    assert.not.match(end?.hash ?? '', 'access_token')
    const dry = await post(`${one.url}/clients?dry_run=true`, masterToken, metadata)
    const { warnings } = (await dry.json()) as { readonly warnings: ReadonlyArray<{ readonly rule: string }> }
    assert.equal(
      warnings.map(({ rule }) => rule),
      ['token-not-bound'],
    )
  }),
)

// With require-dpop, a token of an authorization response would be bound to no key.
for (const settings of [{}, { 'implicit-access-tokens': 'true', 'require-dpop': 'true' }])
  tokens(`are neither listed nor registered nor issued with ${JSON.stringify(settings)}`, () =>
    inWorld(settings, async ({ one }) => {
      const { config, registered, request } = await configured(one, {
        ...implicit,
        response_types: ['id_token', response_type],
      })
      assert.not.ok(config.serverMetadata().response_types_supported?.includes(response_type))
      assert.equal(Reflect.get(registered, 'response_types'), ['id_token'])
      const { end } = await goThrough(new Browser(), one, (await request({ response_type })).url)
      assert.match(end?.hash ?? '', 'error=unsupported_response_type')
      const { end: served } = await goThrough(new Browser(), one, (await request({ response_type: 'id_token' })).url)
      assert.match(served?.hash ?? '', 'id_token=')
    }),
  )

tokens.run()

const byCode = suite('the code flow alone, by policy')

const keyed = { token_endpoint_auth_method: 'private_key_jwt', jwks_uri: 'https://rp.example/jwks.json' }
const hybrid = { redirect_uris: [callback], grant_types: ['authorization_code', 'implicit'] }

type Told = { readonly adjustments: ReadonlyArray<{ readonly rule: string }>; readonly warnings: Told['adjustments'] }

// FAPI 2.0 §5.3.2.2, RFC 9700 §2.1.2, OAuth 2.1 §10.1
for (const profile of ['fapi2', 'strict', 'mcp'])
  byCode(`of the profile ${profile}, for every caller`, () =>
    inWorld({ profile }, async ({ one }) => {
      const metadata = await (await fetch(`${one.url}/.well-known/openid-configuration`)).json()
      const { response_types_supported: types, grant_types_supported: grants } = metadata as Record<string, unknown>
      assert.equal(types, ['code'])
      assert.equal(grants, ['authorization_code', 'refresh_token', 'client_credentials'])
      const send = (response_types: ReadonlyArray<string>, query = '') =>
        post(`${one.url}/clients${query}`, masterToken, { ...hybrid, ...keyed, response_types })
      for (const sent of [['id_token'], ['code id_token', 'id_token code', 'none']]) {
        const refusal = await send(sent)
        assert.is(refusal.status, 400)
        assert.match(await refusal.text(), 'the registration policy allows: choose one of them (code)')
      }
      const told = (await (await send(['code', 'code id_token'], '?dry_run=true')).json()) as Told
      assert.ok(told.adjustments.some(({ rule }) => rule === 'response-types-narrowed'))
      assert.ok(told.warnings.some(({ rule }) => rule === 'grant-not-served'))
      const registered = (await (await send(['code', 'code id_token'])).json()) as Record<string, unknown>
      assert.equal(registered['response_types'], ['code'])
    }),
  )

byCode('of clients that were registered before as well', async () => {
  const store = openInMemoryStore(emptyState())
  const engine = { engine: 'oidc-provider', 'registration-status': '201' }
  const policy = { 'registration-policy-json': '{"allowed_response_types": ["code"]}' }
  const before = await startTwo(engine, {}, store)
  const after = await startTwo({ ...engine, ...policy }, {}, store)
  const application = { ...hybrid, response_types: ['code', 'code id_token'] }
  const { registered } = await configured(before.one, application)
  const { request } = await configuredFor(after.one, application, registered)
  const { end } = await goThrough(new Browser(), after.one, (await request({ response_type: 'code id_token' })).url)
  assert.match(end?.hash ?? '', 'error=unsupported_response_type')
  assert.match(end?.hash ?? '', 'response_types_supported')
  const { end: served } = await goThrough(new Browser(), after.one, (await request()).url)
  assert.ok(served?.searchParams.has('code'), served?.href)
  // RFC 6749 §4.1.2.1: what is missing is not what the policy forbids.
  const without = new URL((await request()).url)
  without.searchParams.delete('response_type')
  const { end: refused } = await goThrough(new Browser(), after.one, without.href)
  assert.is(refused?.searchParams.get('error'), 'invalid_request', refused?.href)
  await stopTwo(before)
  await stopTwo(after)
})

byCode.run()
