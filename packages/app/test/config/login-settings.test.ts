import { upstreamPresets } from '@clientele/adapters-login'
import * as E from 'fp-ts/lib/Either.js'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { describeConfigFault } from '../../src/config/rules.js'
import { type LoadedConfig, configAsJson, configAsText, loadConfig } from '../../src/config/load-config.js'
import { upstreamsOf } from '../../src/config/login.js'

const Login = suite('settings of login')

const files: Readonly<Record<string, string>> = { secret: 'of the file\n' }

const folder = mkdtempSync(join(tmpdir(), 'clientele-login-'))
Login.after(() => rmSync(folder, { recursive: true }))

// RFC 7515 appendix A.3.1
const publicKey = {
  kty: 'EC',
  crv: 'P-256',
  x: 'f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU',
  y: 'x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0',
}

const keyFile = (key: object): string => {
  const path = join(folder, `${Object.keys(key).join('')}.json`)
  writeFileSync(path, JSON.stringify({ keys: [key] }))
  return path
}

const load = (
  flags: Readonly<Record<string, string>>,
  more: Readonly<Record<string, string>> = {},
): E.Either<ReadonlyArray<string>, LoadedConfig> => {
  const loaded = loadConfig({
    flags,
    environment: {},
    readFile: (path) => E.fromNullable('ENOENT')({ ...files, ...more }[path]),
  })
  return E.isLeft(loaded) ? E.left(loaded.left.map(describeConfigFault)) : loaded
}

const faultsOf = (flags: Readonly<Record<string, string>>): ReadonlyArray<string> => {
  const loaded = load(flags)
  return E.isLeft(loaded) ? loaded.left : []
}

const upstream = {
  login: 'upstream',
  'base-url': 'https://id.example.com',
  'upstream-issuer': 'https://accounts.example.com',
  'upstream-client-id': 'clientele',
  'upstream-client-secret-file': 'secret',
}

Login('development is for a base URL on loopback', () => {
  for (const url of ['http://localhost:8080', 'http://127.0.0.1', 'http://[::1]:9000', 'https://id.localhost'])
    assert.equal(faultsOf({ login: 'development', 'base-url': url }), [])
  assert.equal(faultsOf({ login: 'development' }), [])
  const [fault = '', ...others] = faultsOf({ login: 'development', 'base-url': 'https://id.example.com' })
  assert.match(fault, /^login \(flag --login\) must not be development, because the host of base-url is not loopback: /)
  assert.equal(others, [])
})

Login('development with PostgreSQL needs a file of accounts', () => {
  const shared = {
    login: 'development',
    'base-url': 'http://localhost:8080',
    'database-url': 'postgresql://u:p@localhost/c',
    'master-token': 'm'.repeat(32),
    'encryption-key': Buffer.alloc(32).toString('base64url'),
  }
  assert.match(faultsOf(shared)[0] ?? '', /^accounts-file /)
  assert.equal(faultsOf({ ...shared, 'accounts-file': '/srv/accounts.json' }), [])
})

Login('upstream needs its three settings, and every fault comes at once', () => {
  assert.equal(faultsOf(upstream), [])
  const faults = faultsOf({ login: 'upstream', 'upstream-scope': 'profile' })
  const names = ['upstream-issuer', 'upstream-client-id', 'upstream-client-secret', 'upstream-scope']
  assert.equal(
    faults.map((fault) => fault.split(' ')[0]),
    names,
  )
  for (const fault of faults) assert.match(fault, / must .*: /)
})

Login('the secret is read from its file, and never shown in a fault', () => {
  const loaded = load(upstream)
  assert.ok(E.isRight(loaded) && loaded.right.config['upstream-client-secret'] === 'of the file')
  const secret = 'geheim\u0007geheim'
  for (const fault of faultsOf({ login: 'upstream', 'upstream-client-secret': secret, 'login-page-secret': 'short' }))
    assert.not.match(fault, /geheim|short/)
})

Login('an issuer is an https URL without query and fragment, or http on loopback', () => {
  for (const issuer of ['http://localhost:8081/realms/one', 'http://127.0.0.1:8081', 'http://[::1]:8081'])
    assert.equal(faultsOf({ ...upstream, 'upstream-issuer': issuer }), [])
  for (const issuer of [
    'http://accounts.example.com',
    'http://localhost.example',
    'http://127.0.0.1.example',
    'http://localhost/?b',
    'ftp://localhost',
    'accounts.example.com',
    'https://a.example/?b',
    'https://a.example/#',
    'https://u@a.example',
  ])
    assert.match(faultsOf({ ...upstream, 'upstream-issuer': issuer })[0] ?? '', /^upstream-issuer /)
})

