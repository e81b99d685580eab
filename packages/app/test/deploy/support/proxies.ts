// nginx and Caddy by the files of deploy/, each as it is written there but for addresses, ports and certificates.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { Agent, getGlobalDispatcher, setGlobalDispatcher } from 'undici'
import { freePort } from '../../../../adapters-postgresql/test/support/free-port.js'
import { until } from '../../support/receivers.js'
import { folder, read } from './deployed.js'

const nginx = '/usr/sbin/nginx'
const caddy = '/usr/bin/caddy'

export type Ports = { readonly http: number; readonly https: number }

type Program = {
  readonly isInstalled: boolean
  /** Writes its files into the place; the commands that check and run them, and the authority of its certificate. */
  readonly prepare: (
    place: string,
    ports: Ports,
    upstreams: ReadonlyArray<string>,
  ) => {
    readonly check: ReadonlyArray<string>
    readonly run: ReadonlyArray<string>
    readonly authority: string
    readonly environment: Readonly<Record<string, string>>
  }
}

const pem = (name: string): string =>
  fileURLToPath(new URL(`../../../../adapters-outbound/test/support/${name}`, import.meta.url))

/** A part of a file that is no longer there would leave the file as it is. */
const replaced = (file: string, pairs: ReadonlyArray<readonly [string, string]>): string =>
  pairs.reduce((given, [part, other]) => {
    if (!given.includes(part)) throw new Error(`there is no ${part}`)
    return given.replaceAll(part, other)
  }, file)

const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']

const prepareNginx: Program['prepare'] = (place, ports, upstreams) => {
  const site = replaced(read('nginx/clientele.conf'), [
    ['server 127.0.0.1:8080;', upstreams.map((each) => `server ${each};`).join(' ')],
    ['listen 80;', `listen 127.0.0.1:${ports.http};`],
    ['listen 443 ssl;', `listen 127.0.0.1:${ports.https} ssl;`],
    ['/etc/ssl/op.example/fullchain.pem', pem('certificate.pem')],
    ['/etc/ssl/op.example/key.pem', pem('key.pem')],
    ['https://op.example', `https://localhost:${ports.https}`],
    ['op.example', 'localhost'],
  ])
  writeFileSync(join(place, 'clientele.conf'), site)
  const paths = temporary.map((name) => `${name}_temp_path ${join(place, name)};`)
  const main = [
    `pid ${join(place, 'pid')}; daemon off; error_log ${join(place, 'error.log')};`,
    ...(process.getuid?.() === 0 ? ['user nobody nogroup;'] : []),
    'events {}',
    `http { access_log off; ${paths.join(' ')} include ${join(place, 'clientele.conf')}; }`,
  ]
  const file = join(place, 'nginx.conf')
  writeFileSync(file, main.join('\n'))
  return {
    check: [nginx, '-t', '-c', file],
    run: [nginx, '-c', file],
    authority: pem('certificate.pem'),
    environment: {},
  }
}

const prepareCaddy: Program['prepare'] = (place, ports, upstreams) => {
  const options = [
    ...['admin off', 'skip_install_trust', 'default_bind 127.0.0.1'],
    ...[`http_port ${ports.http}`, `https_port ${ports.https}`, `storage file_system ${place}`],
  ]
  const file = join(place, 'Caddyfile')
  writeFileSync(file, `{\n${options.join('\n')}\n}\n${read('caddy/Caddyfile')}`)
  return {
    check: [caddy, 'validate', '--adapter', 'caddyfile', '--config', file],
    run: [caddy, 'run', '--adapter', 'caddyfile', '--config', file],
    // Caddy certifies a host on loopback itself.
    authority: join(place, 'pki/authorities/local/root.crt'),
    environment: { HOME: place, SITE: 'localhost', UPSTREAMS: upstreams.join(' ') },
  }
}

export const programs: Readonly<Record<'nginx' | 'Caddy', Program>> = {
  nginx: { isInstalled: existsSync(nginx), prepare: prepareNginx },
  Caddy: { isInstalled: existsSync(caddy), prepare: prepareCaddy },
}

