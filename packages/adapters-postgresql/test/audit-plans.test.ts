// Lists and verifications of a long audit log: each statement reads an index in its order, also where the server knows
// nothing of the values, so that it looks at a bounded number of rows.
import type { AuditPlace, AuditQuery, Store } from '@clientele/domain'
import { done } from '@clientele/testing'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { Client } from 'pg'
import * as assert from 'uvu/assert'
import { createAuditLog } from '../src/audit-log.js'
import type { Database, Statement } from '../src/database.js'
import { postgresqlSuite } from './support/postgresql-suite.js'
import { query } from './support/query.js'
import { newStore, opened } from './support/temporary-store.js'

const plans = postgresqlSuite('plans for a long audit log on PostgreSQL')

const count = 20_000
const fill = `
INSERT INTO audit_rows (at, client_id, actor, actor_name, entry, mac, checkpoint)
SELECT 1000 + n / 3, 'client-' || (n % 100), CASE WHEN n % 1000 = 0 THEN 'rare' ELSE 'often' END,
  CASE WHEN n % 2000 = 0 THEN 'laptop' END,
  '{"action":"' || CASE WHEN n % 5000 = 1 THEN 'client_deleted' ELSE 'client_registered' END || '"}',
  md5(n::text), CASE WHEN n <= ${count} - $1 THEN n / 500 END
FROM generate_series(1, ${count}) AS n`

/** The statements of the reading verbs. */
const statements = async (): Promise<ReadonlyMap<string, string>> => {
  const texts = new Map<string, string>()
  const run = (statement: Statement) => {
    texts.set(statement.name, statement.text)
    return TE.right([])
  }
  const database: Pick<Database, 'run' | 'first'> = { run, first: run }
  const log = createAuditLog(Object.assign({}, database) as Database)
  for (const filter of [{}, { client_id: 'a' }, { actor: 'a' }]) await done(log.listAudit({ ...filter, max: 1 }))
  await done(log.listUnlinked(0, 1))
  await done(log.listLinked({ checkpoint: 0, ordinal: 0 }, 1))
  await done(log.checkpointsAfter(0, 1))
  return texts
}

const expected: Readonly<Record<string, readonly [values: string, ...indexes: ReadonlyArray<string>]>> = {
  list_audit: ['5000, 9, 0, 2000, 10, NULL, NULL, NULL', 'audit_rows_at_mac_key'],
  list_audit_of_client: ["5000, 9, 0, 10, 10, 'client-5', NULL, NULL", 'audit_rows_client', 'audit_rows_checkpoint'],
  list_audit_of_actor: [
    "5000, 9, 0, 10, 10, NULL, 'often', NULL",
    'audit_rows_actor',
    'audit_rows_actor_name',
    'audit_rows_checkpoint',
  ],
  count_unlinked_audit: ['1001', 'audit_rows_checkpoint'],
  select_unlinked_audit: ['0, 500', 'audit_rows_checkpoint'],
  select_linked_audit: ['9, 9, 500', 'audit_rows_checkpoint'],
  select_checkpoints: ['0, 100', 'audit_checkpoints_pkey'],
}

const planOf = async (client: Client, text: string, values: string): Promise<string> => {
  await client.query('DEALLOCATE ALL')
  await client.query(`PREPARE explained AS ${text}`)
  const { rows } = await client.query<Record<string, string>>(`EXPLAIN EXECUTE explained(${values})`)
  return rows.map((row) => row['QUERY PLAN']).join('\n')
}

plans('are by the indexes, with and without knowledge of the values', async (server) => {
  const url = await newStore(server)
  await query(url, fill, [100])
  await query(url, 'ANALYZE audit_rows')
  const texts = await statements()
  // The last checkpoint is the first of the primary key, backwards.
  const lists = [...texts.keys()].filter((name) => name !== 'select_last_checkpoint')
  assert.equal(lists.sort(), Object.keys(expected).sort())
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
