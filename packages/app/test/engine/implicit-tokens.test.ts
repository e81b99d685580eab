// Access tokens in authorization responses: offered by a setting alone (RFC 9700 §2.1.2).
import { createHash } from 'node:crypto'
import { decodeJwt } from 'jose'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { post } from '../cli/run.js'
import { type World, masterToken, startTwo, stopTwo } from '../support/two-services.js'
import { Browser, goThrough } from './support/browser.js'
import { callback, configured } from './support/relying-party.js'

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
    assert.match(end?.hash ?? '', 'error=invalid_request')
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
