// The algorithms by which clients sign and encrypt, under a policy: docs/operate/security.md#registration-policy.
import * as E from 'fp-ts/lib/Either.js'
import { CompactEncrypt, type CryptoKey, type JWK, SignJWT, exportJWK, generateKeyPair } from 'jose'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Service } from '../../src/compose.js'
import { loadConfig } from '../../src/config/load-config.js'
import { readFile } from '../../src/config/files.js'
import { started } from '../cli/run.js'
import { masterToken } from '../support/two-services.js'
import { callback, confidential, configured } from './support/relying-party.js'

type World = {
  readonly service: Service
  readonly setPolicy: (policy: object) => void
  readonly stop: () => Promise<void>
}

const signatures = suite<World>('the algorithms of clients under a policy')

const allowed_algorithms = ['PS256', 'ES256', 'EdDSA', 'RSA-OAEP-256', 'A256GCM']

const startWith = async (policy: object, flags: Readonly<Record<string, string>> = {}): Promise<World> => {
  const directory = mkdtempSync(join(tmpdir(), 'clientele-'))
  const file = join(directory, 'policy.json')
  const setPolicy = (next: object): void => writeFileSync(file, JSON.stringify(next))
  setPolicy(policy)
  const given = {
    port: '0',
    'data-dir': directory,
    'master-token': masterToken,
    engine: 'oidc-provider',
    'registration-status': '201',
    'registration-policy': file,
    ...flags,
  }
  const readConfig = () => {
    const loaded = loadConfig({ flags: given, environment: {}, readFile })
    return E.isLeft(loaded) ? E.left(['the settings cannot be read']) : E.right(loaded.right.config)
  }
  const service = await started(given, { readConfig })
  const stop = async (): Promise<void> => {
    await service.stop()
    rmSync(directory, { recursive: true })
  }
  return { service, setPolicy, stop }
}

signatures.before(async (context) => {
  Object.assign(context, await startWith({ allowed_algorithms }, { 'signing-algorithms': 'RS256,PS256' }))
})
signatures.after(({ stop }) => stop())

const pairs = {
  RS256: await generateKeyPair('RS256'),
  PS256: await generateKeyPair('PS256'),
  ES256: await generateKeyPair('ES256'),
}
const algorithms = ['RS256', 'PS256', 'ES256'] as const
const allowed = ['PS256', 'ES256']

const jwks = {
  keys: await Promise.all(algorithms.map(async (alg) => ({ ...(await exportJWK(pairs[alg].publicKey)), kid: alg }))),
}

const byKey = { ...confidential, token_endpoint_auth_method: 'private_key_jwt', jwks }

const sign = (
  alg: string,
  key: CryptoKey | Uint8Array,
  claims: Record<string, unknown>,
  header = {},
): Promise<string> =>
  new SignJWT({ jti: crypto.randomUUID(), ...claims })
    .setProtectedHeader({ alg, ...header })
    .setIssuedAt()
    .setExpirationTime('1m')
    .sign(key)

type Fields = Readonly<Record<string, string>>

const form = async ({ url }: Service, path: string, fields: Fields, headers: Fields = {}) => {
  const answer = await fetch(`${url}/${path}`, { method: 'POST', headers, body: new URLSearchParams(fields) })
  return { status: answer.status, json: (await answer.json()) as Readonly<Record<string, string>> }
}

const assertion = async ({ url }: Service, client_id: string, alg: (typeof algorithms)[number]): Promise<Fields> => ({
  client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
  client_assertion: await sign(alg, pairs[alg].privateKey, { iss: client_id, sub: client_id, aud: url }, { kid: alg }),
})

const tokenBy = async (service: Service, client_id: string, alg: (typeof algorithms)[number]) =>
  form(service, 'token', { grant_type: 'client_credentials', ...(await assertion(service, client_id, alg)) })

signatures('a client that registered none authenticates by those of the list', async ({ service }) => {
  const { registered, config } = await configured(service, byKey)
  const listed = Reflect.get(config.serverMetadata(), 'token_endpoint_auth_signing_alg_values_supported')
  assert.equal(listed, ['PS256', 'ES256', 'EdDSA'])
  for (const alg of algorithms) {
    const { status, json } = await tokenBy(service, registered.client_id, alg)
    assert.is(status, allowed.includes(alg) ? 200 : 401, alg)
    if (status === 401)
      assert.match(String(json['error_description']), 'token_endpoint_auth_signing_alg_values_supported')
  }
})