/** What Caddy says of its file with the values that it has without variables. */
export const caddyAsItIs = (): { status: number | null; output: string } => {
  const home = mkdtempSync(join(tmpdir(), 'clientele-caddy-'))
  const args = ['validate', '--adapter', 'caddyfile', '--config', join(folder, 'caddy/Caddyfile')]
  const { status, stdout, stderr } = spawnSync(caddy, args, { env: { HOME: home }, encoding: 'utf8', timeout: 30_000 })
  rmSync(home, { recursive: true, force: true })
  return { status, output: stdout + stderr }
}

export type Proxy = {
  readonly base: string
  readonly plain: string
  readonly stop: () => Promise<void>
  readonly errors: () => string
  /** A request with TLS from an address of loopback, whose certificate is verified. */
  readonly ask: (path: string, headers?: Readonly<Record<string, string>>, from?: string) => Promise<Asked>
}

export type Asked = {
  readonly status: number
  readonly headers: Readonly<Record<string, string | ReadonlyArray<string> | undefined>>
  readonly text: string
}

const asked = (url: string, options: object): Promise<Asked> =>
  new Promise((resolve, reject) => {
    const send = url.startsWith('https:') ? httpsRequest : httpRequest
    send(url, { agent: false, timeout: 20_000, ...options }, (response) => {
      text(response).then(
        (body) => resolve({ status: response.statusCode ?? 0, headers: response.headers, text: body }),
        reject,
      )
    })
      .on('error', reject)
      .end()
  })

const ended = (child: ChildProcess): Promise<void> =>
  new Promise((resolve) => {
    if (child.exitCode !== null) return resolve()
    child.once('close', () => resolve())
  })

const always = (): boolean => true
const never = (): boolean => false

/** Starts the proxy in front of these instances. Until it stops, `fetch` trusts its authority. */
export const startProxy = async (
  name: keyof typeof programs,
  upstreams: ReadonlyArray<string>,
  ports: Ports,
): Promise<Proxy> => {
  const place = mkdtempSync(join(tmpdir(), 'clientele-proxy-'))
  // nginx works as another user.
  chmodSync(place, 0o755)
  for (const each of temporary) mkdirSync(join(place, each))
  const { check, run, authority, environment } = programs[name].prepare(place, ports, upstreams)
  const env = { PATH: process.env['PATH'] ?? '', ...environment }
  const [checker = '', ...checkArguments] = check
  const checked = spawnSync(checker, checkArguments, { env, encoding: 'utf8', timeout: 30_000 })
  if (checked.status !== 0) throw new Error(checked.stdout + checked.stderr)
  const [program = '', ...args] = run
  const child = spawn(program, args, { env, stdio: ['ignore', 'ignore', 'pipe'] })
  let errors = ''
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()))
  const plain = `http://localhost:${ports.http}`
  const base = `https://localhost:${ports.https}`
  const ask: Proxy['ask'] = (path, headers = {}, from = '127.0.0.1') => {
    const trust = { ca: readFileSync(authority, 'utf8') }
    return asked(path.startsWith('http') ? path : base + path, { ...trust, headers, localAddress: from, family: 4 })
  }
  // Instances may start later: any answer will do.
  await until(async () => {
    if (child.exitCode !== null) throw new Error(`${name} does not start: ${errors}`)
    return existsSync(authority) && (await ask('/').then(always, never))
  })
  const before = getGlobalDispatcher()
  setGlobalDispatcher(new Agent({ connect: { ca: readFileSync(authority, 'utf8') } }))
  return {
    base,
    plain,
    ask,
    errors: () => errors,
    stop: async () => {
      setGlobalDispatcher(before)
      child.kill('SIGTERM')
      await ended(child)
      rmSync(place, { recursive: true, force: true })
    },
  }
}

export const freePorts = async (): Promise<Ports> => ({ http: await freePort(), https: await freePort() })
