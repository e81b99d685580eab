import * as fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { storedMetadata } from '../../src/registration/permit.js'
import { epochSeconds, secondsAfter } from '../../src/kernel/time.js'
import { clientOfUnverified, secretsOfHint, signingSecret } from '../../src/logout/hint.js'
import { secretsInForce } from '../../src/registration/client-secrets.js'
import { clientId, exampleTime, law, registeredClient } from '@clientele/testing'

const HintSecret = suite('the secret that verifies a hint')
const it = law(HintSecret)

const algorithm = fc.oneof(fc.constantFrom('HS256', 'HS384', 'HS512', 'RS256', 'none'), fc.string())
const claims = fc.dictionary(fc.oneof(fc.constantFrom('aud', 'azp'), fc.string()), fc.anything())

it('a client is named by an audience of its own alone', [clientId(), clientId()], (id, other) => {
  const named = (aud: unknown, alg = 'HS256') => clientOfUnverified({ alg, claims: { aud } }, other)
  assert.equal([named(id), named([id])], [id, id])
  for (const aud of [[id, other], [], [[id]], undefined, null, 1, { id }]) assert.is(named(aud), undefined)
  assert.is(named(id, 'RS256'), undefined)
})

it('whatever a hint says, somebody or nobody is named', [algorithm, claims], (alg, said) => {
  const named = clientOfUnverified({ alg, claims: said }, undefined)
  assert.ok(named === undefined || [said['aud']].flat().includes(named))
})

const wrapping = fc.constantFrom('dir', 'A128KW', 'A192KW', 'A256KW', 'A128GCMKW', 'A192GCMKW', 'A256GCMKW')

it('the client of an encrypted hint is that of the request', [wrapping, clientId(), fc.string()], (alg, id, said) => {
  assert.is(clientOfUnverified({ alg, claims: {} }, id), id)
  assert.is(clientOfUnverified({ alg, claims: { aud: id } }, undefined), undefined)
  assert.is(clientOfUnverified({ alg: 'RSA-OAEP-256', claims: {} }, id), undefined)
  const named = clientOfUnverified({ alg, claims: {} }, said)
  assert.ok(named === undefined || named === said)
})

it(
  'only the algorithm that the client registered takes its secret to decrypt',
  [fc.oneof(wrapping, algorithm), registeredClient()],
  (alg, client) => {
    const { id_token_encrypted_response_alg: registered } = client.metadata
    const counts = alg === registered && /^(?:dir|A\d+(?:GCM)?KW)$/.test(alg)
    const secrets = secretsOfHint(alg, exampleTime)(client)
    if (counts) assert.equal(secrets, client.secret === undefined ? [] : [client.secret.client_secret])
    else if (signingSecret(alg, client) === undefined) assert.equal(secrets, [])
  },
)

it('only the algorithm that the client registered takes its secret', [algorithm, registeredClient()], (alg, client) => {
  const { id_token_signed_response_alg: registered } = client.metadata
  const secret = signingSecret(alg, client)
  const bytes = new Map<string, number>([
    ['HS256', 32],
    ['HS384', 48],
    ['HS512', 64],
  ]).get(registered)
  const counts = alg === registered && bytes !== undefined && (client.secret?.client_secret.length ?? 0) >= bytes
  assert.is(secret, counts ? client.secret?.client_secret : undefined)
})

HintSecret('an expired secret counts until it is renewed', () => {
  const metadata = storedMetadata({ id_token_signed_response_alg: 'HS256' })
  const secret = { client_secret: 's'.repeat(43), client_secret_expires_at: epochSeconds(1000) }
  assert.is(signingSecret('HS256', { metadata, secret }), secret.client_secret)
})

it('a preceding secret counts as well while it is in force', [registeredClient()], (registered) => {
  const metadata = storedMetadata({ id_token_signed_response_alg: 'HS256' })
  const secret = { client_secret: 'n'.repeat(43), client_secret_expires_at: epochSeconds(1000) }
  const preceding_secret = {
    client_secret: 'p'.repeat(43),
    client_secret_expires_at: epochSeconds(0),
    created_at: epochSeconds(0),
    ends_at: secondsAfter(exampleTime, 1),
  }
  const client = { ...registered, metadata, secret, preceding_secret }
  const both = [secret.client_secret, preceding_secret.client_secret]
  assert.equal(secretsOfHint('HS256', exampleTime)(client), both)
  assert.equal(secretsInForce(client, exampleTime), both.slice(1))
  assert.equal(secretsOfHint('HS256', preceding_secret.ends_at)(client), both.slice(0, 1))
  assert.equal(secretsOfHint('HS384', exampleTime)(client), [])
})

HintSecret.run()
