import * as fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { needsSecret } from '../../src/client/metadata.js'
import { isExpired } from '../../src/registration/client-secrets.js'
import {
  hasExpiredSecret,
  secretLengthAfterUpdate,
  updatedClient,
  withGeneratedCredentials,
  withGeneratedSecret,
} from '../../src/registration/registered-client.js'
import {
  credentialPolicy,
  epochSecond,
  issued,
  law,
  oneSample,
  registeredByMaster,
  registeredClient,
  registrationSettings,
  secretMethods,
  secretlessMethods,
  validClientMetadata,
} from '@clientele/testing'

const RegisteredClient = suite('RegisteredClient')
const it = law(RegisteredClient)
const client = registeredClient()

it(
  'a client comes into being with issued values alone, as version 1',
  [registrationSettings(), issued(), validClientMetadata()],
  (settings, generated, body) => {
    const made = registeredByMaster(settings, generated)(body)
    assert.equal([made.client_id, made.client_id_issued_at, made.version], [generated.client_id, generated.at, 1])
    assert.equal(made.registration_access_token, generated.registration_access_token)
  },
)

it(
  'a client that is registered again under the same client_id has another registration_id, whatever it is registered with',
  [registrationSettings(), issued(), issued(), validClientMetadata(), validClientMetadata()],
  (settings, before, after, first, second) => {
    const [one, other] = [before, after].map((generated, life) =>
      registeredByMaster(settings, generated)({ ...(life === 0 ? first : second), preferred_client_id: 'a' }),
    )
    assert.equal([one?.client_id, other?.client_id], ['a', 'a'])
    assert.equal([one?.registration_id, other?.registration_id], [before.registration_id, after.registration_id])
  },
)

it(
  'a client keeps its registration_id in any number of updates and renewals of its credentials',
  [credentialPolicy(), client, fc.array(fc.tuple(fc.constantFrom('update', 'secret', 'both'), issued(), client))],
  (policy, any, renewals) => {
    const last = renewals.reduce((current, [kind, generated, { metadata }]) => {
      if (kind === 'update') return updatedClient(policy, generated)(current)(metadata)
      return (kind === 'secret' ? withGeneratedSecret : withGeneratedCredentials)(policy, generated)(current)
    }, any)
    assert.equal([last.registration_id, last.version], [any.registration_id, any.version + renewals.length])
  },
)

it(
  'a client has a secret exactly when it authenticates or signs with one',
  [registrationSettings(), issued(), validClientMetadata()],
  (settings, generated, body) => {
    const { secret, metadata } = registeredByMaster(settings, generated)(body)
    const bySecret = secretMethods.some((method) => method === metadata.token_endpoint_auth_method)
    const algorithms = Object.entries(metadata).flatMap(([name, value]) =>
      name.endsWith('_alg') ? [String(value)] : [],
    )
    const symmetric = algorithms.some((algorithm) => /^(?:HS|dir$|A\d{3}(?:GCM)?KW$)/.test(algorithm))
    assert.is(secret !== undefined, bySecret || symmetric)
    assert.is(needsSecret(metadata), secret !== undefined)
  },
)

for (const method of [...secretlessMethods, 'none'])
  RegisteredClient(`a client that authenticates by ${method} has no secret`, () => {
    const keys = { jwks_uri: 'https://rp.example/keys' }
    const subject = method === 'tls_client_auth' ? { tls_client_auth_san_dns: 'rp.example' } : {}
    const settings = oneSample(registrationSettings())
    const generated = oneSample(issued())
    assert.is(
      registeredByMaster(
        settings,
        generated,
      )({ grant_types: [], ...keys, ...subject, token_endpoint_auth_method: method }).secret,
      undefined,
    )
  })

