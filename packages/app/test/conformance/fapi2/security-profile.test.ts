// The modules of the plan for authorization servers of FAPI 2.0, on the profile fapi2.
import { type CryptoKey, SignJWT, exportJWK, generateKeyPair } from 'jose'
import { type KeyObject, createHash, generateKeyPairSync, randomBytes, randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Service } from '../../../src/compose.js'
import { post, started } from '../../cli/run.js'
import { type Answers, Browser, endUser, goThrough } from '../../engine/support/browser.js'
import { callback } from '../../engine/support/relying-party.js'
import { masterToken } from '../../support/two-services.js'
import { type Fapi2Module, fapi2Name } from './modules.js'

type Pair = { readonly privateKey: CryptoKey; readonly publicKey: CryptoKey }
type Client = { readonly id: string; readonly key: KeyObject; readonly proofs: Pair }
type World = {
  readonly service: Service
  readonly client: Client
  readonly other: Client
  readonly stop: () => Promise<void>
}
type Json = Readonly<Record<string, unknown>>
type Answer = { readonly status: number; readonly json: Json }
type Fields = Readonly<Record<string, string | undefined>>

const plan = suite<World>('FAPI 2.0 Security Profile')

const registered = async (service: Service, more: Json = {}): Promise<Client> => {
  const { privateKey: key, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const answer = await post(`${service.url}/clients`, masterToken, {
    redirect_uris: [callback],
    grant_types: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_method: 'private_key_jwt',
    jwks: { keys: [{ ...(await exportJWK(publicKey)), kid: randomUUID() }] },
    ...more,
  })
  assert.is(answer.status, 201, await answer.clone().text())
  const { client_id: id } = (await answer.json()) as { readonly client_id: string }
  return { id, key, proofs: await generateKeyPair('ES256') }
}

plan.before(async (world) => {
  const directory = mkdtempSync(join(tmpdir(), 'clientele-'))
  const given = { profile: 'fapi2', engine: 'oidc-provider', 'data-dir': directory, 'master-token': masterToken }
  const service = await started(given)
  const stop = async (): Promise<void> => {
    await service.stop()
    rmSync(directory, { recursive: true })
  }
  Object.assign(world, { service, stop, client: await registered(service), other: await registered(service) })
})
plan.after(({ stop }) => stop())

const assertionOf = (
  { id, key }: Client,
  aud: string | ReadonlyArray<string>,
  alg: 'PS256' | 'RS256' = 'PS256',
): Promise<string> =>
  new SignJWT({ iss: id, sub: id, aud: typeof aud === 'string' ? aud : [...aud], jti: randomUUID() })
    .setProtectedHeader({ alg })
    .setIssuedAt()
    .setExpirationTime('1m')
    .sign(key)

/** RFC 9449 §4.2 */
const proofOf = async ({ privateKey, publicKey }: Pair, htm: string, htu: string, token?: string): Promise<string> =>
  new SignJWT({
    htm,
    htu,
    jti: randomUUID(),
    ...(token === undefined ? {} : { ath: createHash('sha256').update(token).digest('base64url') }),
  })
    .setProtectedHeader({ typ: 'dpop+jwt', alg: 'ES256', jwk: await exportJWK(publicKey) })
    .setIssuedAt()
    .sign(privateKey)

const sent = (fields: Fields): URLSearchParams =>
  new URLSearchParams(
    Object.entries(fields).flatMap(([name, value]): Array<[string, string]> =>
      value === undefined ? [] : [[name, value]],
    ),
  )

/** RFC 6749 §2.3, RFC 7523 §2.2: by a client that authenticates; a field that is undefined is not sent. */
const ask = async (
  { url }: Service,
  path: 'par' | 'token',
  client: Client,
  fields: Fields,
  proofs?: Pair,
): Promise<Answer> => {
  const htu = `${url}/${path}`
  const response = await fetch(htu, {
    method: 'POST',
    body: sent({
      client_id: client.id,
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      client_assertion: await assertionOf(client, url),
      ...fields,
    }),
    headers: proofs === undefined ? {} : { DPoP: await proofOf(proofs, 'POST', htu) },
  })
  assert.match(response.headers.get('content-type') ?? '', 'application/json')
  return { status: response.status, json: (await response.json()) as Json }
}

const verifier = randomBytes(32).toString('base64url')
const challenge = createHash('sha256').update(verifier).digest('base64url')

const requestOf = (fields: Fields = {}): Fields => ({
  response_type: 'code',
  redirect_uri: callback,
  scope: 'openid',
  state: 'state',
  nonce: 'nonce',
  code_challenge: challenge,
  code_challenge_method: 'S256',
  ...fields,
})

const push = (service: Service, client: Client, fields: Fields = {}, proofs?: Pair): Promise<Answer> =>
  ask(service, 'par', client, requestOf(fields), proofs)

const pushed = async (service: Service, client: Client, fields: Fields = {}, proofs?: Pair): Promise<string> => {
  const { status, json } = await push(service, client, fields, proofs)
  assert.is(status, 201, JSON.stringify(json))
  return String(json['request_uri'])
}

/** Where the browser arrives at the application, or the page that it stays on. */
const visit = async (service: Service, client_id: string, request_uri: string, answers?: Answers) =>
  goThrough(new Browser(), service, `${service.url}/authorize?${sent({ client_id, request_uri }).toString()}`, answers)

const codeOf = async (service: Service, client: Client, fields: Fields = {}, proofs?: Pair): Promise<string> => {
  const { end, page } = await visit(service, client.id, await pushed(service, client, fields, proofs))
  if (end === undefined) throw new Error(String(await page?.text()))
  // RFC 9207 §2.1
  assert.equal([end.searchParams.get('iss'), end.searchParams.get('state')], [service.url, 'state'])
  return String(end.searchParams.get('code'))
}

const redeem = (service: Service, client: Client, code: string, fields: Fields = {}, proofs?: Pair): Promise<Answer> =>
  ask(
    service,
    'token',
    client,
    { grant_type: 'authorization_code', code, redirect_uri: callback, code_verifier: verifier, ...fields },
    proofs,
  )

const tokensOf = async (service: Service, client: Client, fields: Fields = {}): Promise<Json> => {
  const answer = await redeem(service, client, await codeOf(service, client, fields), {}, client.proofs)
  assert.is(answer.status, 200, JSON.stringify(answer.json))
  assert.is(answer.json['token_type'], 'DPoP')
  return answer.json
}

const userInfo = async ({ url }: Service, token: unknown, proofs?: Pair): Promise<number> => {
  const scheme = proofs === undefined ? 'Bearer' : 'DPoP'
  const headers = { Authorization: `${scheme} ${String(token)}` }
  const bound = proofs === undefined ? {} : { DPoP: await proofOf(proofs, 'GET', `${url}/userinfo`, String(token)) }
  return (await fetch(`${url}/userinfo`, { headers: { ...headers, ...bound } })).status
}

const refused = ({ status, json }: Answer, ...codes: ReadonlyArray<string>): void => {
  assert.ok(status === 400 || (status === 401 && json['error'] === 'invalid_client'), `${status}`)
  assert.ok(codes.includes(String(json['error'])), JSON.stringify(json))
}

const metadataOf = async ({ url }: Service): Promise<Json> =>
  (await (await fetch(`${url}/.well-known/openid-configuration`)).json()) as Json

/** FAPI 2.0 §5.3.2.1: aud is the issuer alone, as a text. */
const audienceFails = async ({ service, client }: World, aud: string | ReadonlyArray<string>): Promise<void> => {
  const answer = await push(service, client, { client_assertion: await assertionOf(client, aud) })
  refused(answer, 'invalid_client')
  assert.match(String(answer.json['error_description']), `must be the issuer alone, as a text: ${service.url}`)
}

const modules: Readonly<Record<Fapi2Module, (world: World) => Promise<void>>> = {
  'discovery-end-point-verification': async ({ service }) => {
    const metadata = await metadataOf(service)
    const ours = ['PS256', 'ES256', 'EdDSA']
    const sorted = (name: string) => [...(metadata[name] as ReadonlyArray<string>)].sort()
    for (const name of ['id_token', 'userinfo', 'token_endpoint_auth', 'request_object', 'dpop'])
      assert.equal(sorted(`${name}_signing_alg_values_supported`), [...ours].sort(), name)
    assert.equal(metadata['token_endpoint_auth_methods_supported'], ['private_key_jwt'])
    assert.equal(metadata['code_challenge_methods_supported'], ['S256'])
    // FAPI 2.0 §5.3.2.2
    assert.equal(metadata['response_types_supported'], ['code'])
    assert.equal(metadata['grant_types_supported'], ['authorization_code', 'refresh_token', 'client_credentials'])
    assert.is(metadata['authorization_response_iss_parameter_supported'], true)
    assert.is(metadata['pushed_authorization_request_endpoint'], `${service.url}/par`)
    assert.is(metadata['require_pushed_authorization_requests'], true)
  },
  'happy-flow': async ({ service, client, other }) => {
    const { access_token } = await tokensOf(service, client)
    assert.is(await userInfo(service, access_token, client.proofs), 200)
    assert.is(await userInfo(service, access_token), 401)
    assert.is(await userInfo(service, access_token, other.proofs), 401)
    const { kty, crv, x, y } = await exportJWK(other.proofs.publicKey)
    const dpop_jkt = createHash('sha256').update(JSON.stringify({ crv, kty, x, y })).digest('base64url')
    await tokensOf(service, other, { dpop_jkt })
  },
  'user-rejects-authentication': async ({ service, client }) => {
    const state = randomBytes(64).toString('hex')
    const denied = { login: endUser('ada'), consent: { answer: 'denied' } } as const
    const { end } = await visit(service, client.id, await pushed(service, client, { state }), denied)
    assert.equal([end?.searchParams.get('error'), end?.searchParams.get('state')], ['access_denied', state])
  },
  'test-claims-parameter-identity-claims': async ({ service }) =>
    assert.is((await metadataOf(service))['claims_parameter_supported'], false),
  'ensure-unsigned-authorization-request-without-using-par-fails': async ({ service, client }) => {
    const query = sent({ ...requestOf(), client_id: client.id })
    const { end } = await goThrough(new Browser(), service, `${service.url}/authorize?${query.toString()}`)
    assert.is(end?.searchParams.get('error'), 'invalid_request')
  },
  'ensure-response-type-code-idtoken-fails': async ({ service, client }) =>
    refused(
      await push(service, client, { response_type: 'code id_token' }),
      'unsupported_response_type',
      'invalid_request',
      'unauthorized_client',
    ),
  'ensure-holder-of-key-required': async ({ service, client }) =>
    refused(
      await redeem(service, client, await codeOf(service, client)),
      'invalid_request',
      'invalid_grant',
      'invalid_dpop_proof',
    ),
  'ensure-token-endpoint-fails-with-mismatched-dpop-proof-jkt': async ({ service, client, other }) => {
    const code = await codeOf(service, client, {}, client.proofs)
    refused(
      await redeem(service, client, code, {}, other.proofs),
      'invalid_request',
      'invalid_grant',
      'invalid_dpop_proof',
    )
  },
  'ensure-authorization-code-is-bound-to-client': async ({ service, client, other }) =>
    refused(await redeem(service, other, await codeOf(service, client), {}, other.proofs), 'invalid_grant'),
  'attempt-reuse-authorization-code-after-one-second': async ({ service, client }) => {
    const code = await codeOf(service, client)
    const { json } = await redeem(service, client, code, {}, client.proofs)
    assert.is(await userInfo(service, json['access_token'], client.proofs), 200)
    await new Promise((resolve) => setTimeout(resolve, 1_000))
    refused(await redeem(service, client, code, {}, client.proofs), 'invalid_grant')
    assert.is(await userInfo(service, json['access_token'], client.proofs), 401)
  },
  'ensure-signed-client-assertion-with-RS256-fails': async ({ service, client }) => {
    const client_assertion = await assertionOf(client, service.url, 'RS256')
    const code = await codeOf(service, client)
    refused(await redeem(service, client, code, { client_assertion }, client.proofs), 'invalid_client')
  },
  'ensure-client-assertion-in-token-endpoint': async ({ service, client }) => {
    const without = { client_assertion: undefined, client_assertion_type: undefined }
    const code = await codeOf(service, client)
    refused(await redeem(service, client, code, without, client.proofs), 'invalid_client', 'invalid_request')
  },
  'ensure-client-assertion-with-wrong-aud-fails': async ({ service, client }) => {
    const client_assertion = await assertionOf(client, 'https://other.example')
    const code = await codeOf(service, client)
    refused(
      await redeem(service, client, code, { client_assertion }, client.proofs),
      'invalid_client',
      'invalid_request',
    )
  },
  'refresh-token': async ({ service, client, other }) => {
    const { refresh_token } = await tokensOf(service, client)
    const refresh = (of: Client, proofs?: Pair) =>
      ask(service, 'token', of, { grant_type: 'refresh_token', refresh_token: String(refresh_token) }, proofs)
    // FAPI 2.0 §5.3.2.1: without rotation, it stays good.
    for (const use of ['first', 'second']) {
      const { status, json } = await refresh(client, client.proofs)
      assert.equal([status, json['refresh_token']], [200, refresh_token], `${use} ${JSON.stringify(json)}`)
      assert.is(await userInfo(service, json['access_token'], client.proofs), 200)
    }
    refused(await refresh(client), 'invalid_client', 'invalid_grant', 'invalid_request')
    refused(await refresh(other, other.proofs), 'invalid_grant')
  },
  'par-attempt-reuse-request_uri': async ({ service, client }) => {
    const uri = await pushed(service, client)
    assert.is((await visit(service, client.id, uri)).end?.searchParams.has('code'), true)
    const { end, page } = await visit(service, client.id, uri)
    assert.ok(end === undefined ? page?.status === 400 : end.searchParams.get('error') === 'invalid_request_uri')
  },
  'par-attempt-to-use-request_uri-for-different-client': async ({ service, client, other }) => {
    const { end, page } = await visit(service, other.id, await pushed(service, client))
    assert.ok(end === undefined ? page?.status === 400 : /^invalid_request/.test(String(end.searchParams.get('error'))))
  },
  'par-attempt-invalid-http-method': async ({ service }) =>
    assert.is((await fetch(`${service.url}/par`, { method: 'PUT' })).status, 405),
  'par-ensure-pkce-required': async ({ service, client }) =>
    refused(
      await push(service, client, { code_challenge: undefined, code_challenge_method: undefined }),
      'invalid_request',
    ),
  'ensure-pkce-code-verifier-required': async ({ service, client }) => {
    const code = await codeOf(service, client)
    refused(await redeem(service, client, code, { code_verifier: undefined }, client.proofs), 'invalid_grant')
  },
  'incorrect-pkce-code-verifier-rejected': async ({ service, client }) => {
    const code = await codeOf(service, client)
    const code_verifier = randomBytes(32).toString('base64url')
    refused(await redeem(service, client, code, { code_verifier }, client.proofs), 'invalid_grant')
  },
  'par-plain-pkce-rejected': async ({ service, client }) =>
    refused(
      await push(service, client, { code_challenge: verifier, code_challenge_method: 'plain' }),
      'invalid_request',
    ),
  'par-test-array-as-audience-fails': (world) => audienceFails(world, [world.service.url, 'https://other.example']),
  'par-test-par-endpoint-url-as-audience-fails': (world) => audienceFails(world, `${world.service.url}/par`),
  'par-test-token-endpoint-url-as-audience-fails': (world) => audienceFails(world, `${world.service.url}/token`),
}

for (const [name, run] of Object.entries(modules)) plan(fapi2Name(name), run)

plan(
  'a client of another method, with a certificate or with an algorithm of another profile is not registered',
  async ({ service }) => {
    const jwks = { keys: [await exportJWK(generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey)] }
    const client = { redirect_uris: [callback], grant_types: ['authorization_code'], jwks }
    for (const [member, value] of [
      ['token_endpoint_auth_method', 'client_secret_basic'],
      ['token_endpoint_auth_method', 'none'],
      ['token_endpoint_auth_method', 'self_signed_tls_client_auth'],
      ['id_token_signed_response_alg', 'RS256'],
      ['token_endpoint_auth_signing_alg', 'RS256'],
    ] as const) {
      const sentClient = { ...client, token_endpoint_auth_method: 'private_key_jwt', [member]: value }
      const answer = await post(`${service.url}/clients`, masterToken, sentClient)
      assert.is(answer.status, 400, value)
      assert.match(await answer.text(), `/${member}`)
    }
  },
)

// RFC 9449 §5
plan(
  'a token request without a proof is told what to send, and what another refusal needs',
  async ({ service, client }) => {
    const machine = await registered(service, { grant_types: ['client_credentials'], redirect_uris: undefined })
    for (const of of [
      await ask(service, 'token', machine, { grant_type: 'client_credentials' }),
      await redeem(service, client, await codeOf(service, client)),
    ]) {
      refused(of, 'invalid_request')
      assert.match(String(of.json['error_description']), 'the DPoP proof is missing: send a header DPoP with a JWT')
    }
    const granted = await ask(service, 'token', machine, { grant_type: 'client_credentials' }, machine.proofs)
    assert.is(granted.status, 200, JSON.stringify(granted.json))
    const unknown = await redeem(service, client, 'unknown', {}, client.proofs)
    refused(unknown, 'invalid_grant')
    assert.match(String(unknown.json['error_description']), /^grant request is invalid: the code .* begin again/)
  },
)

plan.run()