Login('the claims that are required are JSON, of a file or of the configuration file as well', () => {
  const required = { hd: 'example.com', '/realm_access/roles': ['staff', 7, true] }
  const text = JSON.stringify(required)
  const path = join(folder, 'required.json')
  writeFileSync(path, text)
  const expected = [
    { claim: 'hd', values: ['example.com'] },
    { claim: '/realm_access/roles', values: ['staff', 7, true] },
  ]
  const configFile = JSON.stringify({ ...upstream, 'upstream-required-claims': required })
  for (const loaded of [
    load({ ...upstream, 'upstream-required-claims': text }),
    load({ ...upstream, 'upstream-required-claims': ` ${text}` }),
    load({ ...upstream, 'upstream-required-claims': path }),
    load({ config: 'all.json' }, { 'all.json': configFile }),
  ])
    assert.equal(E.isRight(loaded) ? loaded.right.config['upstream-required-claims'] : loaded.left, expected)
})

Login('claims that nobody or everybody has are refused, each with its place and without its value', () => {
  for (const [text, told] of [
    ['', /\bJSON object/],
    ['/no/such/file', /which this is not: \/no\/such\/file cannot be read \(no such file or directory, ENOENT\)/],
    ['{"hd": ', /JSON/],
    ['{}', /must name a claim/],
    ['{"hd": []}', /\/hd must have at least one value/],
    ['{"hd": {"a": "company"}}', /\/hd\/0 must be a text/],
    ['{"email": "company.example"}', /\/email\/0 must be an e-mail address, or a domain that begins with @/],
    ['{"email": ["@a.example", "@"], "groups": null}', /\/email\/1 .*\/groups\/0/],
  ] as const) {
    const faults = faultsOf({ ...upstream, 'upstream-required-claims': text })
    assert.is(faults.length, 1, text)
    assert.match(faults[0] ?? '', told)
    assert.not.match(faults[0] ?? '', /company/)
  }
  const other = JSON.stringify({ ...upstream, 'upstream-issuer': { hd: 'a' } })
  assert.match(JSON.stringify(load({ config: 'all.json' }, { 'all.json': other })), /upstream-issuer/)
})

const secretFile = join(folder, 'upstream-secret')
writeFileSync(secretFile, 'the secret\n')
const registered = { client_id: 'clientele', client_secret_file: secretFile }
const severalOf = (upstreams: object) => ({
  login: 'upstream',
  'base-url': 'https://id.example.com',
  upstreams: JSON.stringify(upstreams),
})

Login('several providers are JSON, of a file or of the configuration file as well, and show no secret', () => {
  const given = {
    staff: { ...registered, name: 'Staff', issuer: 'https://accounts.example.com' },
    github: { ...registered, preset: 'github' },
  }
  const path = join(folder, 'upstreams.json')
  writeFileSync(path, JSON.stringify(given))
  const flags = severalOf(given)
  for (const loaded of [
    load(flags),
    load({ ...flags, upstreams: path }),
    load({ config: 'all.json' }, { 'all.json': JSON.stringify({ ...flags, upstreams: given }) }),
  ]) {
    if (E.isLeft(loaded)) return assert.unreachable(loaded.left.join())
    const [staff, github, ...others] = upstreamsOf(loaded.right.config)
    assert.equal(others, [])
    assert.equal([staff?.id, staff?.clientSecret, staff?.plain], ['staff', 'the secret', undefined])
    assert.equal([github?.id, github?.plain?.subject_member], ['github', 'id'])
    const printed = configAsText(loaded.right.resolved) + JSON.stringify(configAsJson(loaded.right.resolved))
    assert.match(printed, 'staff=https://accounts.example.com github=https://github.com/login/oauth')
    assert.not.match(printed, /the secret/)
  }
})

Login('what each preset needs is named, with all other faults at once', () => {
  const presets = Object.fromEntries(Object.keys(upstreamPresets).map((preset) => [preset, { preset }]))
  const [fault = '', ...others] = faultsOf(severalOf(presets))
  assert.equal(others, [])
  for (const preset of Object.keys(upstreamPresets))
    for (const member of ['client_id', 'client_secret_file']) assert.match(fault, `/${preset}/${member} must`)
  assert.match(fault, '/entra/tenant must be the Directory (tenant) ID')
  for (const [preset, { needs }] of Object.entries(upstreamPresets)) {
    const values = Object.fromEntries(Object.keys(needs).map((name) => [name, 'aaaabbbb-0000-cccc-1111-dddd2222eeee']))
    assert.equal(faultsOf(severalOf({ [preset]: { ...registered, preset, ...values } })), [])
  }
})

