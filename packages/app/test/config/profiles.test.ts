import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { registrationText } from '../../src/cli/serve.js'
import { profileNames } from '../../src/config/settings.js'
import { profiles } from '../../src/config/profiles.js'
import { started } from '../cli/run.js'
import { faults, loaded } from './loaded.js'

const configuration = suite('profiles')

configuration('a profile gives defaults, which everything else wins over', () => {
  const { config, resolved } = loaded(
    { CLIENTELE_REGISTRATION_STATUS: '200' },
    { profile: 'mcp', config: 'c' },
    {
      c: '{"cors-origins": []}',
    },
  )
  assert.is(config['allow-open-registration'], true)
  assert.equal(config['open-registration-scopes'], ['openid', 'profile', 'email', 'address', 'phone', 'offline_access'])
  assert.is(config['registration-policy']?.replace_contradicted_application_type, true)
  assert.is(config['registration-status'], 200)
  assert.equal(config['cors-origins'], [])
  const sources = Object.fromEntries(resolved.map(({ name, source }) => [name, source]))
  assert.equal(
    ['profile', 'allow-open-registration', 'registration-policy', 'registration-status', 'cors-origins', 'port'].map(
      (name) => sources[name],
    ),
    ['flag --profile', 'profile mcp', 'profile mcp', 'environment CLIENTELE_REGISTRATION_STATUS', 'file c', 'default'],
  )
})

configuration('a policy of the operator replaces that of the profile as a whole', () => {
  const policy = { CLIENTELE_PROFILE: 'mcp', CLIENTELE_REGISTRATION_POLICY_JSON: '{"maximum_clients": 5}' }
  const { config } = loaded(policy)
  assert.is(config['registration-policy']?.maximum_clients, 5)
  assert.is(config['registration-policy']?.replace_contradicted_application_type, undefined)
})

for (const name of profileNames)
  configuration(`profile ${name}: every setting and its policy are valid, and show their source`, () => {
    const { resolved } = loaded({ CLIENTELE_PROFILE: name })
    const given = resolved.filter(({ source }) => source === `profile ${name}`).map((each) => each.name)
    const { settings, policy } = profiles[name]
    assert.equal(
      given.sort(),
      [...Object.keys(settings), ...(policy === undefined ? [] : ['registration-policy'])].sort(),
    )
  })

configuration('requests at a request_uri need an engine and outbound fetches', () => {
  const broken = (settings: Readonly<Record<string, string>>) =>
    faults({ CLIENTELE_REQUEST_URIS: 'true', ...settings }).map(({ setting }) => setting)
  assert.equal(broken({}), ['request-uris'])
  assert.equal(broken({ CLIENTELE_OUTBOUND_FETCHES: 'true', CLIENTELE_ENGINE: 'none' }), ['request-uris'])
  assert.equal(broken({ CLIENTELE_OUTBOUND_FETCHES: 'true' }), [])
})

configuration('an unknown profile, and a policy with faults, are refused with the remedy', () => {
  const given = { CLIENTELE_PROFILE: 'mpc', CLIENTELE_REGISTRATION_POLICY_JSON: '{"maximum_clients": -1}' }
  const [profile, policy, ...more] = faults(given)
  assert.equal(more, [])
  assert.is(profile?.rule, 'must be one of mcp, matrix, mail, openbanking-br, fapi2, strict, conformance-dynamic')
  assert.match(policy?.rule ?? '', '/maximum_clients must be a whole number')
})

for (const name of profileNames)
  configuration(`profile ${name}: the start prints a command that registers a client, or what one needs`, async () => {
    const directory = mkdtempSync(join(tmpdir(), 'clientele-'))
    const service = await started({ profile: name, engine: 'oidc-provider', 'data-dir': directory })
    const text = registrationText(service, loaded({ CLIENTELE_PROFILE: name }).config).join('\n')
    const command = /^ {2}(curl .*)$/m.exec(text)?.[1]
    if (name === 'matrix') {
      assert.is(command, undefined)
      assert.match(text, /what else is required here:\n {2}client_uri is required by the registration policy: send it$/)
    } else {
      const answer = await promisify(execFile)('sh', ['-c', command ?? ''])
      assert.type((JSON.parse(answer.stdout) as Record<string, unknown>)['client_id'], 'string', answer.stdout)
    }
    await service.stop()
    rmSync(directory, { recursive: true })
  })

configuration.run()