signatures('and signs request objects by those of the list', async ({ service }) => {
  const { registered } = await configured(service, byKey)
  const { client_id } = registered
  const claims = {
    iss: client_id,
    aud: service.url,
    client_id,
    redirect_uri: callback,
    response_type: 'code',
    scope: 'openid',
  }
  for (const alg of algorithms) {
    const request = await sign(alg, pairs[alg].privateKey, claims, { kid: alg })
    const { status, json } = await form(service, 'par', { request, ...(await assertion(service, client_id, 'PS256')) })
    assert.is(status, allowed.includes(alg) ? 201 : 400, `${alg} ${JSON.stringify(json)}`)
    if (status === 400) assert.match(String(json['error_description']), 'request_object_signing_alg_values_supported')
  }
})

signatures('and encrypts request objects by those of the list', async ({ service }) => {
  const { registered } = await configured(service, byKey)
  const { client_id } = registered
  const { keys } = (await (await fetch(`${service.url}/jwks.json`)).json()) as { readonly keys: ReadonlyArray<JWK> }
  const published = keys.find(({ use }) => use === 'enc')
  const key = await crypto.subtle.importKey('jwk', { ...published }, { name: 'RSA-OAEP', hash: 'SHA-256' }, false, [
    'encrypt',
  ])
  const claims = {
    iss: client_id,
    aud: service.url,
    client_id,
    redirect_uri: callback,
    response_type: 'code',
    scope: 'openid',
  }
  for (const [enc, expected] of [
    ['A256GCM', 201],
    ['A128GCM', 400],
  ] as const) {
    const signed = await sign('PS256', pairs.PS256.privateKey, claims, { kid: 'PS256' })
    const request = await new CompactEncrypt(new TextEncoder().encode(signed))
      .setProtectedHeader({ alg: 'RSA-OAEP-256', enc, cty: 'JWT' })
      .encrypt(key)
    const { status, json } = await form(service, 'par', { request, ...(await assertion(service, client_id, 'PS256')) })
    assert.is(status, expected, JSON.stringify(json))
    if (status === 400)
      assert.match(String(json['error_description']), 'request_object_encryption_enc_values_supported')
  }
})

signatures('and proves possession by those of the list', async ({ service }) => {
  const { registered, config } = await configured(service, byKey)
  assert.equal(config.serverMetadata().dpop_signing_alg_values_supported, ['PS256', 'ES256', 'EdDSA'])
  for (const alg of algorithms) {
    const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true })
    const header = { typ: 'dpop+jwt', jwk: await exportJWK(publicKey) }
    const DPoP = await sign(alg, privateKey, { htm: 'POST', htu: `${service.url}/token` }, header)
    const fields = { grant_type: 'client_credentials', ...(await assertion(service, registered.client_id, 'PS256')) }
    const { status, json } = await form(service, 'token', fields, { DPoP })
    assert.equal([status, json['error']], allowed.includes(alg) ? [200, undefined] : [400, 'invalid_dpop_proof'], alg)
  }
})

signatures('what a client registered before counts, and a reload takes the others away at once', async () => {
  const { service, setPolicy, stop } = await startWith({}, { 'signing-algorithms': 'RS256,PS256' })
  try {
    const member = { token_endpoint_auth_signing_alg: 'RS256' }
    const registering = await configured(service, { ...byKey, ...member })
    const leaving = await configured(service, byKey)
    const status = async ({ registered }: typeof leaving): Promise<number> =>
      (await tokenBy(service, registered.client_id, 'RS256')).status
    assert.equal([await status(registering), await status(leaving)], [200, 200])
    setPolicy({ allowed_algorithms })
    service.reload?.(true)
    assert.equal([await status(registering), await status(leaving)], [200, 401])
  } finally {
    await stop()
  }
})

const listsOf = async ({ url }: Service): Promise<Readonly<Record<string, ReadonlyArray<string> | undefined>>> =>
  (await (await fetch(`${url}/.well-known/openid-configuration`)).json()) as Readonly<
    Record<string, ReadonlyArray<string>>
  >

// RFC 8414 §2, RFC 7662 §2.1
signatures(
  'introspection and revocation list what the token endpoint lists, and no client introspects without authentication',
  async () => {
    const methods = ['client_secret_basic', 'private_key_jwt', 'none']
    const { service, stop } = await startWith({
      allowed_token_endpoint_auth_methods: methods,
      allowed_algorithms: ['RS256', 'PS256'],
    })
    try {
      const lists = await listsOf(service)
      const listed = (endpoint: string) => lists[`${endpoint}_endpoint_auth_methods_supported`]
      assert.equal(listed('token'), methods)
      assert.equal(listed('revocation'), methods)
      assert.equal(
        listed('introspection'),
        methods.filter((method) => method !== 'none'),
      )
      for (const endpoint of ['token', 'introspection', 'revocation'])
        assert.equal(lists[`${endpoint}_endpoint_auth_signing_alg_values_supported`], ['RS256', 'PS256'])
      const { client_id } = (
        await configured(service, {
          ...confidential,
          grant_types: ['authorization_code'],
          token_endpoint_auth_method: 'none',
        })
      ).registered
      const { status, json } = await form(service, 'introspect', { client_id, token: 'unknown' })
      assert.equal([status, json['error']], [401, 'invalid_client'])
      assert.is(
        (
          await fetch(`${service.url}/revoke`, {
            method: 'POST',
            body: new URLSearchParams({ client_id, token: 'unknown' }),
          })
        ).status,
        200,
      )
    } finally {
      await stop()
    }
  },
)

