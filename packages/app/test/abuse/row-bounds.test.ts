// The rows that a party without a credential can make: docs/abuse.md.
import Database from 'better-sqlite3'
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Service } from '../../src/compose.js'
import { configured } from '../engine/support/relying-party.js'
import { post } from '../cli/run.js'
import { attempts, statusesOf, withService } from './support.js'

const bounds = suite('rows of anonymous parties')

const root = fileURLToPath(new URL('../../../../', import.meta.url))

type Row = { readonly tables: ReadonlyArray<string>; readonly rows: string; readonly proofs: ReadonlyArray<string> }

const inBackticks = (cell: string): ReadonlyArray<string> =>
  [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name)

const rows: ReadonlyArray<Row> =
  readFileSync(join(root, 'docs/abuse.md'), 'utf8')
    .split('## Rows that an anonymous party can make')[1]
    ?.split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .map(([, tables = '', made = '', , proofs = '']) => ({
      tables: inBackticks(tables),
      rows: made,
      proofs: inBackticks(proofs),
    })) ?? []

const named = rows.flatMap(({ tables }) => tables)

const withDatabase = <Result>(directory: string, read: (db: Database.Database) => Result): Result => {
  const db = new Database(join(directory, 'clientele.db'), { readonly: true })
  try {
    return read(db)
  } finally {
    db.close()
  }
}

const tablesOf = (db: Database.Database): ReadonlyArray<string> =>
  db
    .prepare(`SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name`)
    .pluck()
    .all()
    .map(String)

/** The tables that the migrations of PostgreSQL make: some machines have no server. */
const tablesOfPostgresql = (): ReadonlyArray<string> => {
  const folder = join(root, 'packages/adapters-postgresql/src/migrations')
  const texts = readdirSync(folder).map((file) => readFileSync(join(folder, file), 'utf8'))
  return texts.flatMap((text) => [...text.matchAll(/CREATE TABLE (\w+)/g)].map(([, name = '']) => name))
}

bounds('the document names each table of both stores once, and none that is not there', () =>
  withService({}, async (_, directory) => {
    const tables = [...withDatabase(directory, tablesOf), ...tablesOfPostgresql()]
    assert.equal([...named].sort(), [...new Set(tables)].sort())
    await Promise.resolve()
  }),
)

bounds('the proofs of the document are there', () => {
  for (const { proofs, tables } of rows) {
    assert.ok(proofs.length > 0, tables.join())
    for (const file of proofs) assert.ok(existsSync(join(root, file)), file)
  }
})

const counted = (directory: string): ReadonlyMap<string, number> =>
  withDatabase(
    directory,
    (db) =>
      new Map(tablesOf(db).map((name) => [name, Number(db.prepare(`SELECT count(*) FROM ${name}`).pluck().get())])),
  )

const strict = {
  engine: 'oidc-provider',
  login: 'development',
  'registration-status': '201',
  'allow-open-registration': 'true',
  'maximum-failed-credentials': '6/6',
  'maximum-open-registrations': '7/7',
  'maximum-logout-pages': '8/8',
  'maximum-authorization-requests': '9/9',
}

const flood = async (service: Service): Promise<void> => {
  const application = await configured(service, { redirect_uris: ['https://rp.example/cb'] })
  const { url } = await application.request()
  const requests: ReadonlyArray<(index: number) => Promise<Response>> = [
    () => fetch(url, { redirect: 'manual' }),
    (index) => post(`${service.url}/clients`, '', { redirect_uris: [`https://rp${index}.example/cb`] }),
    (index) => post(`${service.url}/clients`, `no-such-token-${index}`, {}),
    () => fetch(`${service.url}/logout`),
    () => fetch(`${service.url}/logout/confirm`, { method: 'POST', body: new URLSearchParams({ answer: 'logout' }) }),
    () => fetch(`${service.url}/token`, { method: 'POST', body: new URLSearchParams({ grant_type: 'any' }) }),
    () =>
      fetch(`${service.url}/interaction/none/login`, { method: 'POST', body: new URLSearchParams({ attempt: '1' }) }),
    () => fetch(`${service.url}/authorize?client_id=none`),
  ]
  for (const request of requests) statusesOf(await attempts(30, request))
}

bounds('a flood of one party makes rows in the named tables alone, and within their budgets', () =>
  withService(strict, async (service, directory) => {
    const before = counted(directory)
    await flood(service)
    const made = [...counted(directory)]
      .map(([name, count]) => ({ name, count: count - (before.get(name) ?? 0) }))
      .filter(({ count }) => count > 0)
    const most: Readonly<Record<string, number>> = {
      // That of the operator, beside those of the party.
      clients: 1 + 7,
      audit_rows: 1 + 7,
      artefacts: 9,
      // One source and the row of all, of each kind.
      budgets: 8,
    }
    // A checkpoint, the day and the index of texts are written some seconds later, each as many rows as clients at most.
    const later: Readonly<Record<string, number>> = {
      audit_checkpoints: 2,
      observed_days: 1,
      client_search: 1 + 7,
      client_search_docsize: 1 + 7,
      client_search_data: 1 + 7,
      client_search_idx: 1 + 7,
    }
    const atOnce = made.map(({ name }) => name).filter((name) => !(name in later))
    assert.equal(atOnce.sort(), Object.keys(most).sort())
    for (const { name, count } of made) {
      assert.ok(count <= (most[name] ?? later[name] ?? 0), `${name}: ${count}`)
      assert.not.match(rows.find(({ tables }) => tables.includes(name))?.rows ?? 'none', /^none/)
    }
  }),
)

bounds.run()
