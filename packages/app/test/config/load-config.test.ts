import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { describeConfigFault } from '../../src/config/rules.js'
import { faults, loaded } from './loaded.js'

const configuration = suite('load configuration')

configuration('a flag counts before the environment, that before the file, that before the default', () => {
  const files = { 'c.json': '{"port": 1, "host": "::1", "log-level": "warn"}' }
  const { config, resolved } = loaded(
    { CLIENTELE_PORT: '2', CLIENTELE_HOST: '127.0.0.2' },
    { config: 'c.json', port: '3' },
    files,
  )
  assert.is(config.port, 3)
  assert.is(config.host, '127.0.0.2')
  assert.is(config['log-level'], 'warn')
  const sources = Object.fromEntries(resolved.map(({ name, source }) => [name, source]))
  assert.is(sources['port'], 'flag --port')
  assert.is(sources['host'], 'environment CLIENTELE_HOST')
  assert.is(sources['log-level'], 'file c.json')
  assert.is(sources['data-dir'], 'default')
})

configuration('the file has numbers, booleans, strings and arrays', () => {
  const { config } = loaded(
    {},
    { config: 'c' },
    {
      c: `{
        "allow-open-registration": true, "cors-origins": ["https://a.example", "https://b.example"], "port": 0,
        "protected-names": ["Example Bank=bank.example", "Acme=acme.test"], "open-registration-scopes": ["a", "b"]
      }`,
    },
  )
  assert.equal(config['protected-names'], [
    { name: 'Example Bank', hosts: ['bank.example'] },
    { name: 'Acme', hosts: ['acme.test'] },
  ])
  assert.equal(config['open-registration-scopes'], ['a', 'b'])
  assert.is(config['allow-open-registration'], true)
  assert.equal(config['cors-origins'], ['https://a.example', 'https://b.example'])
  assert.is(config.port, 0)
})

configuration('all faults are reported at once, each with its setting, source, rule and remedy', () => {
  const found = faults(
    { CLIENTELE_PORT: '99999', CLIENTELE_CLIENT_ID_LENGTH: '15', CLIENTELE_LOG_LEVL: 'info' },
    { config: 'c', 'registration-status': '204' },
    { c: '{"hots": "x", "data-dir": null}' },
  )
  const remedy = 'correct it, or remove it for the default'
  assert.equal(found.map(describeConfigFault).sort(), [
    'CLIENTELE_LOG_LEVL (environment) is not a setting: did you mean CLIENTELE_LOG_LEVEL?',
    `client-id-length (environment CLIENTELE_CLIENT_ID_LENGTH) must be a whole number from 16 to 128: ${remedy} (20)`,
    'data-dir (file c) must be a string, a number, true, false or an array of strings: correct it in the file',
    'hots (file c) is not a setting: did you mean host?',
    `port (environment CLIENTELE_PORT) must be a whole number from 0 to 65535: ${remedy} (8080)`,
    `registration-status (flag --registration-status) must be one of 200, 201: ${remedy} (200)`,
  ])
})

configuration(
  'the rules across settings are judged beside the faults of others, and not where one of theirs has one',
  () => {
    const settingsOf = (given: Readonly<Record<string, string>>, more: Readonly<Record<string, string>> = {}) =>
      faults({}, { ...given, ...more }, { c: '{"unknown": 1}' }).map(({ setting }) => setting)
    const across = { host: '0.0.0.0', 'management-port': '8080', 'login-page-url': 'https://login.example' }
    assert.equal(settingsOf(across), ['management-port', 'login-page-url'])
    assert.equal(settingsOf(across, { 'client-id-length': '1', config: 'c' }), [
      'unknown',
      'client-id-length',
      'management-port',
      'login-page-url',
    ])
    assert.equal(settingsOf(across, { port: 'x', login: 'x' }), ['port', 'login'])
    assert.equal(settingsOf(across, { profile: 'x' }), ['profile'])
    assert.equal(settingsOf(across, { config: 'none' }), ['config'])
  },
)

