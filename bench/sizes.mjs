// node bench/sizes.mjs [COUNT] [--postgresql]: prints how many bytes of the database each stored thing takes, with its indexes. The
// service writes one of each, by a registration and a sign-in over HTTP. COUNT clients (100,000 by default) are then imported, and the
// database copies every other row COUNT times with keys of the same length, so that rows and indexes are as large as real ones.
import { execFileSync, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { WritableStream } from 'node:stream/web'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { loadConfig, readFile } from '../packages/app/dist/index.js'
import { openData } from '../packages/app/dist/data/open-data.js'
import { newDatabases } from './databases.mjs'
import { stepsOf } from './flow-steps.mjs'
import { freePort } from './machine.mjs'
import { ask, json, metadata } from './requests.mjs'
import { signedInBrowsers } from './sign-in.mjs'

const total = Number(process.argv.slice(2).find((each) => /^\d+$/.test(each)) ?? 100_000)
const databases = process.argv.includes('--postgresql') ? await newDatabases(1) : undefined
const folder = mkdtempSync(join(tmpdir(), 'clientele-sizes-'))
const port = await freePort()
const base = `http://127.0.0.1:${port}`
const masterToken = 'the-master-token-of-the-bench-which-is-long-enough'
const environment = {
  CLIENTELE_DATA_DIR: folder,
  CLIENTELE_BASE_URL: base,
  CLIENTELE_PORT: String(port),
  CLIENTELE_LOG_LEVEL: 'error',
  CLIENTELE_LOGIN: 'development',
  CLIENTELE_ACCOUNTS_FILE: join(folder, 'accounts.json'),
  CLIENTELE_MASTER_TOKEN: masterToken,
  CLIENTELE_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64url'),
  ...(databases === undefined ? {} : { CLIENTELE_DATABASE_URL: databases.urls[0] }),
}
const authorization = `Bearer ${masterToken}`

const orThrow = (result) => {
  if (result._tag === 'Left') throw new Error(JSON.stringify(result.left))
  return result.right
}

const program = fileURLToPath(new URL('../packages/app/bin/clientele.js', import.meta.url))
const env = { ...process.env, ...environment }

// The account by which the browser of bench/sign-in.mjs signs in.
const addAccount = () => {
  const password = join(folder, 'accounts-first-password')
  writeFileSync(password, `${masterToken}\n`)
  execFileSync(process.execPath, [program, 'users', 'add', 'developer', '--password-file', password], { env })
}

/** Starts the service, uses it, and stops it. */
const withService = async (use) => {
  const child = spawn(process.execPath, [program], { env, stdio: ['ignore', 'ignore', 'inherit'] })
  try {
    for (let tries = 0; ; tries += 1) {
      if (
        await fetch(`${base}/jwks.json`).then(
          ({ ok }) => ok,
          () => false,
        )
      )
        break
      if (tries > 300) throw new Error('the service is not ready after 30 s')
      await wait(100)
    }
    return await use(child.pid)
  } finally {
    child.kill()
    if (child.exitCode === null) await once(child, 'exit')
  }
}

/** One client to which one end-user has signed in: a consent, a session, an access token, a refresh token, and audit rows. */
const writeOne = async () => {
  const body = JSON.stringify({ ...metadata(0), scope: 'openid offline_access' })
  const registered = await ask(`${base}/clients`, { method: 'POST', headers: { ...json, authorization }, body })
  const client = await registered.json()
  const browsers = await signedInBrowsers({ name: 'clientele', base, folder }, client, 1)
  await stepsOf(browsers).code(browsers.cookies[0])()
  return client.client_id
}

const importClients = (like) => async () => {
  const { config } = orThrow(loadConfig({ flags: {}, environment, readFile }))
  const onFatal = (error) => {
    throw error
  }
  const admit = () => async () => ({ _tag: 'Right', right: undefined })
  const { store, generator } = orThrow(await openData(config, { onFatal, expectExisting: true, admit })())
  const template = orThrow(await store.registry.findClient(like)()).value
  for (let done = 0; done < total; done += 500) {
    const clients = Array.from({ length: Math.min(500, total - done) }, (_, place) => {
      const { redirect_uris, post_logout_redirect_uris, client_name, client_uri, contacts } = metadata(done + place)
      const names = { redirect_uris, post_logout_redirect_uris, client_name, client_uri, contacts }
      return { ...template, ...generator.issue(), metadata: { ...template.metadata, ...names } }
    })
    orThrow(await store.registry.importClients(clients.map((client) => ({ client, replacing: undefined })))())
  }
  while (orThrow(await store.clientSearch.indexTexts(1000)()) > 0);
  await store.close()
}

const load = (name, adapter) => createRequire(new URL(`../packages/${adapter}/package.json`, import.meta.url))(name)

const digest = (text, length) => createHash('sha256').update(text).digest('base64url').slice(0, length)

const onSqlite = () => {
  const open = () => new (load('better-sqlite3', 'adapters-sqlite'))(join(folder, 'clientele.db'))
  return {
    columns: (table) => {
      const database = open()
      const found = database.prepare('SELECT name, type FROM pragma_table_info(?)').all(table)
      database.close()
      return found.map(({ name, type }) => ({ name, isText: type === 'TEXT' }))
    },
    text: (name, length) => `digest('${name} ' || n, ${length})`,
    copy: (table, names, values, where) => {
      const database = open()
      database.function('digest', { deterministic: true }, digest)
      database.exec(`INSERT INTO ${table} (${names})
        WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${total})
        SELECT ${values} FROM numbers, (SELECT * FROM ${table} WHERE ${where} LIMIT 1) AS one`)
      database.close()
    },
    bytes: () => {
      const database = open()
      const [{ bytes }] = database
        .prepare(
          'SELECT (c.page_count - f.freelist_count) * s.page_size AS bytes FROM pragma_page_count c, pragma_freelist_count f, pragma_page_size s',
        )
        .all()
      database.close()
      return bytes
    },
    close: () => undefined,
  }
}

const onPostgresql = async () => {
  const client = new (load('pg', 'adapters-postgresql').Client)({ connectionString: databases.urls[0] })
  await client.connect()
  const rows = async (text, values) => (await client.query(text, values)).rows
  return {
    columns: async (table) =>
      (
        await rows(
          'SELECT column_name AS name, data_type AS type FROM information_schema.columns WHERE table_name = $1 AND table_schema = ANY (current_schemas(false))',
          [table],
        )
      ).map(({ name, type }) => ({ name, isText: type === 'text' })),
    text: (name, length) =>
      `left(translate(encode(sha256(('${name} ' || n)::bytea), 'base64'), '+/', '-_'), ${length})`,
    copy: async (table, names, values, where) => {
      await rows(`INSERT INTO ${table} (${names}) OVERRIDING SYSTEM VALUE
        SELECT ${values} FROM generate_series(1, ${total}) AS n, (SELECT * FROM ${table} WHERE ${where} LIMIT 1) AS one`)
    },
    bytes: async () => {
      await rows('VACUUM ANALYZE')
      return Number((await rows('SELECT pg_database_size(current_database()) AS bytes'))[0].bytes)
    },
    close: async () => {
      await client.end()
      await databases.close()
    },
  }
}

// Keys are unique, and what refers to a client or a session names the one of the same number.
const references = { sid: 'sid', session: 'sid', sub: 'sub' }
const keys = new Set(['hash', 'name', 'cookie_hash', 'grant_hash', 'mac', 'client_id'])
const numbered = new Set(['ordinal', 'session'])
const times = new Set(['at', 'used_at', 'auth_time', 'expires_at', 'over_at', 'removable_from', 'given_at', 'since'])
const first = 1_000_000_000

const copied = (database, { name, isText }) => {
  if (isText && name in references)
    return `CASE WHEN one.${name} IS NULL THEN NULL ELSE ${database.text(references[name], 43)} END`
  if (isText && keys.has(name))
    return `CASE WHEN one.${name} IS NULL THEN NULL ELSE ${database.text(name, `length(one.${name})`)} END`
  if (numbered.has(name)) return `${first} + n`
  if (name === 'client') return 'CASE WHEN one.client IS NULL THEN NULL ELSE 1 + n END'
  return times.has(name) ? `one.${name} + n` : `one.${name}`
}

const copyAll = async (database, place) => {
  const [table, kind] = place.split(' ')
  const columns = await database.columns(table)
  const values = columns.map((column) => copied(database, column)).join(', ')
  const where = kind === undefined ? '1 = 1' : `kind = '${kind}'`
  await database.copy(table, columns.map(({ name }) => name).join(', '), values, where)
}

/** What is measured, with its rows: of a table, or of one kind of the artefacts of the engine. */
const things = {
  'audit row': ['audit_rows', 'audit_index'],
  'session of an end-user with one client': ['end_user_sessions', 'session_clients', 'artefacts session'],
  'connection, with its grant': ['consents', 'artefacts grant'],
  'refresh token': ['artefacts refresh_token'],
  'access token': ['artefacts access_token'],
}

const memoryOf = (pid) =>
  Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1024)

addAccount()
const written = await withService(writeOne)
const database = databases === undefined ? onSqlite() : await onPostgresql()
const print = (name, value) => console.log(`${name.padEnd(42)} ${value}`)

const measured = async (name, fill) => {
  const before = await database.bytes()
  await fill()
  print(name, `${Math.round(((await database.bytes()) - before) / total)} bytes`)
}

console.log(`${total.toLocaleString('en')} of each on ${databases === undefined ? 'SQLite' : 'PostgreSQL'}`)
await measured('client, with the index of its texts', importClients(written))
for (const [name, places] of Object.entries(things))
  await measured(name, async () => {
    for (const place of places) await copyAll(database, place)
  })
print('the whole database', `${Math.round((await database.bytes()) / 2 ** 20).toLocaleString('en')} MiB`)
await withService(async (pid) => {
  await wait(3_000)
  print('memory of the service after its start', `${memoryOf(pid)} MiB`)
  await (await ask(`${base}/clients`, { headers: { authorization } })).body.pipeTo(new WritableStream())
  print('memory after a list of all clients', `${memoryOf(pid)} MiB`)
})
await database.close()
rmSync(folder, { recursive: true })
