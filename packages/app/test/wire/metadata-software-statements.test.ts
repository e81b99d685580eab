import { dirname } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { allClients, rulesOf } from '../support/metadata/refusals.js'
import { type Signer, createSigner, issuer, keyFile, sign } from '../support/metadata/statements.js'
import { configurationOf, issueToken, redirect_uris, register, send } from '../support/requests.js'
import { type Service, discard, startService } from '../support/composed-service.js'

type Context = { service: Service; trusting: Signer; other: Signer; file: string }

const statements = suite<Context>('RFC 7591 §2.3: software statements of a trusted issuer')

statements.before(async (context) => {
  context.trusting = await createSigner('ES256')
  context.other = await createSigner('PS256')
  context.file = keyFile(context.trusting.publicJwk, context.other.publicJwk)
  context.service = await startService({
    CLIENTELE_SOFTWARE_STATEMENT_ISSUERS: `https://another.example=${context.file},${issuer}=${context.file}`,
  })
})
statements.after(async ({ service, file }) => {
  await service.stop()
  discard(service.dataDir)
  discard(dirname(file))
})

const inAnHour = (): number => Math.floor(Date.now() / 1000) + 3_600

statements('its claims win over the body, and it is told again unmodified', async ({ service, trusting }) => {
  const asserted = {
    client_name: 'Stated',
    'client_name#fr': 'Attesté',
    redirect_uris: ['https://stated.example/cb'],
    software_id: 'stated-software',
  }
  const software_statement = await sign(trusting, { ...asserted, exp: inAnHour(), iat: 1, jti: 'x', unknown: { a: 1 } })
  const body = { redirect_uris, client_name: 'Mine', software_id: 'mine', client_uri: 'https://rp.example/' }
  const answer = await register(service, { ...body, 'client_name#en': 'Mine in English', software_statement })
  assert.is(answer.status, 200, answer.text)
  assert.not('client_name#en' in answer.json, 'no name of the body, in any language')
  for (const [member, value] of Object.entries({ ...body, ...asserted, software_statement }))
    assert.equal(answer.json[member], value, member)
  for (const claim of ['iss', 'iat', 'exp', 'jti', 'unknown']) assert.not(claim in answer.json, claim)
  const { path, token } = configurationOf(answer)
  assert.equal((await send(service, path, { token })).json, answer.json)
})

statements('another key and algorithm of the same issuer counts, too', async ({ service, other }) => {
  const software_statement = await sign(other, { client_name: 'Stated' })
  assert.is((await register(service, { redirect_uris, software_statement })).json['client_name'], 'Stated')
})

statements('a statement that names no key counts when one of the keys fits', async ({ service, trusting }) => {
  const software_statement = await sign(trusting, { redirect_uris }, { kid: undefined })
  assert.is((await register(service, { software_statement })).status, 200)
})

statements('each of several issuers speaks for itself', async ({ service, trusting }) => {
  const software_statement = await sign(trusting, { iss: 'https://another.example', redirect_uris })
  assert.is((await register(service, { software_statement })).status, 200)
})

statements('PUT applies a statement as POST does, and without one what was stated is gone', async (context) => {
  const { service, trusting } = context
  const registered = await register(service)
  const { path, token } = configurationOf(registered)
  const software_statement = await sign(trusting, { client_name: 'Stated' })
  const json = { redirect_uris, client_name: 'Mine', software_statement }
  const asserted = await send(service, path, { method: 'PUT', token, json })
  assert.is(asserted.json['client_name'], 'Stated', asserted.text)
  assert.is(asserted.json['software_statement'], software_statement)
  const again = { method: 'PUT', token: configurationOf(asserted).token, json: { redirect_uris } }
  const plain = await send(service, path, again)
  assert.not('client_name' in plain.json)
  assert.not('software_statement' in plain.json)
})

statements('what a statement says needs the same permission as what is sent', async ({ service, trusting }) => {
  const token = await issueToken(service, 'client-reg:grant:code')
  const before = await allClients(service)
  for (const claims of [{ grant_types: ['authorization_code', 'password'] }, { scope: 'admin' }, { data: { a: 1 } }]) {
    const software_statement = await sign(trusting, claims)
    const answer = await register(service, { redirect_uris, software_statement }, token)
    assert.is(answer.status, 403, JSON.stringify(claims))
    assert.is(answer.json['error'], 'insufficient_scope')
  }
  assert.is(await allClients(service), before)
  assert.is((await register(service, { redirect_uris }, token)).status, 200, 'the token is not spent')
})

