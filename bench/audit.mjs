// node bench/audit.mjs [--postgresql] [--rows 5000000] [--together 500] [DIRECTORY or URL]: fills a database with rows of
// the audit log and their checkpoints, and prints what the commands on it take: time, memory of the process, slowest
// statement. The rows are made and written by the code of the service, without HTTP. The database is of SQLite, or of a
// PostgreSQL server that ends with the bench. With a DIRECTORY or a URL the database stays, and is not filled again.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import {
  createCheckpointSigner,
  createJwsSigner,
  createKeyRotationScheduler,
} from '../packages/adapters-jose/dist/index.js'
import { openData } from '../packages/app/dist/data/open-data.js'
import { loadConfig, readFile } from '../packages/app/dist/index.js'
import { keyPorts } from '../packages/app/dist/running/key-rotation.js'
import { keySettings } from '../packages/app/dist/config/keys.js'
import { auditRow } from '../packages/domain/dist/audit/index.js'
import { linkAudit } from '../packages/domain/dist/operations/index.js'
import { newDatabases } from './databases.mjs'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    postgresql: { type: 'boolean', default: false },
    rows: { type: 'string', default: '5000000' },
    together: { type: 'string', default: '500' },
  },
})
const [given] = positionals
const rows = Number(values.rows)
const together = Math.min(500, Number(values.together))
const server = values.postgresql && given === undefined ? await newDatabases(1) : undefined
const url = values.postgresql ? (given ?? server.urls[0]) : undefined
const directory = values.postgresql || given === undefined ? mkdtempSync(join(tmpdir(), 'clientele-audit-')) : given

const orThrow = (result) => {
  if (result._tag === 'Left') throw new Error(JSON.stringify(result.left))
  return result.right
}

const flags = { 'data-dir': directory, 'signing-algorithms': 'ES256' }
const environment = values.postgresql
  ? {
      CLIENTELE_BASE_URL: 'http://127.0.0.1:8080',
      CLIENTELE_DATABASE_URL: url,
      CLIENTELE_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64url'),
      CLIENTELE_MASTER_TOKEN: 'the-master-token-of-the-bench-which-is-long-enough',
    }
  : {}
const { config } = orThrow(loadConfig({ flags, environment, readFile }))
const fail = (error) => {
  throw error
}
const admit = () => async () => ({ _tag: 'Right', right: undefined })
const data = orThrow(await openData(config, { onFatal: fail, expectExisting: false, admit })())
const { store, hashToken, generator } = data

const day = 86_400
const now = generator.now()
const actions = ['client_registered', 'client_updated', 'client_updated', 'client_credentials_read', 'client_deleted']
const actors = [
  { kind: 'anonymous', fingerprint: '' },
  { kind: 'master', fingerprint: 'f0f0f0f0f0f0' },
  { kind: 'operator_token', fingerprint: 'a1a1a1a1a1a1', name: 'console' },
]
const rare = { kind: 'operator_token', fingerprint: 'e7e7e7e7e7e7', name: 'RARE' }
const every = Math.max(1, Math.floor(rows / 25))

const entryOf = (number) => ({
  at: now - 390 * day + Math.floor((number / rows) * 389 * day),
  action: actions[number % actions.length],
  actor:
    number % every === 7
      ? rare
      : number % 4 === 3
        ? { kind: 'registration_access_token', fingerprint: `r${(number % 200_000).toString(36).padStart(11, '0')}` }
        : actors[number % 4],
  origin: {
    door: 'http',
    request_id: `6f1c5c2e-8a53-4b3f-9a55-${number.toString(16).padStart(12, '0')}`,
    address: '192.0.2.7',
  },
  client_id: `client-${((number * 7_919) % 200_000).toString(36)}`,
  members: ['client_name', 'client_secret', 'redirect_uris', 'registration_access_token'],
})

const fill = async () => {
  const began = performance.now()
  const settings = keySettings(config)
  const rotation = createKeyRotationScheduler({ settings, ports: keyPorts(data) })
  orThrow(await rotation.reconcile())
  const signer = createCheckpointSigner(createJwsSigner(settings.policy, rotation), 'ES256')
  const link = linkAudit({ ...store.auditLog, ...signer, ...generator, hashToken })
  const make = auditRow(hashToken, () => Math.random().toString(36))
  let reported = 0
  for (let done = 0; done < rows; done += together) {
    const numbers = Array.from({ length: Math.min(together, rows - done) }, (_, place) => done + place)
    const written = await Promise.all(numbers.map((number) => store.auditLog.addAuditRow(make(entryOf(number)))()))
    written.forEach(orThrow)
    while (orThrow(await link()).more);
    // A service reads its key rings again and again, and signs with none that it read too long ago.
    if (done % 100_000 < together) orThrow(await rotation.reconcile())
    if (done - reported >= 500_000) {
      reported = done
      console.error(`  ${done.toLocaleString('en')} rows, ${((performance.now() - began) / 1000).toFixed(0)} s`)
    }
  }
  await rotation.stop()
  console.log(`${rows.toLocaleString('en')} rows written in ${((performance.now() - began) / 1000).toFixed(0)} s`)
}

if (orThrow(await store.auditLog.listAudit({ max: 1 })()).rows.length === 0 || given === undefined) await fill()
await store.close()

const main = fileURLToPath(new URL('../packages/app/dist/main.js', import.meta.url))
const watch = new URL('watch-statements.mjs', import.meta.url).href
const watched = join(tmpdir(), `clientele-audit-${process.pid}.json`)

/** A command of the service, in a process of its own. */
const run = async (name, ...argv) => {
  const began = performance.now()
  const command = [
    '--import',
    watch,
    main,
    ...argv,
    ...Object.entries(flags).flatMap(([flag, value]) => [`--${flag}`, value]),
  ]
  const child = spawn(process.execPath, command, {
    env: { ...process.env, ...environment, STATEMENTS: watched },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  child.stdout.on('data', (text) => (output += text))
  const [status] = await once(child, 'close')
  const seconds = (performance.now() - began) / 1000
  const { statements, slowest, text, memory } = JSON.parse(readFileSync(watched, 'utf8'))
  const found = argv.includes('--json') ? `${JSON.parse(output).rows.length} rows` : output.trim().split('\n')[0]
  console.log(
    `| ${name} | ${status} | ${found} | ${seconds.toFixed(1)} | ${Math.round(memory / 2 ** 20)} | ${statements} | ${slowest.toFixed(0)} | ${text} |`,
  )
}

console.log(
  '| command | status | result | s | MiB at most | statements | ms of the slowest | which |\n|---|---|---|---|---|---|---|---|',
)
const list = (name, ...filters) => run(name, 'audit', 'list', '--json', ...filters)
await run('audit verify', 'audit', 'verify')
await list('audit list')
await list('--actor RARE', '--actor', 'RARE')
await list('--actor of its fingerprint', '--actor', rare.fingerprint)
await list('--actor nobody', '--actor', 'nobody')
await list('--client', '--client', 'client-1')
await list('--since yesterday', '--since', String(now - day))
await list('--until the first day', '--until', String(now - 389 * day))
await list('--action without a row', '--action', 'settings_reloaded')
await list('--actor anonymous, --action without a row', '--actor', 'anonymous', '--action', 'settings_reloaded')
rmSync(watched, { force: true })
if (given === undefined) rmSync(directory, { recursive: true })
await server?.close()
