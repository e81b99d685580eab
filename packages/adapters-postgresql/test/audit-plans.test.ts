// Lists and verifications of a long audit log: each statement reads an index in its order, also where the server knows
// nothing of the values, so that it looks at a bounded number of rows.
import { type Engine, storeOn } from '@clientele/adapters-sql'
import type { Unavailable } from '@clientele/domain/kernel'
import type { AuditLog, AuditPlace, AuditQuery, Store } from '@clientele/domain/ports'
import { done } from '@clientele/testing'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { Client } from 'pg'
import * as assert from 'uvu/assert'
import { textsOf } from '../src/loader.js'
import { postgresqlSuite } from './support/postgresql-suite.js'
import { query } from './support/query.js'
import { encryptionWith, newStore, opened } from './support/temporary-store.js'

const plans = postgresqlSuite('plans for a long audit log on PostgreSQL')

const count = 20_000
const fill = `
WITH added AS (INSERT INTO audit_rows (at, client_id, actor, actor_name, entry, mac)
SELECT 1000 + n / 3, 'client-' || (n % 100), CASE WHEN n % 1000 = 0 THEN 'rare' ELSE 'often' END,
  CASE WHEN n % 2000 = 0 THEN 'laptop' END,
  '{"action":"' || CASE WHEN n % 5000 = 1 THEN 'client_deleted' ELSE 'client_registered' END || '"}',
  md5(n::text)
FROM generate_series(1, ${count}) AS n RETURNING *),
linked AS (SELECT * FROM added ORDER BY ordinal LIMIT ${count} - $1::integer),
checkpoints AS (
  INSERT INTO audit_checkpoints SELECT ordinal / 50, 0, min(ordinal), max(ordinal), '' FROM linked GROUP BY 1)
INSERT INTO audit_index SELECT ordinal, at, client_id, actor, actor_name, mac FROM linked`

/** The statements of the reading verbs. */
const statements = async (): Promise<ReadonlyMap<string, string>> => {
  const texts = new Map<string, string>()
  const asked = async (name: string, ask: (log: AuditLog) => TE.TaskEither<Unavailable, unknown>): Promise<void> => {
    const engine: Pick<Engine, 'get' | 'all' | 'settle'> = {
      settle: TE.right(undefined),
      // The last checkpoint is asked for by nobody here.
      get: (statement) =>
        TE.fromIO(() => {
          if (!name.startsWith('list_audit_')) texts.set(`${name}: get`, textsOf(statement).single.text)
          return undefined
        }),
      all: (statement) => {
        texts.set(name, textsOf(statement).single.text)
        return TE.right([])
      },
    }
    await done(ask(storeOn(Object.assign({}, engine) as Engine, encryptionWith('the right key'), '').auditLog))
  }
  await asked('list_audit', (log) => log.listAudit({ max: 1 }))
  await asked('list_audit_of_client', (log) => log.listAudit({ client_id: 'a', max: 1 }))
  await asked('list_audit_of_actor', (log) => log.listAudit({ actor: 'a', max: 1 }))
  await asked('list_unlinked', (log) => log.listUnlinked(0, 1))
  await asked('list_rows', (log) => log.listRows(0, 1))
  await asked('checkpoints_after', (log) => log.checkpointsAfter(0, 1))
  return texts
}

const expected: Readonly<Record<string, readonly [values: string, ...indexes: ReadonlyArray<string>]>> = {
  list_audit: ['5000, 9, 0, 2000, 10, NULL, NULL, NULL, NULL', 'audit_rows_by_time'],
  list_audit_of_client: [
    "5000, 9, 0, 10, 10, 'client-5', NULL, NULL, NULL",
    'audit_index_client',
    'audit_rows_pkey',
    'audit_checkpoints_by_highest',
  ],
  list_audit_of_actor: [
    "5000, 9, 0, 10, 10, NULL, 'often', NULL, NULL",
    'audit_index_actor',
    'audit_index_actor_name',
    'audit_rows_pkey',
    'audit_checkpoints_by_highest',
  ],
  'list_audit: get': ['1001', 'audit_rows_pkey', 'audit_checkpoints_by_highest'],
  'list_unlinked: get': ['', 'audit_rows_pkey', 'audit_checkpoints_by_highest'],
  list_unlinked: ['0, 20000, 500', 'audit_rows_pkey', 'audit_index_mac'],
  list_rows: ['9, 500', 'audit_rows_pkey'],
  checkpoints_after: ['0, 100', 'audit_checkpoints_pkey'],
}

const planOf = async (client: Client, text: string, values: string): Promise<string> => {
  await client.query('DEALLOCATE ALL')
  await client.query(`PREPARE explained AS ${text}`)
  const { rows } = await client.query<Record<string, string>>(
    `EXPLAIN EXECUTE explained${values === '' ? '' : `(${values})`}`,
  )
  return rows.map((row) => row['QUERY PLAN']).join('\n')
}

plans('are by the indexes, with and without knowledge of the values', async (server) => {
  const url = await newStore(server)
  await query(url, fill, [100])
  await query(url, 'ANALYZE audit_rows, audit_index, audit_checkpoints')
  const texts = await statements()
  assert.equal([...texts.keys()].sort(), Object.keys(expected).sort())
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    for (const mode of ['force_generic_plan', 'force_custom_plan']) {
      await client.query(`SET plan_cache_mode = ${mode}`)
      for (const [name, [values, ...indexes]] of Object.entries(expected)) {
        const plan = await planOf(client, texts.get(name) ?? '', values)
        const used = [...plan.matchAll(/Scan(?: Backward)? using (\w+)/g)].map(([, index]) => index)
        assert.equal([...new Set(used)].sort(), [...indexes].sort(), `${mode} ${name}\n${plan}`)
        assert.not.match(plan, /Seq Scan|Bitmap/)
      }
    }
  } finally {
    await client.end()
  }
})

const found = async ({ auditLog }: Store, filter: Omit<AuditQuery, 'max'>): Promise<number> => {
  let rows = 0
  let before: AuditPlace | undefined
  do {
    const page = await done(auditLog.listAudit({ ...filter, before, max: 7 }))
    rows += page.rows.length
    before = page.reached
  } while (before !== undefined)
  return rows
}

for (const waiting of [0, 1_500])
  plans(`rare rows are found among many, of which ${waiting} wait for a checkpoint`, async (server) => {
    const url = await newStore(server)
    await query(url, fill, [waiting])
    const store = await opened(url)
    try {
      assert.is(await found(store, { actor: 'rare' }), 20)
      assert.is(await found(store, { actor: 'laptop' }), 10)
      assert.is(await found(store, { action: 'client_deleted' }), 4)
      assert.is(await found(store, { actor: 'often', client_id: 'client-1', action: 'client_deleted' }), 4)
    } finally {
      await store.close()
    }
  })

plans.run()