Login('the files of all secrets are read, and each that cannot be is named', () => {
  const empty = join(folder, 'empty')
  writeFileSync(empty, '')
  const one = { ...registered, preset: 'github' }
  const [fault = ''] = faultsOf(
    severalOf({
      one: { ...one, client_secret_file: join(folder, 'missing') },
      two: { ...one, name: 'Two', client_secret_file: empty },
      three: { ...one, name: 'Three' },
    }),
  )
  assert.match(fault, /\/one\/client_secret_file must be the path of a readable file \(.*ENOENT/)
  assert.match(fault, /\/two\/client_secret_file must name a file with 1 to 1024 ASCII characters/)
  assert.not.match(fault, /\/three/)
})

Login('several providers and the settings of one exclude each other, and need login upstream', () => {
  const { login, ...unchosen } = severalOf({ github: { ...registered, preset: 'github' } })
  assert.equal(faultsOf({ ...unchosen, login }), [])
  assert.match(faultsOf(unchosen)[0] ?? '', /^upstreams .* unless login is upstream/)
  for (const [name, value] of Object.entries({
    'upstream-issuer': 'https://accounts.example.com',
    'upstream-client-id': 'clientele',
    'upstream-client-secret': 'a secret',
    'upstream-client-authentication': 'client_secret_post',
    'upstream-scope': 'openid',
    'upstream-subject-claim': 'email',
    'upstream-claims': 'email',
    'upstream-required-claims': '{"hd": "example.com"}',
  }))
    assert.match(
      faultsOf({ ...unchosen, login, [name]: value })[0] ?? '',
      /^upstreams .* must be left out beside upstream-issuer/,
    )
})

// The rules of outgoing requests refuse them.
Login('endpoints on loopback are where the issuer is, unless their network is permitted', () => {
  const at = (endpoint: string, networks: Readonly<Record<string, string>> = {}) =>
    faultsOf({
      ...severalOf({
        forge: {
          ...{ ...registered, preset: 'github', issuer: 'https://localhost:8081' },
          ...{ user_endpoint: endpoint, token_endpoint: 'https://localhost:8081/token' },
          authorization_endpoint: 'https://localhost:9000/authorize',
        },
      }),
      ...networks,
    })
  assert.equal(at('https://localhost:8081/user'), [])
  for (const endpoint of ['https://localhost:8082/user', 'https://127.0.0.5:8081/user', 'https://[::1]:8081/user']) {
    assert.match(at(endpoint)[0] ?? '', /^upstreams .* must have token_endpoint, user_endpoint .* where the issuer is/)
    assert.equal(at(endpoint, { 'outbound-allowed-networks': '127.0.0.0/8,::1' }), [])
  }
})

Login('callback needs a page, and a key or a secret, not both', () => {
  const page = { login: 'callback', 'login-page-url': 'https://www.example.com/login' }
  const names = (flags: Readonly<Record<string, string>>) => faultsOf(flags).map((fault) => fault.split(' ')[0])
  const secret = { 'login-page-secret': 's'.repeat(32) }
  assert.equal(names({ ...page, ...secret }), [])
  assert.equal(names({ login: 'callback' }), ['login-page-url', 'login-page-keys'])
  assert.equal(names(page), ['login-page-keys'])
  assert.equal(names({ ...page, 'login-page-secret': 's'.repeat(31) }), ['login-page-secret'])
  assert.equal(names({ ...page, 'login-page-keys': 'missing.json' }), ['login-page-keys'])
  assert.equal(names({ ...page, 'login-page-keys': keyFile(publicKey) }), [])
  assert.equal(names({ ...page, ...secret, 'login-page-keys': keyFile(publicKey) }), ['login-page-keys'])
  for (const key of [
    { kty: 'oct', k: 'c2VjcmV0' },
    { ...publicKey, d: 'jpsQnnGQmL-YBIffH1136cspYG6-0iY7X1fCE9-E9LI' },
  ])
    assert.equal(names({ ...page, 'login-page-keys': keyFile(key) }), ['login-page-keys'], 'not public')
  assert.equal(names({ ...page, ...secret, 'login-page-url': 'http://www.example.com/login' }), ['login-page-url'])
  assert.equal(names({ ...page, ...secret, 'login-page-url': 'http://localhost:3000/login' }), [])
})

Login('the settings of a method that is not chosen are a fault', () => {
  assert.match(
    faultsOf({ 'upstream-issuer': 'https://a.example' })[0] ?? '',
    /^upstream-issuer .* unless login is upstream/,
  )
  assert.match(faultsOf({ ...upstream, 'login-page-url': 'https://a.example' })[0] ?? '', /^login-page-url /)
  assert.match(
    faultsOf({ 'upstream-required-claims': '{"hd": "a.example"}' })[0] ?? '',
    /^upstream-required-claims .* unless login is upstream/,
  )
})

Login('no method is chosen by default', () => {
  const loaded = load({})
  assert.ok(E.isRight(loaded) && loaded.right.config.login === undefined)
})

Login.run()
