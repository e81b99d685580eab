// clientele doctor beside a running service, and with planted faults.
import { chmodSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import * as E from 'fp-ts/lib/Either.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import {
  clientSecret as forgeSecret,
  endpointsAt,
  startOAuthServer,
} from '../../../adapters-login/test/support/oauth-server.js'
import { clientSecret, startOpenIdProvider } from '../../../adapters-login/test/support/openid-provider.js'
import { startTlsServer } from '../../../adapters-login/test/support/tls-server.js'
import { freePort } from '../../../adapters-postgresql/test/support/free-port.js'
import { loadConfig } from '../../src/config/load-config.js'
import { readFile } from '../../src/config/files.js'
import { diagnose } from '../../src/doctor/doctor.js'
import { issueToken } from '../support/requests.js'
import { discard, launch, newDataDir, startService } from '../support/service.js'

const doctor = suite('doctor, process')

const command = async (dataDir: string, ...argv: ReadonlyArray<string>) => {
  const { exited, output } = launch(['doctor', ...argv], { CLIENTELE_DATA_DIR: dataDir })
  return { status: await exited, ...output() }
}

doctor('a new service has no fault, also when it is stopped; each planted one is found with its remedy', async () => {
  const dataDir = newDataDir()
  const service = await startService({}, dataDir)
  const healthy = await command(dataDir)
  assert.is(healthy.status, 0, healthy.stdout + healthy.stderr)
  for (const check of [
    'files',
    'disk',
    'base-url',
    'database',
    'keys',
    'discovery',
    'clock',
    'encryption key',
    'logouts',
    'documents',
    'clients',
  ])
    assert.match(healthy.stdout, ` ${check}: `)
  assert.match(healthy.stdout, /\n0 faults, \d+ warnings?\n$/)
  const named = await command(dataDir, '--first-party-clients', 'portal')
  assert.is(named.status, 0)
  assert.match(named.stdout, 'WARNING clients: first-party-clients names portal, which no client has')
  const policy = JSON.stringify({
    clients: [
      { client_id: 'bounded', scope: [] },
      { client_id: 'own', skip_consent: true },
      { client_id: 'https://app.example/client.json', skip_consent: true },
    ],
  })
  const skipping = await command(dataDir, '--registration-policy-json', policy)
  assert.match(skipping.stdout, 'WARNING clients: skip_consent in registration-policy names own, which no client has')
  assert.not.match(skipping.stdout, 'names bounded')
  assert.not.match(skipping.stdout, 'names https://')
  const declared = JSON.stringify({ id_token_signing_alg_values_supported: ['RS256', 'ES256'] })
  const file = join(dataDir, 'provider-metadata.json')
  writeFileSync(file, declared)
  const overstated = await command(dataDir, '--engine', 'none', '--provider-metadata-file', file)
  assert.is(overstated.status, 1)
  assert.match(overstated.stdout, 'FAULT   discovery: The metadata by the settings promises ID tokens signed by ES256')
  const reached = await command(dataDir, '--reach', '--base-url', service.base)
  assert.is(reached.status, 0, reached.stdout)
  assert.match(reached.stdout, 'answers with its metadata')
  assert.match(reached.stdout, `ok      discovery: The metadata of ${service.base} promises`)
  const other = await command(dataDir, '--reach', '--base-url', service.base.replace('127.0.0.1', 'localhost'))
  assert.is(other.status, 1)
  assert.match(other.stdout, 'answers as the issuer')
  await service.stop()
  assert.is((await command(dataDir)).status, 0)

  const master = join(dataDir, 'master-token')
  chmodSync(master, 0o644)
  const open = await command(dataDir, '--json')
  assert.is(open.status, 1)
  const { healthy: isHealthy, findings } = JSON.parse(open.stdout)
  assert.is(isHealthy, false)
  assert.equal(
    findings.filter(({ level }: { readonly level: string }) => level === 'fault'),
    [{ check: 'files', level: 'fault', text: `${master} has mode 644`, remedy: `chmod 600 ${master}` }],
  )
  chmodSync(master, 0o600)
  writeFileSync(join(dataDir, 'clientele.db.0123456789ab.tmp'), '')
  assert.match((await command(dataDir)).stdout, /WARNING files: \S+\.tmp is left of a command that was killed/)
  rmSync(master)
  const missing = await command(dataDir)
  assert.is(missing.status, 1)
  assert.match(missing.stdout, 'master-token is missing')
  const still = await command(dataDir)
  assert.match(still.stdout, 'master-token is missing')
  discard(dataDir)
})

doctor('a clock that went back is found by the audit log, which no start sets back', async () => {
  const dataDir = newDataDir()
  const { stop, base, master } = await startService({}, dataDir)
  await issueToken({ base, master }, 'client-reg')
  await stop()
  const loaded = loadConfig({ flags: { 'data-dir': dataDir }, environment: {}, readFile })
  if (E.isLeft(loaded)) throw new Error('the settings have faults')
  const now = Math.floor(Date.now() / 1_000)
  const textsAt = async (at: number): Promise<ReadonlyArray<string>> =>
    (await diagnose(loaded.right.config, { base: false, document: undefined }, at)).map((finding) => finding.text)
  const told = /^The clock went back: the audit log has a row of /
  assert.not.ok((await textsAt(now)).some((each) => told.test(each)))
  assert.ok((await textsAt(now - 86_400)).some((each) => told.test(each)))
  discard(dataDir)
})

