import { createHmac, randomUUID } from 'node:crypto'
import { dirname } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { withPolicy } from '../support/metadata/policies.js'
import { rulesOf } from '../support/metadata/refusals.js'
import {
  type Signer,
  base64url,
  createSigner,
  issuer,
  keyFile,
  sign,
  signText,
} from '../support/metadata/statements.js'
import { type Answer, configurationOf, register, send } from '../support/requests.js'
import { type Service, discard } from '../support/composed-service.js'

const signed = suite('registration requests that are signed as a whole')

const audience = '0015800001041RHAAY'
const redirect_uris = ['https://rp.example/a', 'https://rp.example/b']
const directory = await createSigner('PS256')
const software = await createSigner('PS256')
const stranger = await createSigner('PS256')
const file = keyFile(directory.publicJwk)
const settings = { CLIENTELE_SOFTWARE_STATEMENT_ISSUERS: `${issuer}=${file}` }

const ofSoftware = {
  software_id: 'soft1',
  software_client_name: 'Asserted',
  software_version: 1.5,
  software_redirect_uris: redirect_uris,
  software_jwks: { keys: [software.publicJwk] },
  org_id: 'org1',
}
const statement = (claims: object = {}, by: Signer = directory) => sign(by, { ...ofSoftware, ...claims })
const now = () => Math.floor(Date.now() / 1000)
const claimsOf = async (claims: object = {}) => ({
  iss: 'soft1',
  aud: audience,
  iat: now(),
  exp: now() + 300,
  jti: randomUUID(),
  software_statement: await statement(),
  token_endpoint_auth_method: 'private_key_jwt',
  client_name: 'Of the request',
  ...claims,
})
const request = async (
  claims: object = {},
  header: Parameters<typeof signText>[2] = {},
  by: Signer = software,
): Promise<string> => signText(by, JSON.stringify(await claimsOf(claims)), header)

const headers = { 'content-type': 'application/jwt' }
const post = (service: Service, body: string, path = '/clients'): Promise<Answer> =>
  send(service, path, { method: 'POST', body, headers, token: service.master })

const on = { signed_bodies: { format: 'uk', audience: [audience] } }

signed('a signed request registers a client of its statement, and a signed update changes it', () =>
  withPolicy(on, settings, async (service) => {
    const dry = await post(service, await request(), '/clients?dry_run=true')
    assert.is(dry.status, 200, dry.text)
    const registered = await post(service, await request())
    assert.is(registered.status, 200, registered.text)
    const { client_name, software_id, software_version, jwks } = registered.json
    assert.equal([client_name, software_id, software_version], ['Asserted', 'soft1', '1.5'])
    assert.equal(registered.json['redirect_uris'], redirect_uris)
    assert.equal(jwks, { keys: [software.publicJwk] })
    assert.not.ok('iss' in registered.json || 'aud' in registered.json || 'jti' in registered.json)
    const { path, token } = configurationOf(registered)
    const put = (body: string) => send(service, path, { method: 'PUT', body, headers, token })
    const fewer = await put(await request({ redirect_uris: redirect_uris.slice(1) }))
    assert.equal([fewer.status, fewer.json['redirect_uris']], [200, redirect_uris.slice(1)])
    assert.equal(rulesOf(await put(await request({ aud: 'other' }))), ['/aud signed-body-audience'])
    const other = await request({ iss: 'soft2', software_statement: await statement({ software_id: 'soft2' }) })
    assert.equal(rulesOf(await put(other)), ['/software_statement signed-body-other-software'])
    assert.is((await register(service, { redirect_uris })).status, 200, 'JSON is still taken')
  }),
)

signed('every forgery is refused, with its remedy', () =>
  withPolicy(on, settings, async (service) => {
    const claims = base64url(await claimsOf())
    const head = base64url({ alg: 'HS256', kid: 'kid-PS256' })
    const mac = createHmac('sha256', JSON.stringify(software.publicJwk)).update(`${head}.${claims}`).digest('base64url')
    const embedded = { jwk: stranger.publicJwk }
    const swapped = await statement({ software_id: 'soft2' })
    const untrusted = await sign(stranger, { ...ofSoftware, iss: 'https://other.example' })
    const forged = await statement({}, stranger)
    const outside = [...redirect_uris, 'https://evil.example/']
    const cases: ReadonlyArray<readonly [string, ReadonlyArray<string>]> = [
      [`${base64url({ alg: 'none', kid: 'kid-PS256' })}.${claims}.`, [' signed-body-algorithm']],
      [`${head}.${claims}.${mac}`, [' signed-body-algorithm']],
      [await request({}, {}, stranger), [' signed-body-signature']],
      [await request({}, embedded, stranger), [' signed-body-header']],
      [await request({ aud: service.base }), ['/aud signed-body-audience']],
      [await request({ exp: now() - 1 }), ['/exp signed-body-expired']],
      [await request({ iat: now() + 120 }), ['/iat signed-body-not-yet']],
      [await request({ jti: undefined }), ['/jti signed-body-id']],
      [await request({ software_statement: swapped }), ['/iss signed-body-issuer']],
      [await request({ redirect_uris: outside }), ['/redirect_uris/2 signed-body-redirect-uri']],
      [await request({ software_statement: untrusted }), ['/software_statement software-statement-unapproved']],
      [await request({ software_statement: forged }), ['/software_statement software-statement']],
      [await request({ software_statement: undefined }), ['/software_statement software-statement']],
      ['no JWT', [' signed-body']],
      [await request({ software_statement: await statement({ software_jwks: undefined }) }), [' signed-body-keys']],
    ]
    for (const [body, reported] of cases) {
      const answer = await post(service, body)
      assert.equal([answer.status, rulesOf(answer)], [400, reported])
    }
    const endpoint = await statement({ software_jwks_endpoint: 'https://keys.example/soft1.jwks' })
    assert.equal(rulesOf(await post(service, await request({ software_statement: endpoint }))), [
      ' signed-body-keys-off',
    ])
    const stranger401 = await send(service, '/clients', { method: 'POST', body: await request(), headers })
    assert.is(stranger401.status, 401, 'a signature authorizes no requester')
    const large = await post(service, 'a'.repeat(70_000))
    assert.is(large.status, 413)
  }),
)

signed('where it is required, JSON is refused; where it is off, a JWT is', async () => {
  const required = { signed_bodies: { ...on.signed_bodies, required: true } }
  await withPolicy(required, settings, async (service) => {
    const answer = await register(service, { redirect_uris })
    assert.equal([answer.status, answer.json['error']], [400, 'invalid_request'])
    assert.match(String(answer.json['error_description']), 'application/jwt')
    const registered = await post(service, await request())
    assert.is(registered.status, 200)
    const { path, token } = configurationOf(registered)
    assert.is((await send(service, path, { method: 'PUT', json: { redirect_uris }, token })).status, 400)
  })
  await withPolicy({}, settings, async (service) => {
    const answer = await post(service, await request())
    assert.equal([answer.status, answer.json['error']], [400, 'invalid_request'])
    assert.match(String(answer.json['error_description']), 'application/json')
  })
})

signed.after(() => discard(dirname(file)))

signed.run()
