// Debian's Apache with mod_auth_openidc, which registers itself at the provider.
import { type ChildProcess, spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { until } from '../../support/receivers.js'
import { freePort } from '../../../../adapters-postgresql/test/support/free-port.js'
import type { Json } from './provider.js'

const program = '/usr/sbin/apache2'
const modules = '/usr/lib/apache2/modules'

export const isApacheInstalled = existsSync(program) && existsSync(join(modules, 'mod_auth_openidc.so'))

export type Apache = {
  readonly base: string
  /** What the module keeps of its registration. */
  readonly registration: () => Json
  readonly log: () => string
  readonly stop: () => Promise<void>
}

const loaded = ['mpm_event', 'authn_core', 'authz_core', 'authz_user', 'dir', 'auth_openidc']

// The browser of these tests is none that the module knows: without the expression it takes it for a script.
const settingsOf = (directory: string, base: string): string => `
ServerRoot ${directory}
ServerName localhost
PidFile ${directory}/pid
ErrorLog ${directory}/log
Listen 127.0.0.1:${new URL(base).port}
${loaded.map((name) => `LoadModule ${name}_module ${modules}/mod_${name}.so`).join('\n')}
${process.getuid?.() === 0 ? 'User www-data\nGroup www-data' : ''}
DocumentRoot ${directory}/pages
DirectoryIndex index.html
OIDCMetadataDir ${directory}/metadata
OIDCRedirectURI ${base}/secure/redirect_uri
OIDCCryptoPassphrase of-this-test
OIDCPKCEMethod S256
OIDCScope "openid profile"
OIDCDefaultLoggedOutURL ${base}/left.html
OIDCInfoHook access_token refresh_token userinfo
OIDCUnAuthAction auth true
<Location /secure>
  AuthType openid-connect
  Require valid-user
</Location>
`

// OpenID Connect Registration §2: over http, without TLS, an application has no implicit grant and no initiate_login_uri.
const registrationOver = (base: string, token: string): string =>
  JSON.stringify({
    registration_token: token,
    registration_endpoint_json: JSON.stringify({
      client_name: 'Apache',
      response_types: ['code'],
      grant_types: ['authorization_code', 'refresh_token'],
      initiate_login_uri: 'https://rp.example/login',
      backchannel_logout_uri: 'https://rp.example/logout',
    }),
  })

const ended = (child: ChildProcess): Promise<void> =>
  new Promise((resolve) => {
    if (child.exitCode !== null) return resolve()
    child.once('close', () => resolve())
  })

/** Registers with the initial access token. */
export const startApache = async (issuer: string, token: string): Promise<Apache> => {
  const directory = mkdtempSync(join(tmpdir(), 'clientele-apache-'))
  const base = `http://localhost:${await freePort()}`
  const named = encodeURIComponent(issuer.replace('http://', ''))
  for (const name of ['pages', 'pages/secure', 'metadata']) mkdirSync(join(directory, name), { recursive: true })
  // It writes as another user.
  for (const name of ['', 'metadata']) chmodSync(join(directory, name), 0o777)
  writeFileSync(join(directory, 'pages/secure/index.html'), 'for end-users')
  writeFileSync(join(directory, 'pages/left.html'), 'left')
  writeFileSync(join(directory, 'apache.conf'), settingsOf(directory, base))
  writeFileSync(join(directory, 'metadata', `${named}.conf`), registrationOver(base, token))
  const child = spawn(program, ['-f', join(directory, 'apache.conf'), '-DFOREGROUND'], { stdio: 'ignore' })
  await until(() =>
    fetch(`${base}/left.html`).then(
      ({ ok }) => ok,
      () => {
        if (child.exitCode !== null) throw new Error('Apache does not start')
        return false
      },
    ),
  )
  return {
    base,
    registration: () => JSON.parse(readFileSync(join(directory, 'metadata', `${named}.client`), 'utf8')) as Json,
    log: () => readFileSync(join(directory, 'log'), 'utf8'),
    stop: async () => {
      child.kill('SIGTERM')
      await ended(child)
      rmSync(directory, { recursive: true, force: true })
    },
  }
}