configuration('keys are published ahead for longer than a set can lack them', () => {
  const given = (ahead: number, maxAge: number) =>
    faults({}, { engine: 'none', 'key-publish-ahead': `${ahead}`, 'jwks-max-age': `${maxAge}`, 'key-retention': '9' })
  assert.equal(given(45, 5), [])
  assert.equal(given(44, 5).map(describeConfigFault), [
    'key-publish-ahead (flag --key-publish-ahead) must be at least jwks-max-age plus 40: instances that share a store ' +
      'learn of a new key with a delay: publish keys further ahead, or shorten jwks-max-age',
  ])
})

configuration('a file that is missing, no JSON or no object is a fault', () => {
  for (const files of [{}, { c: '{' }, { c: '[]' }, { c: 'null' }])
    assert.equal(
      faults({}, { config: 'c' }, files).map(({ setting }) => setting),
      ['config'],
    )
})

configuration('members and variables named like built-in properties are unknown settings', () => {
  const found = faults({ CLIENTELE___PROTO__: 'x' }, { config: 'c' }, { c: '{"toString": 1, "constructor": 2}' })
  assert.equal(found.map(({ setting }) => setting).sort(), ['CLIENTELE___PROTO__', 'constructor', 'toString'])
  const [refused] = faults({}, { config: 'c' }, { c: '{"__proto__": 1}' }).map(describeConfigFault)
  assert.match(String(refused), 'a member named __proto__ at line 1, column 2')
})

const jsonFiles: ReadonlyArray<readonly [setting: string, value: (path: string) => string]> = [
  ['config', (path) => path],
  ['provider-metadata-file', (path) => path],
  ['registration-policy', (path) => path],
  ['resource-policy', (path) => path],
  ['upstream-required-claims', (path) => path],
  ['login-page-keys', (path) => path],
  ['software-statement-issuers', (path) => `https://issuer.example=${path}`],
]

for (const [setting, value] of jsonFiles)
  configuration(
    `where the JSON of ${setting} is broken, the fault has the file with line and column, and nothing of it`,
    () => {
      const directory = mkdtempSync(join(tmpdir(), 'clientele-test-'))
      const path = join(directory, 'settings.json')
      for (const [text, where] of [
        ['{\n  "distinctive": "secret",\n}\n', 'is not valid JSON at line 3, column 1: leave out the comma before }'],
        ['{"distinctive": 1,\n "distinctive": "secret"}', 'repeats the name of a member at line 2, column 2'],
      ] as const) {
        writeFileSync(path, text)
        const [fault, ...more] = faults({}, { [setting]: value(path) }, { [path]: text }).map(describeConfigFault)
        assert.equal(more, [])
        assert.match(String(fault).replace(`(file ${path})`, path), `${path} ${where}`)
        assert.not.match(String(fault), /distinctive|secret/)
      }
      rmSync(directory, { recursive: true })
    },
  )

const brokenValues: ReadonlyArray<readonly [string, ReadonlyArray<string>]> = [
  [
    'BASE_URL',
    [
      '',
      'https://',
      'id.example',
      'ftp://id.example',
      'http://id.example',
      'https://id.example/',
      'https://ID.example',
      'https://id.example?a=b',
      'https://id.example#',
      'https://user:pass@id.example',
      'https://id.example:443',
      'https://id.example/a/../b',
      'https://id.example ',
    ],
  ],
  ['HOST', ['', 'a b', '-', 'http://x']],
  ['PORT', ['', '-1', '1.5', '65536', '0x50', ' 80', '1e3']],
  ['MANAGEMENT_PORT', ['', '70000', '8080']],
  ['DATA_DIR', ['']],
  ['ALLOW_OPEN_REGISTRATION', ['', '1', 'yes', 'TRUE']],
  ['OPEN_REGISTRATION_SCOPES', ['a "b"', 'a\\b', 'é']],
  ['REGISTRATION_STATUS', ['', '202']],
  ['CLIENT_ID_LENGTH', ['15', '129']],
  ['CLIENT_SECRET_LENGTH', ['31', '129']],
  ['REGISTRATION_ACCESS_TOKEN_LENGTH', ['31', '129']],
  ['CLIENT_SECRET_LIFETIME', ['-1', 'never', '999999999999']],
  ['INITIAL_ACCESS_TOKEN_LIFETIME', ['0', '2592001']],
  ['ROTATE_REGISTRATION_ACCESS_TOKEN_ON_UPDATE', ['no']],
  ['ROTATE_CLIENT_SECRET_ON_UPDATE', ['no']],
  [
    'CORS_ORIGINS',
    [
      'https://*.example',
      'https://a.example/',
      'https://A.example',
      'a.example',
      'null',
      'file:///x',
      'https://a.example:443',
    ],
  ],
  ['TRUSTED_PROXIES', ['10.0.0.0/33', 'proxy', '10.0.0']],
  ['LOG_LEVEL', ['INFO', 'verbose']],
  ['MASTER_TOKEN', ['', 'x'.repeat(31), `${'x'.repeat(40)} y`, 'ü'.repeat(40)]],
  ['MASTER_TOKEN_SHA256', ['', 'ab', 'g'.repeat(64)]],
  [
    'ENCRYPTION_KEY',
    ['', 'A'.repeat(42), `${'A'.repeat(43)},x`, 'A'.repeat(44), `${'A'.repeat(42)}=`, `${'A'.repeat(42)}B`],
  ],
]

