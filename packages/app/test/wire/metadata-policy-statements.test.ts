import { dirname } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { withPolicy } from '../support/metadata/policies.js'
import { allClients, rulesOf } from '../support/metadata/refusals.js'
import { createSigner, issuer, keyFile, sign } from '../support/metadata/statements.js'
import { redirect_uris, register } from '../support/requests.js'
import { discard } from '../support/service.js'

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

both.run()
