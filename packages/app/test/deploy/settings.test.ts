// What the files of deploy/ set: their names are settings, and their values start the service as the page says.
import { validate } from 'dockerfile-utils'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Config } from '../../src/config/settings.js'
import { root } from '../support/documented-commands.js'
import { loaded } from '../config/loaded.js'
import {
  type Texts,
  composeFiles,
  composed,
  folder,
  image,
  podEnvironment,
  read,
  settingsAmong,
  unitEnvironment,
} from './support/deployed.js'

const settings = suite('the settings of deploy/')

const secrets: Texts = {
  'database-url': 'postgresql://clientele:a-password@database:5432/clientele',
  'encryption-key': Buffer.alloc(32, 'a key').toString('base64url'),
  'master-token': 'the-master-token-of-the-files-of-deploy',
}

const inFolder = (place: string): Texts =>
  Object.fromEntries(Object.entries(secrets).map(([name, text]) => [join(place, name), text]))

const unitFiles = { ...inFolder('/credentials'), '/etc/clientele/settings.json': read('systemd/settings.json') }
const ofUnit = (...units: ReadonlyArray<string>): Config =>
  loaded(
    settingsAmong(Object.assign({}, ...units.map((unit) => unitEnvironment(unit, '/var/lib', '/credentials')))),
    { config: '/etc/clientele/settings.json' },
    unitFiles,
  ).config

const composedConfigs = (file: string): ReadonlyArray<Config> =>
  composed(file, 'op.example').instances.map(
    ({ environment = {} }) =>
      loaded(settingsAmong({ ...image().environment, ...environment }), {}, inFolder('/run/secrets')).config,
  )

const all: ReadonlyArray<readonly [string, () => ReadonlyArray<Config>, 'sqlite' | 'postgresql']> = [
  ['compose/sqlite.yaml', () => composedConfigs('compose/sqlite.yaml'), 'sqlite'],
  ['compose/postgresql.yaml', () => composedConfigs('compose/postgresql.yaml'), 'postgresql'],
  ['systemd/clientele.service', () => [ofUnit('clientele.service')], 'sqlite'],
  ['systemd/postgresql.conf', () => [ofUnit('clientele.service', 'postgresql.conf')], 'postgresql'],
  [
    'kubernetes/clientele.yaml',
    () => [loaded(settingsAmong(podEnvironment()), {}, inFolder('/run/secrets/clientele')).config],
    'postgresql',
  ],
]

for (const [file, configs, scheme] of all)
  settings(`${file} gives the service all that it needs on ${scheme}, behind a proxy that it knows`, () => {
    const found = configs()
    assert.ok(found.length > 0)
    for (const config of found) {
      assert.is(config['base-url'], 'https://op.example')
      assert.is(config['database-url'].scheme, scheme)
      assert.is(config.port, 8080)
      assert.is(config['management-port'], 9090)
      assert.is(config['list-clients-on-management-port-alone'], true)
      assert.is(config['trusted-proxies'].length, 1)
    }
  })

settings('the backup finds the database of the service', () => {
  assert.is(ofUnit('clientele-backup.service')['data-dir'], ofUnit('clientele.service')['data-dir'])
})

settings('both instances of a composition are the same', () => {
  const [one, other, ...more] = composed('compose/postgresql.yaml', 'op.example').instances
  assert.equal(one, other)
  assert.is(more.length, 0)
})

settings('who else reaches the management port of a pod needs a token for its metrics', () => {
  const { config } = loaded(settingsAmong(podEnvironment()), {}, inFolder('/run/secrets/clientele'))
  assert.is(config['management-host'], '0.0.0.0')
  assert.is(config['metrics-need-token'], true)
})

for (const file of composeFiles) {
  settings(`${file} is as the schema of Compose says`, () => {
    const linter = join(root, 'tools/node_modules/dclint/bin/dclint.cjs')
    // The image is built here, and the proxy listens on all addresses.
    const others = ['no-build-and-image', 'no-unbound-port-interfaces'].flatMap((rule) => ['--disable-rule', rule])
    const args = [linter, join(folder, file), '--quiet', ...others]
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
    assert.is(status, 0, stdout + stderr)
  })

  settings(`${file} trusts the network of the proxy, and lets nothing else in`, () => {
    const { whole, instances } = composed(file, 'op.example')
    const [edge] = whole.networks['edge']?.ipam?.config ?? []
    const inEdge = Object.entries(whole.services).filter(([, { networks }]) => networks.includes('edge'))
    assert.equal(
      inEdge.filter(([, each]) => !instances.includes(each)).map(([name]) => name),
      ['caddy'],
    )
    for (const each of instances) {
      assert.is(each.environment?.['CLIENTELE_TRUSTED_PROXIES'], edge?.subnet)
      assert.is(each.ports, undefined)
      assert.is(each.read_only, true)
      assert.equal(each.cap_drop, ['ALL'])
      assert.equal(each.security_opt, ['no-new-privileges:true'])
    }
    const published = Object.entries(whole.services).filter(([, { ports }]) => ports !== undefined)
    assert.equal(
      published.map(([name]) => name),
      ['caddy'],
    )
  })

  settings(`${file} declares the secrets and volumes that it uses`, () => {
    const { whole } = composed(file, 'op.example')
    const used = Object.values(whole.services)
    const named = used.flatMap(({ volumes = [] }) => volumes.map((each) => each.split(':')[0] ?? ''))
    const volumes = named.filter((each) => !each.startsWith('.'))
    assert.equal([...new Set(volumes)].sort(), Object.keys(whole.volumes).sort())
    const secretNames = used.flatMap(({ secrets: own = [] }) => own)
    assert.equal([...new Set(secretNames)].sort(), Object.keys(whole.secrets ?? {}).sort())
  })
}

settings('the Dockerfile has no fault, and its image is started by a user without rights', () => {
  assert.equal(validate(read('Dockerfile')), [])
  const { user, command } = image()
  assert.is(user, '65532:65532')
  assert.equal(command, ['clientele', 'serve'])
})

settings.run()