for (const [name, values] of brokenValues)
  configuration(`CLIENTELE_${name} outside of its rule is one fault that names it`, () => {
    for (const value of values) {
      const found = faults({ [`CLIENTELE_${name}`]: value })
      assert.is(found.length, 1, JSON.stringify(value))
      assert.match(describeConfigFault(found[0] ?? { setting: '', source: '', rule: '', remedy: '' }), name)
    }
  })

const validValues: ReadonlyArray<readonly [string, ReadonlyArray<string>]> = [
  [
    'BASE_URL',
    [
      'https://id.example',
      'https://id.example:8443/oauth',
      'http://localhost:8080',
      'http://[::1]:1',
      'http://127.0.0.9',
      'http://a.localhost',
    ],
  ],
  ['CORS_ORIGINS', ['', 'https://a.example', 'http://localhost:3000,https://b.example:8443']],
  ['TRUSTED_PROXIES', ['10.0.0.0/8,::1', 'fd00::/8 192.0.2.1', '0.0.0.0/0 ::/0', '::ffff:192.0.2.1']],
  ['ENCRYPTION_KEY', ['A'.repeat(43), `${'A'.repeat(43)},${'_'.repeat(42)}8`]],
  ['MASTER_TOKEN', ['x'.repeat(32), 'aA0-._~+/'.repeat(5), `${'x'.repeat(40)}==`]],
]

for (const [name, values] of validValues)
  configuration(`CLIENTELE_${name} within its rule is taken`, () => {
    for (const value of values) assert.equal(faults({ [`CLIENTELE_${name}`]: value }), [], value)
  })

configuration('a network is one of no other addresses than those that it is written as', () => {
  const others = ['10/8', '172.16/12', '192.168/16', '010.0.0.0/8', '0x0a.0.0.0/8', '10', '::ffff:10.0.0.0/104']
  for (const text of [...others, '::8.8.8.8', '10.0.0.0/33', '10.0.0.0/', '10.0.0.0/8/8', '/8'])
    for (const setting of ['trusted-proxies', 'outbound-allowed-networks']) {
      const found = faults({}, { [setting]: `192.0.2.1,${text}` })
      assert.match(
        found.map(describeConfigFault).join(),
        `${setting} (flag --${setting}) must be CIDRs or addresses`,
        text,
      )
    }
})

configuration('the path of a base-url is plain, because the router has signs of its own', () => {
  for (const path of ['', '/op', '/a-b/c.d/~e_f'])
    assert.equal(faults({ CLIENTELE_BASE_URL: `https://id.example${path}` }), [], path)
  for (const path of ['/a:b', '/(x)', '/a*', '/{a}', '/a%20b', '/a//b', '/a;b', '/'])
    assert.is(faults({ CLIENTELE_BASE_URL: `https://id.example${path}` }).length, 1, path)
})

configuration('a host beyond loopback needs a base-url', () => {
  assert.equal(
    faults({ CLIENTELE_HOST: '192.0.2.1' }).map(({ setting }) => setting),
    ['base-url'],
  )
  assert.equal(faults({ CLIENTELE_HOST: '192.0.2.1', CLIENTELE_BASE_URL: 'https://id.example' }), [])
  assert.equal(faults({ CLIENTELE_HOST: '0.0.0.0' }), [])
})

configuration.run()