doctor('the upstream provider is asked for its metadata, and whether it takes the credentials', async () => {
  const dataDir = newDataDir()
  const provider = await startOpenIdProvider(0, undefined, undefined, { isPlain: true })
  const at = (issuer: string, secret: string, ...argv: ReadonlyArray<string>) =>
    command(
      dataDir,
      ...['--engine', 'oidc-provider', '--login', 'upstream', '--base-url', 'http://localhost:8080'],
      ...['--upstream-issuer', issuer, '--upstream-client-id', 'clientele', '--upstream-client-secret', secret],
      ...argv,
    )
  const right = await at(provider.origin, clientSecret, '--upstream-required-claims', '{"email": "@company.example"}')
  assert.match(right.stdout, `ok      login: ${provider.origin} answers with its metadata`)
  assert.match(right.stdout, `ok      login: ${provider.origin} takes the credentials of upstream-client-id`)
  assert.match(right.stdout, /upstream-required-claims demands: email\n/)
  const wrong = await at(provider.origin, 'a wrong secret')
  assert.is(wrong.status, 1)
  assert.match(wrong.stdout, `FAULT   login: ${provider.origin} does not take the credentials: `)
  assert.match(wrong.stdout, 'invalid_client')
  assert.match(wrong.stdout, `Every end-user of ${provider.origin} may sign in`)
  const other = await at(`${provider.origin}/realms/other`, clientSecret)
  assert.match(other.stdout, `FAULT   login: ${provider.origin}/realms/other cannot be used: `)
  await provider.stop()
  const away = await at(provider.origin, clientSecret)
  assert.match(away.stdout, /FAULT {3}login: .* cannot be used: .*ECONNREFUSED/)
  for (const { stdout } of [right, wrong, other, away]) assert.not.match(stdout, /wrong secret|a secret of/)
  discard(dataDir)
})

/** An OAuth 2.0 server that answers each token request with an error. */
const startTokenServer = (errorOf: (form: URLSearchParams) => string) =>
  startTlsServer(
    () => (request, response) =>
      void text(request).then((form) =>
        response
          .writeHead(400, { 'Content-Type': 'application/json' })
          .end(JSON.stringify({ error: errorOf(new URLSearchParams(form)) })),
      ),
    0,
    true,
  )

doctor('each of several upstream providers is asked, also beside one that is away', async () => {
  const dataDir = newDataDir()
  const provider = await startOpenIdProvider(0, undefined, undefined, { isPlain: true })
  const forge = await startOAuthServer({ isPlain: true })
  const fileOf = (name: string, secret: string): string => {
    const path = join(dataDir, name)
    writeFileSync(path, secret)
    return path
  }
  // The only registered redirect URI is that of strict; an answer may come before the client is looked at.
  const strict = await startTokenServer((form) =>
    form.get('redirect_uri') === 'http://localhost:8080/login/callback/strict'
      ? 'bad_verification_code'
      : 'redirect_uri_mismatch',
  )
  const hasty = await startTokenServer(() => 'invalid_request')
  const plainAt = (name: string, origin: string) => ({
    ...{ preset: 'github', issuer: origin, ...endpointsAt(origin), client_id: 'clientele' },
    ...{ name, client_secret_file: fileOf('any', 'any') },
  })
  const plain = { preset: 'github', issuer: forge.origin, ...endpointsAt(forge.origin), client_id: 'clientele' }
  const upstreams = {
    staff: {
      name: 'Staff',
      issuer: provider.origin,
      client_id: 'clientele',
      client_secret_file: fileOf('staff', clientSecret),
    },
    forge: { ...plain, client_secret_file: fileOf('forge', forgeSecret) },
    wrong: { ...plain, name: 'Wrong', client_secret_file: fileOf('wrong', 'wrong') },
    gone: plainAt('Gone', `http://localhost:${await freePort()}`),
    strict: plainAt('Strict', strict.origin),
    foreign: plainAt('Foreign', strict.origin),
    hasty: plainAt('Hasty', hasty.origin),
    away: {
      name: 'Away',
      issuer: `http://localhost:${await freePort()}`,
      client_id: 'clientele',
      client_secret_file: fileOf('away', 'any'),
    },
  }
  const { stdout, status } = await command(
    dataDir,
    ...['--engine', 'oidc-provider', '--login', 'upstream', '--base-url', 'http://localhost:8080'],
    ...['--upstreams', JSON.stringify(upstreams)],
  )
  assert.is(status, 1)
  assert.match(stdout, `ok      login: ${provider.origin} takes the credentials of client_id of staff in upstreams`)
  assert.match(stdout, `ok      login: ${forge.origin} takes the credentials of client_id of forge in upstreams`)
  assert.match(
    stdout,
    `FAULT   login: ${forge.origin} does not take the credentials: the upstream provider wrong answered`,
  )
  assert.match(stdout, 'Correct client_id, client_secret_file or client_authentication of wrong in upstreams')
  assert.match(stdout, `FAULT   login: ${upstreams.away.issuer} cannot be used: the upstream provider away: `)
  assert.match(
    stdout,
    `FAULT   login: ${upstreams.gone.issuer} cannot be reached: the upstream provider gone: ECONNREFUSED`,
  )
  assert.match(stdout, 'Start that provider, or correct token_endpoint of gone in upstreams')
  assert.not.match(stdout, `${upstreams.gone.issuer} does not take the credentials`)
  assert.match(stdout, `ok      login: ${strict.origin} takes the credentials of client_id of strict in upstreams`)
  for (const [origin, id, code] of [
    [strict.origin, 'foreign', 'redirect_uri_mismatch'],
    [hasty.origin, 'hasty', 'invalid_request'],
  ] as const)
    assert.match(
      stdout,
      `WARNING login: It could not be told whether ${origin} takes the credentials of client_id of ${id} in upstreams: the upstream provider ${id} answered with the error ${code}`,
    )
  for (const { stop } of [provider, forge, strict, hasty]) await stop()
  discard(dataDir)
})

doctor.run()