// RFC 7518 §3.2
signatures('an algorithm is listed where a client_secret of this service is long enough for it', async () => {
  for (const [length, expected] of [
    ['43', ['HS256']],
    ['48', ['HS256', 'HS384']],
    ['64', ['HS256', 'HS384', 'HS512']],
  ] as const) {
    const { service, stop } = await startWith({}, { 'client-secret-length': length })
    try {
      const symmetric = Object.entries(await listsOf(service))
        .filter(
          ([name]) => name.endsWith('signing_alg_values_supported') && name !== 'dpop_signing_alg_values_supported',
        )
        .map(([name, list = []]) => [name, list.filter((each) => each.startsWith('HS'))] as const)
      assert.ok(symmetric.length >= 8)
      for (const [name, list] of symmetric) assert.equal(list, expected, `${name} ${length}`)
      const claims = { aud: service.url }
      const { registered } = await configured(service, {
        ...confidential,
        token_endpoint_auth_method: 'client_secret_jwt',
      })
      const { client_id, client_secret } = registered
      for (const alg of ['HS256', 'HS384', 'HS512']) {
        const key = new TextEncoder().encode(client_secret)
        const client_assertion = await sign(alg, key, { ...claims, iss: client_id, sub: client_id })
        const client_assertion_type = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'
        const fields = { grant_type: 'client_credentials', client_assertion, client_assertion_type }
        const { status } = await form(service, 'token', fields)
        assert.is(
          status === 200,
          expected.some((each) => each === alg),
          `${alg} ${length} ${status}`,
        )
      }
    } finally {
      await stop()
    }
  }
})

// RFC 7636 §4.3, OAuth 2.1 §4.1.1
signatures('PKCE is required of clients without authentication, or of all', async () => {
  for (const [setting, expected] of [
    ['public', [undefined, 'invalid_request']],
    ['all', ['invalid_request', 'invalid_request']],
  ] as const) {
    const { service, stop } = await startWith({}, { 'require-pkce': setting })
    try {
      const grant_types = ['authorization_code']
      const authenticating = await configured(service, { ...confidential, grant_types })
      const without = await configured(service, { ...confidential, grant_types, token_endpoint_auth_method: 'none' })
      for (const [place, { registered }] of [authenticating, without].entries()) {
        const { client_id } = registered
        const query = new URLSearchParams({ client_id, redirect_uri: callback, response_type: 'code', scope: 'openid' })
        const answer = await fetch(`${service.url}/authorize?${query.toString()}`, { redirect: 'manual' })
        const { searchParams } = new URL(String(answer.headers.get('location')), service.url)
        assert.is(searchParams.get('error') ?? undefined, expected[place])
        if (expected[place] !== undefined)
          assert.match(String(searchParams.get('error_description')), 'send code_challenge')
      }
    } finally {
      await stop()
    }
  }
})

// RFC 9126 §5, §6; RFC 9449 §5.2
signatures('pushed requests and DPoP are required of all by settings, or of a client that registered so', async () => {
  const says = { require_pushed_authorization_requests: true, dpop_bound_access_tokens: true }
  for (const [flags, ofAll] of [
    [{}, false],
    [{ 'require-par': 'true', 'require-dpop': 'true' }, true],
  ] as const) {
    const { service, stop } = await startWith({}, flags)
    try {
      assert.is(Reflect.get(await listsOf(service), 'require_pushed_authorization_requests'), ofAll)
      for (const [more, ofOne] of [
        [{}, false],
        [says, true],
      ] as const) {
        const isRequired = ofAll || ofOne
        const { client_id, client_secret } = (await configured(service, { ...confidential, ...more })).registered
        const query = new URLSearchParams({ client_id, redirect_uri: callback, response_type: 'code', scope: 'openid' })
        const answer = await fetch(`${service.url}/authorize?${query.toString()}`, { redirect: 'manual' })
        const { searchParams } = new URL(String(answer.headers.get('location')), service.url)
        assert.is(searchParams.get('error'), isRequired ? 'invalid_request' : null)
        const { status, json } = await form(service, 'token', {
          grant_type: 'client_credentials',
          client_id,
          client_secret,
        })
        assert.equal([status, json['error']], isRequired ? [400, 'invalid_request'] : [200, undefined])
      }
    } finally {
      await stop()
    }
  }
})

signatures.run()
