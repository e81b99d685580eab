// npm run bench [-- --quick] [-- part of a work's name …]: ours, the bare limit and oidc-provider, one after another on one
// core, the load on the other.
import { spawn, spawnSync } from 'node:child_process'
import { generateKeyPairSync, sign } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { URLSearchParams, fileURLToPath } from 'node:url'
import autocannon from 'autocannon'

const here = fileURLToPath(new URL('.', import.meta.url))
const quick = process.argv.includes('--quick')
const seconds = quick ? 3 : 6
const rounds = quick ? 1 : 3
const stored = quick ? 1_000 : 10_000

const registration = JSON.stringify({
  redirect_uris: ['https://rp.example/callback', 'https://rp.example/silent'],
  post_logout_redirect_uris: ['https://rp.example/signed-out'],
  client_name: 'Bench',
  client_uri: 'https://rp.example/',
  contacts: ['ops@rp.example'],
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
  token_endpoint_auth_method: 'client_secret_basic',
})
// Every subject has the same key, so that one maker of ID tokens serves for all.
const keyPair = generateKeyPairSync('rsa', { modulusLength: 2048 })
const benchKey = { ...keyPair.privateKey.export({ format: 'jwk' }), kid: 'bench', alg: 'RS256', use: 'sig' }
const json = { 'content-type': 'application/json' }

const pinned = (core, command, args, options) =>
  spawnSync('taskset', ['--version']).status === 0
    ? spawn('taskset', ['-c', String(core), command, ...args], options)
    : spawn(command, args, options)

const subjects = {
  limit: (folder) => ({ args: [join(here, 'subjects/limit.mjs'), join(folder, 'limit.db')] }),
  'oidc-provider': (folder) => ({ args: [join(here, 'subjects/oidc-provider.mjs'), join(folder, 'oidc.db')] }),
  clientele: (folder) => ({
    args: [join(here, '../packages/app/bin/clientele.js')],
    env: {
      CLIENTELE_PORT: '0',
      CLIENTELE_DATA_DIR: join(folder, 'clientele'),
      CLIENTELE_ALLOW_OPEN_REGISTRATION: 'true',
      CLIENTELE_LOG_LEVEL: 'error',
    },
  }),
}

