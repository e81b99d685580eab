// The listed and the accepted algorithms, and clients whose algorithm was removed (OpenID Discovery §3).
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { run } from '../cli/run.js'
import { allClients, rulesOf } from '../support/metadata/refusals.js'
import { configurationOf, redirect_uris, register, send } from '../support/requests.js'
import { type Service, discard, newDataDir, startService } from '../support/composed-service.js'

const algorithms = suite<{ dataDir: string }>('the algorithms that are listed and taken')
algorithms.before.each((context) => void (context.dataDir = newDataDir()))
algorithms.after.each(({ dataDir }) => discard(dataDir))

const refused = '/id_token_signed_response_alg unsupported-algorithm'
const es256 = { redirect_uris, id_token_signed_response_alg: 'ES256' }

const listOf = async (service: Service, name: string): Promise<unknown> =>
  (await send(service, '/.well-known/openid-configuration')).json[name]

algorithms('an algorithm that no key ring has is neither listed nor taken, by POST and PUT', async ({ dataDir }) => {
  const service = await startService({}, dataDir)
  const listed = await listOf(service, 'id_token_signing_alg_values_supported')
  assert.equal(
    listed,
    ['RS256', 'HS256', 'none'],
    'RFC 7518 §3.2: a secret of 43 characters is too short for the others',
  )
  const registered = await register(service)
  const { path, token } = configurationOf(registered)
  for (const answer of [
    await register(service, es256),
    await send(service, '/clients?dry_run=true', { method: 'POST', token: service.master, json: es256 }),
    await send(service, path, { method: 'PUT', token, json: es256 }),
  ]) {
    assert.is(answer.status, 400)
    assert.is(answer.json['error'], 'invalid_client_metadata')
    assert.equal(rulesOf(answer), [refused])
    assert.match(
      String(answer.json['error_description']),
      /add it to signing-algorithms or, where the setting engine is none, to provider-metadata/,
    )
  }
  await service.stop()
})

algorithms('what the provider beside the service declares is listed and taken', async ({ dataDir }) => {
  const file = join(dataDir, 'provider.json')
  const declared = { id_token_signing_alg_values_supported: ['ES256'], token_endpoint: 'https://op.example/token' }
  writeFileSync(file, JSON.stringify(declared))
  const service = await startService({ CLIENTELE_PROVIDER_METADATA: file }, dataDir)
  assert.equal(await listOf(service, 'id_token_signing_alg_values_supported'), ['ES256'])
  assert.is((await register(service, es256)).status, 200)
  assert.is((await register(service)).json['id_token_signed_response_alg'], 'ES256', 'RS256 cannot be the default')
  assert.equal(rulesOf(await register(service, { redirect_uris, id_token_signed_response_alg: 'RS256' })), [refused])
  await service.stop()
})

algorithms('a client whose algorithm is gone is read and listed as it is, and falls', async ({ dataDir }) => {
  const before = await startService({ CLIENTELE_SIGNING_ALGORITHMS: 'RS256,ES256' }, dataDir)
  const registered = await register(before, es256)
  assert.is(registered.status, 200)
  await before.stop()
  const after = await startService({}, dataDir)
  const client = String(registered.json['client_id'])
  const token = String(registered.json['registration_access_token'])
  const read = await send(after, `/clients/${client}`, { token })
  assert.equal([read.status, read.json['id_token_signed_response_alg']], [200, 'ES256'])
  assert.ok((await allClients(after)).includes(client))
  assert.equal(rulesOf(await send(after, `/clients/${client}`, { method: 'PUT', token, json: es256 })), [refused])
  const policy = join(dataDir, 'policy.json')
  writeFileSync(policy, '{}')
  const check = await run(['policy', 'check', policy], { CLIENTELE_DATA_DIR: dataDir })
  assert.is(check.status, 1)
  assert.match(check.output, `  ${refused}\n`)
  await after.stop()
})

algorithms.run()