it(
  'a secret expires its lifetime after it was issued, or never',
  [registrationSettings(), issued(), epochSecond()],
  (settings, generated, now) => {
    const { secret } = registeredByMaster(settings, generated)({ grant_types: [] })
    const { clientSecretLifetime: lifetime } = settings.credentials
    assert.equal(secret, {
      client_secret: generated.client_secret,
      client_secret_expires_at: lifetime === 0 ? 0 : generated.at + lifetime,
    })
    if (secret !== undefined) assert.is(isExpired(secret, now), lifetime !== 0 && generated.at + lifetime <= now)
  },
)

it(
  'an update keeps the identity and what the registration was allowed, and raises the version',
  [credentialPolicy(), issued(), client, client],
  (policy, generated, any, { metadata }) => {
    const next = updatedClient(policy, generated)(any)(metadata)
    assert.equal(
      [next.client_id, next.client_id_issued_at, next.privileges],
      [any.client_id, any.client_id_issued_at, any.privileges],
    )
    assert.equal([next.version, next.metadata], [any.version + 1, metadata])
  },
)

it(
  'an update renews the registration access token as the policy says',
  [credentialPolicy(), issued(), client],
  (policy, generated, any) => {
    const source = policy.rotateRegistrationAccessTokenOnUpdate ? generated : any
    assert.equal(
      updatedClient(policy, generated)(any)(any.metadata).registration_access_token,
      source.registration_access_token,
    )
  },
)

it(
  'an update makes, keeps, renews or drops the secret as the metadata and the policy say',
  [credentialPolicy(), issued(), client, client],
  (policy, generated, any, { metadata }) => {
    const { secret } = updatedClient(policy, generated)(any)(metadata)
    const stored =
      any.secret !== undefined && !policy.rotateClientSecretOnUpdate && !isExpired(any.secret, generated.at)
    if (!needsSecret(metadata)) assert.is(secret, undefined)
    else if (stored) assert.equal(secret, any.secret)
    else assert.is(secret?.client_secret, generated.client_secret)
  },
)

it(
  'a fresh secret is never expired when it is issued, and nothing else changes but the version',
  [credentialPolicy(), issued(), client],
  (policy, generated, any) => {
    const { secret_created_at, ...next } = withGeneratedSecret(policy, generated)(any)
    assert.is(secret_created_at, generated.at)
    assert.not(hasExpiredSecret(next, generated.at))
    assert.equal({ ...next, secret: any.secret, version: any.version }, any)
    assert.equal([next.secret?.client_secret, next.version], [generated.client_secret, any.version + 1])
  },
)

it(
  'a renewed secret is as long as the previous one, if that many characters are generated (RFC 7518 §3.2), all of them new',
  [credentialPolicy(), issued(), client, fc.integer({ min: 32, max: 256 })],
  (policy, generated, any, length) => {
    const all = generated.client_secret + generated.client_secret_padding
    const secret = { client_secret: 'x'.repeat(length), client_secret_expires_at: generated.at }
    const renewed = withGeneratedSecret(policy, generated)({ ...any, secret }).secret?.client_secret ?? ''
    assert.is(renewed.length, Math.min(all.length, Math.max(generated.client_secret.length, length)))
    assert.ok(all.startsWith(renewed))
  },
)

it(
  'the length of the secret is told before the update is made',
  [credentialPolicy(), issued(), client, client],
  (policy, generated, any, { metadata }) => {
    const { secret } = updatedClient(policy, generated)(any)(metadata)
    if (secret !== undefined) assert.is(secretLengthAfterUpdate(policy, generated)(any), secret.client_secret.length)
  },
)

RegisteredClient('a chosen secret of 64 characters is followed by one of 64', () => {
  const generated = oneSample(issued())
  const before = oneSample(client)
  const chosen = { client_secret: 's'.repeat(64), client_secret_expires_at: generated.at }
  const policy = { ...oneSample(credentialPolicy()), rotateClientSecretOnUpdate: true }
  const renewed = withGeneratedSecret(policy, generated)({ ...before, secret: chosen })
  assert.is(renewed.secret?.client_secret.length, 64)
  assert.not.match(renewed.secret?.client_secret ?? '', 'sss')
})

RegisteredClient.run()
