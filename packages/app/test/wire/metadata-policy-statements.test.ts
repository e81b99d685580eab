import { dirname } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { withPolicy } from '../support/metadata/policies.js'
import { allClients, rulesOf } from '../support/metadata/refusals.js'
import { createSigner, issuer, keyFile, sign } from '../support/metadata/statements.js'
import { configurationOf, redirect_uris, register, send } from '../support/requests.js'
import { discard } from '../support/composed-service.js'

const both = suite('the registration policy and software statements')

const policy = {
  allowed_redirect_hosts: ['rp.example'],
  required_members: ['software_id', 'client_name'],
  allowed_algorithms: ['RS256'],
}

both('what a statement says is judged by the policy as if the client had sent it', async () => {
  const signer = await createSigner('ES256')
  const file = keyFile(signer.publicJwk)
  const settings = { CLIENTELE_SOFTWARE_STATEMENT_ISSUERS: `${issuer}=${file}` }
  await withPolicy(policy, settings, async (service) => {
    const body = { redirect_uris, client_name: 'Mine' }
    const valid = { ...body, software_statement: await sign(signer, { software_id: 'stated' }) }
    assert.is((await register(service, valid)).status, 200, 'a required member may be stated')
    assert.equal(rulesOf(await register(service, body)), ['/software_id policy-required'])
    const before = await allClients(service)
    for (const [claims, reported] of [
      [{ redirect_uris: ['https://evil.example/cb'] }, '/redirect_uris/0 policy-redirect-host'],
      [{ id_token_signed_response_alg: 'ES256' }, '/id_token_signed_response_alg policy-algorithm'],
    ] as const) {
      const software_statement = await sign(signer, { software_id: 'stated', ...claims })
      const answer = await register(service, { ...body, software_statement })
      assert.is(answer.status, 400)
      assert.is(answer.json['error'], 'invalid_software_statement')
      assert.equal(rulesOf(answer), [reported])
    }
    assert.is(await allClients(service), before)
  })
  discard(dirname(file))
})

const software = [{ software_id: 'com.example.app', issuers: [issuer], denied_versions: ['2.0'] }]
const app = { software_id: 'com.example.app', software_version: '2.1' }

both('a policy requires statements of listed software, on POST and PUT, with a token and without', async () => {
  const signer = await createSigner('ES256')
  const file = keyFile(signer.publicJwk)
  const settings = {
    CLIENTELE_SOFTWARE_STATEMENT_ISSUERS: `${issuer}=${file}`,
    CLIENTELE_ALLOW_OPEN_REGISTRATION: 'true',
  }
  const required = { software_statements: { required: 'open', accept: 'listed', software } }
  await withPolicy(required, settings, async (service) => {
    const stating = async (claims: object) => ({ redirect_uris, software_statement: await sign(signer, claims) })
    const open = (json: object) => send(service, '/clients', { method: 'POST', json })
    const missing = await open({ redirect_uris, ...app })
    assert.equal([missing.status, missing.json['error']], [400, 'invalid_software_statement'])
    assert.equal(rulesOf(missing), ['/software_statement policy-statement'])
    for (const [claims, reported] of [
      [{ ...app, software_version: '2.0' }, '/software_version policy-software-version'],
      [{ software_id: 'other' }, '/software_id policy-software'],
    ] as const) {
      const answer = await open(await stating(claims))
      assert.equal([answer.status, answer.json['error']], [400, 'unapproved_software_statement'])
      assert.equal(rulesOf(answer), [reported])
      const dry = await send(service, '/clients?dry_run=true', { method: 'POST', json: await stating(claims) })
      assert.equal(rulesOf(dry), [reported])
    }
    const registered = await open(await stating(app))
    assert.is(registered.status, 200)
    const { path, token } = configurationOf(registered)
    const dropped = await send(service, path, { method: 'PUT', json: { redirect_uris, ...app }, token })
    assert.equal(rulesOf(dropped), ['/software_statement policy-statement'])
    assert.is((await send(service, path, { method: 'PUT', json: await stating(app), token })).status, 200)
    // An operator registers without a statement; only a statement names this software.
    assert.equal(rulesOf(await register(service, { redirect_uris, ...app })), [
      '/software_id policy-software-asserted',
      '/software_version policy-software-asserted',
    ])
  })
  discard(dirname(file))
})

both.run()
