import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { law } from '@clientele/testing'
import { epochSeconds } from '../../src/kernel/time.js'
import type { JsonObject } from '../../src/kernel/json-object.js'
import { type SignedBodyFacts, decideSignedBody } from '../../src/registration/signed-body.js'

const SignedBody = suite('decideSignedBody')
const it = law(SignedBody)

const at = epochSeconds(1_795_000_000_000)
const audience = '0015800001041RHAAY'
const software_statement = 'e30.e30.c2ln'
const uris = ['https://rp.example/a', 'https://rp.example/b']
const claims: JsonObject = {
  iss: 'soft1',
  aud: audience,
  iat: at,
  exp: at + 300,
  jti: '0b9d2f3e-6a5c-4d21-9b1f-3a2c5d7e8f90',
  software_statement,
  token_endpoint_auth_method: 'private_key_jwt',
}
const asserted: JsonObject = {
  iss: 'https://directory.example',
  software_id: 'soft1',
  software_version: 1.5,
  software_client_name: 'Asserted',
  software_policy_uri: null,
  software_tos_uri: '',
  software_redirect_uris: uris,
  software_jwks_endpoint: 'https://keys.example/soft1.jwks',
}
const valid: SignedBodyFacts = {
  header: { alg: 'PS256', kid: 'k', typ: 'JWT' },
  claims,
  statement: E.right(asserted),
  signatureFault: undefined,
  at,
}
const decide = decideSignedBody({ format: 'uk', audience: [audience, 'other'] })
const rulesOf = (facts: Partial<SignedBodyFacts>): ReadonlyArray<string> => {
  const decided = decide({ ...valid, ...facts })
  return E.isLeft(decided) ? decided.left.errors.map(({ pointer, rule }) => `${pointer} ${rule}`) : []
}
const without = (name: string): JsonObject =>
  Object.fromEntries(Object.entries(claims).filter(([each]) => each !== name))

SignedBody('a valid request is the JSON body of the one decision, with the statement by the names of RFC 7591', () => {
  const decided = decide(valid)
  if (E.isLeft(decided)) throw new Error(JSON.stringify(decided.left))
  const { body, claims: renamed } = decided.right
  assert.equal(body, { software_statement, token_endpoint_auth_method: 'private_key_jwt', redirect_uris: uris })
  assert.is(renamed['client_name'], 'Asserted')
  assert.is(renamed['software_version'], '1.5')
  assert.is(renamed['jwks_uri'], 'https://keys.example/soft1.jwks')
  assert.not.ok('policy_uri' in renamed || 'tos_uri' in renamed || 'jwks' in renamed)
})

SignedBody('each claim and each parameter of the header is judged', () => {
  const set = (changed: JsonObject): Partial<SignedBodyFacts> => ({ claims: { ...claims, ...changed } })
  const head = (changed: JsonObject): Partial<SignedBodyFacts> => ({ header: { ...valid.header, ...changed } })
  const cases: ReadonlyArray<readonly [Partial<SignedBodyFacts>, string]> = [
    [head({ alg: 'none' }), ' signed-body-algorithm'],
    [head({ alg: 'HS256' }), ' signed-body-algorithm'],
    [head({ alg: 'RS256' }), ' signed-body-algorithm'],
    [head({ kid: '' }), ' signed-body-kid'],
    ...['jwk', 'jku', 'x5c', 'x5u', 'crit'].map((name) => [head({ [name]: [] }), ' signed-body-header'] as const),
    [{ signatureFault: 'signed-body-signature' }, ' signed-body-signature'],
    [{ signatureFault: 'signed-body-keys' }, ' signed-body-keys'],
    [set({ aud: 'https://as.example' }), '/aud signed-body-audience'],
    [{ claims: without('aud') }, '/aud signed-body-audience'],
    [set({ exp: at }), '/exp signed-body-expired'],
    [{ claims: without('exp') }, '/exp signed-body-expired'],
    [set({ iat: at + 61 }), '/iat signed-body-not-yet'],
    [{ claims: without('iat') }, '/iat signed-body-not-yet'],
    [set({ nbf: at + 61 }), '/nbf signed-body-not-yet'],
    [{ claims: without('jti') }, '/jti signed-body-id'],
    [set({ jti: '0b9d2f3e-6a5c-1d21-9b1f-3a2c5d7e8f90' }), '/jti signed-body-id'],
    [set({ iss: 'soft2' }), '/iss signed-body-issuer'],
    [set({ software_id: 'soft2' }), '/software_id signed-body-software'],
    [{ registered: 'soft2' }, '/software_statement signed-body-other-software'],
    [set({ redirect_uris: [uris[0] ?? '', 'https://evil.example/'] }), '/redirect_uris/1 signed-body-redirect-uri'],
    [set({ jwks: { keys: [] } }), '/jwks signed-body-own-keys'],
    [{ statement: E.left('software-statement-unapproved') }, '/software_statement software-statement-unapproved'],
  ]
  for (const [facts, reported] of cases) assert.equal(rulesOf(facts), [reported])
  assert.equal(
    rulesOf(set({ aud: ['x', 'other'], iat: at + 60, redirect_uris: uris.slice(1), software_id: 'soft1' })),
    [],
  )
})

SignedBody('an update is of the software of its client, where the client has one', () => {
  for (const registered of ['soft1', undefined]) assert.equal(rulesOf({ registered }), [])
})

SignedBody('all faults are reported at once', () => {
  const reported = rulesOf({ header: {}, claims: {}, statement: E.left('software-statement') })
  assert.equal([...reported].sort(), [
    ' signed-body-algorithm',
    ' signed-body-kid',
    '/aud signed-body-audience',
    '/exp signed-body-expired',
    '/iat signed-body-not-yet',
    '/jti signed-body-id',
    '/software_statement software-statement',
  ])
})

const json = fc.dictionary(
  fc.oneof(
    fc.constantFrom('alg', 'kid', 'iss', 'aud', 'exp', 'iat', 'jti', 'software_id', 'redirect_uris', 'jwks'),
    fc.constantFrom('software_redirect_uris', 'software_jwks', 'software_jwks_endpoint', 'software_client_name'),
    fc.string(),
  ),
  fc.jsonValue(),
) as fc.Arbitrary<JsonObject>

it('answers to any header, claims and statement', [json, json, json], (header, sent, statement) => {
  const decided = decide({ ...valid, header, claims: sent, statement: E.right(statement) })
  return E.isRight(decided) || decided.left.error_description.length > 0
})

const anyUri = fc.oneof(fc.constantFrom(...uris), fc.webUrl())

it('no redirection URI gets in that the statement does not list', [fc.array(anyUri)], (redirect_uris) => {
  const decided = decide({ ...valid, claims: { ...claims, redirect_uris } })
  assert.is(
    E.isRight(decided),
    redirect_uris.every((uri) => uris.includes(uri)),
  )
})

it('a body that is not verified never gets in', [json, json], (more, header) => {
  const facts = { ...valid, claims: { ...claims, ...more }, header: { ...valid.header, ...header } }
  return E.isLeft(decide({ ...facts, signatureFault: 'signed-body-signature' }))
})

SignedBody.run()
