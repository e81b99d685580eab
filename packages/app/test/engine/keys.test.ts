// The keys of the service in the hands of the engine: RFC 7517, RFC 9101 §6.1.
import { CompactEncrypt, decodeProtectedHeader, importJWK } from 'jose'
import * as client from 'openid-client'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { Browser, goThrough } from './support/browser.js'
import { callback, confidential, configured, signIn } from './support/relying-party.js'
import { post } from '../cli/run.js'
import { type World, masterToken, startTwo, stopTwo } from '../support/two-services.js'

const keys = suite<{ world: World }>('the keys of the authorization server')

keys.before(async (context) => {
  context.world = await startTwo({
    engine: 'oidc-provider',
    'registration-status': '201',
    'signing-algorithms': 'RS256,ES256,EdDSA',
  })
})
keys.after(({ world }) => stopTwo(world))

type Published = { readonly kid: string; readonly alg: string; readonly use: string }

const published = async (url: string): Promise<ReadonlyArray<Published>> =>
  ((await (await fetch(`${url}/jwks.json`)).json()) as { readonly keys: ReadonlyArray<Published> }).keys

keys('ID tokens verify by the key set, in every algorithm', async ({ world: { one } }) => {
  for (const alg of ['RS256', 'ES256', 'EdDSA']) {
    const application = await configured(one, { ...confidential, id_token_signed_response_alg: alg })
    client.enableNonRepudiationChecks(application.config)
    const { tokens } = await signIn(one, application, new Browser())
    const { kid } = decodeProtectedHeader(String(tokens.id_token))
    assert.is((await published(one.url)).find((each) => each.kid === kid)?.alg, alg)
  }
})

keys('a login that began before another key signs goes on, and its token has the new key', async ({ world }) => {
  const { one } = world
  const application = await configured(one, confidential)
  client.enableNonRepudiationChecks(application.config)
  const before = await signIn(one, application, new Browser())
  const { kid } = decodeProtectedHeader(String(before.tokens.id_token))
  const { url, checks } = await application.request()
  const browser = new Browser()
  const begun = await browser.open(url)
  assert.is((await post(`${one.url}/keys/compromise`, masterToken, { kid })).status, 200)
  const { end } = await goThrough(browser, one, new URL(String(begun.headers.get('location')), url).href)
  assert.ok(end)
  const later = await configured(one, confidential)
  const config = new client.Configuration(
    later.config.serverMetadata(),
    application.registered.client_id,
    {},
    client.ClientSecretBasic(application.registered.client_secret),
  )
  client.allowInsecureRequests(config)
  client.enableNonRepudiationChecks(config)
  const tokens = await client.authorizationCodeGrant(config, end, checks)
  assert.is.not(decodeProtectedHeader(String(tokens.id_token)).kid, kid)
})

keys('a request object that is encrypted to the published key is decrypted', async ({ world: { one } }) => {
  const application = await configured(one, {
    ...confidential,
    request_object_signing_alg: 'HS256',
    response_types: ['code'],
  })
  const [encryption] = (await published(one.url)).filter(({ use }) => use === 'enc')
  assert.ok(encryption)
  const { client_id, client_secret } = application.registered
  const { SignJWT } = await import('jose')
  const signed = await new SignJWT({
    client_id,
    redirect_uri: callback,
    response_type: 'code',
    scope: 'openid',
    state: 'sealed',
    nonce: 'n',
  })
    .setProtectedHeader({ alg: 'HS256' })
    .setIssuer(client_id)
    .setAudience(one.url)
    .setExpirationTime('1m')
    .sign(new TextEncoder().encode(client_secret))
  const request = await new CompactEncrypt(new TextEncoder().encode(signed))
    .setProtectedHeader({ alg: encryption.alg, enc: 'A128GCM', kid: encryption.kid, cty: 'JWT' })
    .encrypt(await importJWK({ ...encryption }))
  const url = `${one.url}/authorize?${new URLSearchParams({ client_id, request, scope: 'openid', response_type: 'code' }).toString()}`
  const { end, page } = await goThrough(new Browser(), one, url)
  assert.is(end?.searchParams.get('state'), 'sealed', await page?.text())
  assert.ok(end?.searchParams.get('code'))
})

keys.run()
