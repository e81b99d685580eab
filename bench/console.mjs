// node bench/console.mjs DIRECTORY [TIMES]: prints how long each page of the console takes, over HTTP, on a data directory that
// bench/managing.mjs and bench/connections.mjs have filled.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { compose, createLog, loadConfig, readFile } from '../packages/app/dist/index.js'

const [directory, times = '200'] = process.argv.slice(2)
if (directory === undefined)
  throw new Error('name the directory that bench/managing.mjs and bench/connections.mjs filled')

const orThrow = (result) => {
  if (result._tag === 'Left') throw new Error(JSON.stringify(result.left))
  return result.right
}

const flags = { 'data-dir': directory, port: '0', engine: 'none', console: 'true' }
const { config } = orThrow(loadConfig({ flags, environment: {}, readFile }))
const onFatal = (error) => {
  throw error
}
const service = orThrow(
  await compose(config, { log: createLog('silent', { write: () => true, writableLength: 0 }), onFatal })(),
)
const base = service.baseUrl

const token = readFileSync(join(directory, 'master-token'), 'utf8').trim()
const signedIn = await fetch(`${base}/console/sign-in`, {
  method: 'POST',
  redirect: 'manual',
  headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
  body: `token=${encodeURIComponent(token)}`,
})
const headers = { Cookie: signedIn.headers.getSetCookie()[0].split(';')[0] }

const open = async (path) => {
  const response = await fetch(`${base}/console${path}`, { headers })
  const html = await response.text()
  if (response.status !== 200) throw new Error(`${path}: ${response.status}`)
  return html
}

const linksIn = (html, pattern) => [...html.matchAll(pattern)].map(([, path]) => path.replaceAll('&amp;', '&'))
const clients = linksIn(await open('/clients'), /href="\/console(\/clients\/(?!new)[^"]+)"/g)
const next = linksIn(await open('/clients'), /href="\/console(\/clients\?after=[^"]+)"/g)[0] ?? '/clients'
const any = (all) => all[Math.floor(Math.random() * all.length)]

const pages = {
  overview: () => '',
  'clients, first page': () => '/clients',
  'clients, next page': () => next,
  'clients by a text': () => `/clients?q=${any(['client', 'example', 'ops@', 'none-has-this'])}`,
  'clients by state': () => `/clients?state=${any(['unused', 'active', 'pending'])}`,
  'one client': () => any(clients),
  'its form': () => `${any(clients)}/edit`,
  approvals: () => '/approvals',
  'refused lately': () => '/refusals',
  connections: () => '/connections',
  'connections of a user': () => `/connections?sub=user-${Math.floor(Math.random() * 1000)}`,
  keys: () => '/keys',
  'audit log': () => '/audit',
}

const percentile = (sorted, part) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))].toFixed(1)

for (const [name, pathOf] of Object.entries(pages)) {
  await open(pathOf())
  const taken = []
  for (let number = 0; number < Number(times); number += 1) {
    const began = performance.now()
    await open(pathOf())
    taken.push(performance.now() - began)
  }
  const sorted = taken.sort((one, other) => one - other)
  console.log(`${name.padEnd(24)} p50 ${percentile(sorted, 0.5)} ms, p99 ${percentile(sorted, 0.99)} ms`)
}
await service.stop()