const brokenClaims: Readonly<Record<string, readonly [claims: object, reported: string]>> = {
  'a script': [{ redirect_uris: ['javascript:alert(1)'] }, '/redirect_uris/0 uri-scheme'],
  'no URI at all': [{ redirect_uris: [] }, '/redirect_uris redirect-uris-required'],
  'a name that is no text': [{ client_name: 7 }, '/client_name string'],
  null: [{ client_name: null }, '/client_name string'],
  'a tagged logo': [{ 'logo_uri#fr': 'javascript:alert(1)' }, '/logo_uri#fr web-uri'],
  'a weak algorithm': [
    { id_token_encrypted_response_alg: 'RSA1_5' },
    '/id_token_encrypted_response_alg encryption-algorithm',
  ],
  'a grant that lacks': [{ response_types: ['token'] }, '/response_types/0 response-type-grant'],
  'a private key': [{ jwks: { keys: [{ kty: 'oct', k: 'AA' }] } }, '/jwks/keys/0/k jwk-private'],
  ...Object.fromEntries(
    [
      'client_id',
      'client_secret',
      'client_id_issued_at',
      'client_secret_expires_at',
      'registration_access_token',
      'registration_client_uri',
      'preferred_client_id',
      'preferred_client_secret',
      'software_statement',
    ].map((member) => [`${member} in it`, [{ [member]: 'x' }, `/${member} software-statement-member`] as const]),
  ),
}

for (const [name, [claims, reported]] of Object.entries(brokenClaims))
  statements(`claims that break a rule are the fault of the statement: ${name}`, async ({ service, trusting }) => {
    const registered = await register(service)
    const { path, token: rat } = configurationOf(registered)
    const token = await issueToken(service, 'client-reg')
    const before = await allClients(service)
    const json = { redirect_uris, software_statement: await sign(trusting, claims) }
    for (const answer of [
      await register(service, json, token),
      await send(service, path, { method: 'PUT', token: rat, json }),
    ]) {
      assert.is(answer.status, 400, answer.text)
      assert.is(answer.json['error'], 'invalid_software_statement')
      assert.equal(rulesOf(answer), [reported])
    }
    assert.is(await allClients(service), before)
    assert.is((await register(service, { redirect_uris }, token)).status, 200, 'the token is not spent')
  })

statements('faults of the body beside those of a statement: the first member decides the code', async (context) => {
  const software_statement = await sign(context.trusting, { client_name: 7 })
  const body = { redirect_uris: ['https://rp.example/#'], contacts: 7, software_statement }
  const answer = await register(context.service, body)
  assert.is(answer.json['error'], 'invalid_redirect_uri')
  assert.equal(rulesOf(answer), ['/redirect_uris/0 uri-fragment', '/client_name string', '/contacts array'])
})

statements('what the body says of a stated member is not judged, in no language', async (context) => {
  const software_statement = await sign(context.trusting, { logo_uri: 'https://rp.example/logo.png' })
  const body = { redirect_uris, logo_uri: 7, 'logo_uri#fr': 'javascript:alert(1)', software_statement }
  const answer = await register(context.service, body)
  assert.is(answer.json['logo_uri'], 'https://rp.example/logo.png', answer.text)
  assert.not('logo_uri#fr' in answer.json)
})

statements('a dry run tells what the statement said as added', async ({ service, trusting }) => {
  const software_statement = await sign(trusting, { client_name: 'Stated', software_id: 'same' })
  const json = { redirect_uris, client_name: 'Mine', software_id: 'same', software_statement }
  const { json: reported } = await send(service, '/clients?dry_run=true', {
    method: 'POST',
    token: service.master,
    json,
  })
  const added: ReadonlyMap<string, unknown> = new Map(Object.entries(Object(reported['added'])))
  assert.is(added.get('client_name'), 'Stated')
  for (const member of ['software_id', 'software_statement', 'redirect_uris']) assert.not(added.has(member), member)
})

statements.run()