const start = (name, folder) => {
  const { args, env = {} } = subjects[name](folder)
  const child = pinned(0, process.execPath, args, {
    env: { ...process.env, BENCH_KEY: JSON.stringify(benchKey), ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  return new Promise((resolve, reject) => {
    let seen = ''
    child.on('exit', (code) => reject(new Error(`${name} ended with ${code}: ${seen}`)))
    child.stdout.on('data', (chunk) => {
      seen += chunk
      const [, base, endpoint = '/clients'] = /^(?:clientele )?ready (\S+)(?: (\S+))?$/m.exec(seen) ?? []
      if (base !== undefined) resolve({ child, base, endpoint })
    })
  })
}

const stop = ({ child }) =>
  new Promise((resolve) => {
    child.removeAllListeners('exit')
    child.on('exit', resolve)
    child.kill('SIGTERM')
  })

const register = async (server) => {
  const answer = await fetch(server.base + server.endpoint, { method: 'POST', headers: json, body: registration })
  if (!answer.ok) throw new Error(`registration answered ${answer.status}: ${await answer.text()}`)
  return answer.json()
}

const load = async (options) => {
  const result = await autocannon({ duration: seconds, ...options })
  if (result.errors + result.timeouts + result.non2xx > 0)
    throw new Error(`${options.url}: ${result.errors} errors, ${result.timeouts} timeouts, ${result.non2xx} refusals`)
  return { rate: result.requests.average, p50: result.latency.p50, p99: result.latency.p99 }
}

const post = (connections) => (server) =>
  load({ url: server.base + server.endpoint, method: 'POST', headers: json, body: registration, connections })

const get = (connections) => async (server) => {
  const client = await register(server)
  const headers = { authorization: `Bearer ${client.registration_access_token}` }
  return load({ url: server.base + server.endpoint + '/' + client.client_id, headers, connections })
}

const keySetPath = { clientele: '/jwks.json', limit: '/jwks.json', 'oidc-provider': '/jwks' }

const getKeySet = (connections) => (server, _folder, name) => load({ url: server.base + keySetPath[name], connections })

const masterToken = (folder) => readFileSync(join(folder, 'clientele', 'master-token'), 'utf8').trim()

const list = async (server, folder, name) => {
  const headers = name === 'clientele' ? { authorization: `Bearer ${masterToken(folder)}` } : {}
  const began = performance.now()
  const answer = await fetch(server.base + server.endpoint, { headers })
  const reader = answer.body.getReader()
  await reader.read()
  const first = performance.now() - began
  while (!(await reader.read()).done);
  return { rate: server.stored / ((performance.now() - began) / 1000), p50: first, p99: undefined }
}

const part = (value) => Buffer.from(JSON.stringify(value)).toString('base64url')

const idToken = (iss, aud, kid) => {
  const now = Math.floor(Date.now() / 1000)
  const text = `${part({ alg: 'RS256', kid })}.${part({ iss, sub: 'alice', aud, iat: now, exp: now + 3600 })}`
  return `${text}.${sign('RSA-SHA256', Buffer.from(text), keyPair.privateKey).toString('base64url')}`
}

const asMaster = async (server, folder, path, body) => {
  const headers = { ...json, authorization: `Bearer ${masterToken(folder)}` }
  const answer = await fetch(server.base + path, { method: 'POST', headers, body: JSON.stringify(body) })
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`)
  return answer.json()
}

// The cookie of a browser in which alice is signed in, the kid of the shared key, and the path of the dialog.
const signedIn = {
  clientele: async (server, folder, { client_id }) => {
    const { keys } = await asMaster(server, folder, '/keys/import', { keys: [benchKey] })
    const { sid, cookie } = await asMaster(server, folder, '/sessions', { sub: 'alice' })
    await asMaster(server, folder, `/sessions/${sid}/clients`, { client_id })
    const { kid } = keys.find(({ phase, use }) => phase === 'signing' && use === 'sig')
    return { cookie: `${cookie.name}=${cookie.value}`, kid, path: '/logout' }
  },
  limit: async () => ({ cookie: 'session=alice', kid: 'bench', path: '/logout' }),
  'oidc-provider': async (server) => {
    const { cookie } = await (await fetch(`${server.base}/bench/session`)).json()
    return { cookie, kid: 'bench', path: '/session/end' }
  },
}

const getDialog = (connections) => async (server, folder, name) => {
  const client = await register(server)
  const { cookie, kid, path } = await signedIn[name](server, folder, client)
  const query = new URLSearchParams({
    id_token_hint: idToken(server.base, client.client_id, kid),
    post_logout_redirect_uri: 'https://rp.example/signed-out',
    state: 'af0ifjsldkj',
  })
  const url = `${server.base}${path}?${query}`
  const page = await fetch(url, { headers: { cookie }, redirect: 'manual' })
  if (page.status !== 200 || !page.headers.get('content-type').startsWith('text/html'))
    throw new Error(`${name}: no dialog, but ${page.status} ${await page.text()}`)
  return load({ url, headers: { cookie }, connections })
}

const works = {
  'POST, 16 connections': { run: post(16), empty: true },
  'POST, 64 connections': { run: post(64), empty: true },
  'GET one, 16 connections': { run: get(16) },
  'GET one, 64 connections': { run: get(64) },
  'GET key set, 16 connections': { run: getKeySet(16), empty: true },
  'GET key set, 64 connections': { run: getKeySet(64), empty: true },
  'GET logout dialog, 16 connections': { run: getDialog(16) },
  'GET logout dialog, 64 connections': { run: getDialog(64) },
  [`list of ${stored} (clients/s, p50 is the first byte)`]: { run: list, of: ['limit', 'clientele'] },
}

const fill = async (server) => {
  for (let done = 0; done < stored; done += 50) await Promise.all(Array.from({ length: 50 }, () => register(server)))
  server.stored = stored
}

const median = (numbers) => [...numbers].sort((one, other) => one - other)[Math.floor(numbers.length / 2)]

const measure = async (workName, { run, empty = false, of = Object.keys(subjects) }) => {
  const runs = Object.fromEntries(of.map((name) => [name, []]))
  for (let round = 0; round < rounds; round += 1)
    for (const name of of) {
      const folder = mkdtempSync(join(tmpdir(), 'clientele-bench-'))
      const server = await start(name, folder)
      if (!empty) await fill(server)
      runs[name].push(await run(server, folder, name))
      await stop(server)
      rmSync(folder, { recursive: true })
      console.error(`${workName}: ${name} ${Math.round(runs[name].at(-1).rate)}/s (round ${round + 1} of ${rounds})`)
    }
  return Object.fromEntries(
    of.map((name) => [name, ['rate', 'p50', 'p99'].map((key) => median(runs[name].map((each) => each[key])))]),
  )
}

const cell = (figures) =>
  figures === undefined
    ? '–'
    : `${Math.round(figures[0]).toLocaleString('en')}/s, ${figures[1].toFixed(1)}${figures[2] === undefined ? '' : ` / ${figures[2].toFixed(1)}`} ms`
const ratio = (ours, other) => (other === undefined ? '–' : (ours[0] / other[0]).toFixed(2))

const chosen = process.argv.slice(2).filter((argument) => !argument.startsWith('--'))
const isChosen = (name) => chosen.length === 0 || chosen.some((part) => name.includes(part))

spawnSync('taskset', ['-cp', '1', String(process.pid)])
const rows = []
for (const [name, work] of Object.entries(works).filter(([name]) => isChosen(name))) {
  const { clientele, limit, 'oidc-provider': peer } = await measure(name, work)
  rows.push(
    `| ${name} | ${cell(clientele)} | ${cell(limit)} | ${cell(peer)} | ${ratio(clientele, limit)} | ${ratio(clientele, peer)} |`,
  )
}

const table = [
  `# Measured side by side`,
  '',
  `\`npm run bench\`${quick ? ' with `--quick`' : ''}: server on one core, load on the other, loopback; medians of ${rounds} run(s) of ${seconds} s, every answer checked to be a success.`,
  'Rates and p50 / p99. All stores are SQLite with `synchronous=FULL`: what was answered is on disk. The ratios are what to keep.',
  '"limit" is the least program with the same I/O (`bench/subjects/limit.mjs`); it validates nothing, seals nothing and checks no token.',
  '',
  '| work | Clientele | limit | oidc-provider 9 | ours ÷ limit | ours ÷ oidc-provider |',
  '|---|---|---|---|---|---|',
  ...rows,
  '',
].join('\n')
console.log(table)
if (!quick && chosen.length === 0) writeFileSync(join(here, 'results.md'), table)
