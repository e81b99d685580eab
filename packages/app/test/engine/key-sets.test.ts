// The keys of a client at its jwks_uri: RFC 7591 §2, RFC 7523 §3.
import { type CryptoKey, SignJWT, exportJWK, generateKeyPair } from 'jose'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { reachReceivers, startReceiver } from '../support/receivers.js'
import { post } from '../cli/run.js'
import { type World, masterToken, startTwo, stopTwo } from '../support/two-services.js'
import { confidential, configured } from './support/relying-party.js'

const sets = suite('key sets of clients')

const tokenStatus = async ({ one }: World, jwks_uri: string, privateKey: CryptoKey): Promise<number> => {
  const method = { token_endpoint_auth_method: 'private_key_jwt', token_endpoint_auth_signing_alg: 'ES256', jwks_uri }
  const { client_id } = (await configured(one, { ...confidential, ...method })).registered
  const client_assertion = await new SignJWT({ iss: client_id, sub: client_id, aud: one.url, jti: jwks_uri })
    .setProtectedHeader({ alg: 'ES256' })
    .setExpirationTime('1m')
    .sign(privateKey)
  const client_assertion_type = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'
  const body = new URLSearchParams({ grant_type: 'client_credentials', client_assertion, client_assertion_type })
  return (await fetch(`${one.url}/token`, { method: 'POST', body })).status
}

const inWorld = async (
  settings: Readonly<Record<string, string>>,
  outbound: Partial<typeof reachReceivers>,
  run: (world: World) => Promise<void>,
): Promise<void> => {
  const flags = { engine: 'oidc-provider', 'registration-status': '201', ...settings }
  const world = await startTwo(flags, { outbound })
  try {
    await run(world)
  } finally {
    await stopTwo(world)
  }
}

const { publicKey, privateKey } = await generateKeyPair('ES256')
const body = JSON.stringify({ keys: [{ ...(await exportJWK(publicKey)), kid: 'one' }] })

sets('are fetched with outbound-fetches, from public addresses only, and not without it', async () => {
  const host = await startReceiver((response) => void response.end(body))
  const { allowsAddress, ...guarded } = reachReceivers
  await inWorld({ 'outbound-fetches': 'true' }, { ...guarded, allowsAddress }, async (world) => {
    assert.is(await tokenStatus(world, host.uri, privateKey), 200)
    assert.equal(
      host.received.map(({ path }) => path),
      ['GET /logout?from=op'],
    )
  })
  await inWorld({ 'outbound-fetches': 'true' }, guarded, async (world) => {
    assert.is(await tokenStatus(world, host.uri, privateKey), 401)
  })
  await inWorld({}, reachReceivers, async (world) => {
    assert.is(await tokenStatus(world, host.uri, privateKey), 401)
  })
  assert.is(host.received.length, 1)
  await host.stop()
})

sets('a registration tells that they are not fetched without it, and names the setting', async () => {
  const sent = { ...confidential, jwks_uri: 'https://rp.example/keys' }
  const warnings = async ({ one }: World): Promise<unknown> => {
    const answer = await post(`${one.url}/clients?dry_run=true`, masterToken, sent)
    const { warnings: found } = (await answer.json()) as { readonly warnings: ReadonlyArray<{ description: string }> }
    return found.map(({ description }) => /outbound-\w+/.exec(description)?.[0])
  }
  await inWorld({}, {}, async (world) => assert.equal(await warnings(world), ['outbound-fetches']))
  await inWorld({ 'outbound-fetches': 'true' }, {}, async (world) => assert.equal(await warnings(world), []))
  await inWorld({ engine: 'none' }, {}, async (world) => assert.equal(await warnings(world), []))
})

sets.run()
