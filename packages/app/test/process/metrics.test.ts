// The metrics of a running service, as a monitor reads them.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { issueToken, redirect_uris, register, send } from '../support/requests.js'
import { type Service, discard, startService } from '../support/service.js'

const Metrics = suite('metrics of a process')

const managementOf = (service: Service): { readonly base: string } => ({
  base: /Health and metrics at (\S+)/.exec(service.output().stdout)?.[1] ?? '',
})

Metrics('are of the store, the keys, the requests and the commits', async () => {
  const service = await startService({ CLIENTELE_MANAGEMENT_PORT: '0', CLIENTELE_SIGNING_ALGORITHMS: 'ES256' })
  const token = await issueToken(service, 'client-reg')
  await register(service)
  await register(service, { redirect_uris }, token)
  await register(service, { redirect_uris: ['https://rp.example/#fragment'] })
  await issueToken(service, 'client-reg')
  const { text } = await send(managementOf(service), '/metrics')
  for (const line of [
    'clientele_clients{state="unused"} 2',
    'clientele_initial_access_tokens 1',
    'clientele_initial_access_tokens_issued_total 2',
    'clientele_initial_access_tokens_consumed_total 1',
    'clientele_registrations_total{by="operator"} 1',
    'clientele_registrations_total{by="initial_access_token"} 1',
    'clientele_refusals_total{door="registration",error="invalid_redirect_uri"} 1',
    'clientele_end_user_sessions 0',
    'clientele_logout_notifications{state="waiting"} 0',
    'clientele_keys{alg="ES256",use="sig",phase="signing"} 1',
  ])
    assert.match(text, `${line}\n`)
  assert.match(text, /^clientele_refused_rules_total\{door="registration",rule="[a-z-]+"\} 1$/m)
  assert.match(text, /^clientele_store_bytes\{part="database"\} [1-9]\d+$/m)
  assert.match(text, /^clientele_commit_writes_count [1-9]/m)
  assert.match(text, /^clientele_key_next_change_seconds\{alg="ES256",use="sig",phase="signing",next="[^"]+"\} [1-9]/m)
  await service.stop()
  discard(service.dataDir)
})

Metrics('need a token where the setting says so', async () => {
  const settings = { CLIENTELE_MANAGEMENT_PORT: '0', CLIENTELE_METRICS_NEED_TOKEN: 'true' }
  const service = await startService(settings)
  const management = managementOf(service)
  const issued = async (scope: string): Promise<string> => {
    const json = { scope, lifetime: 600 }
    const answer = await send(management, '/operator-tokens', { method: 'POST', token: service.master, json })
    return String(answer.json['access_token'])
  }
  const statusWith = async (token?: string): Promise<number> =>
    (await send(management, '/metrics', token === undefined ? {} : { token })).status
  assert.equal([await statusWith(), await statusWith('wrong'), await statusWith(await issued('keys'))], [401, 401, 403])
  assert.is(await statusWith(service.master), 200)
  const { text, headers } = await send(management, '/metrics', { token: await issued('metrics') })
  assert.match(text, 'clientele_clients{state="unused"} 0\n')
  assert.match(String(headers.get('content-type')), 'text/plain')
  const { paths } = JSON.parse((await send(service, '/openapi.json')).text)
  assert.is(paths['/metrics'].get.servers[0].url, '{management}')
  assert.is((await send(service, '/metrics', { token: service.master })).status, 404)
  await service.stop()
  discard(service.dataDir)
})

Metrics.run()
