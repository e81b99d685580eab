// Lists and verifications of a long audit log: each statement reads an index in its order, so that it looks at a bounded
// number of rows.
import type { AuditLog, AuditPlace, AuditQuery } from '@clientele/domain'
import { done } from '@clientele/testing'
import type Database from 'better-sqlite3'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createAuditLog } from '../src/audit-log.js'
import { openedLayers } from './support/opened-layers.js'
import { planOf, recording } from './support/plans.js'
import { inFolder } from './support/temporary-store.js'

const plans = suite('plans for a long audit log on SQLite')

const fill = (db: Database.Database, waiting: number): void => {
  const count = 20_000
  db.exec(`
WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${count})
INSERT INTO audit_rows (at, client_id, actor, actor_name, entry, mac, checkpoint)
SELECT 1000 + n / 3, 'client-' || (n % 100), CASE WHEN n % 1000 = 0 THEN 'rare' ELSE 'often' END,
  CASE WHEN n % 2000 = 0 THEN 'laptop' END,
  '{"action":"' || CASE WHEN n % 5000 = 1 THEN 'client_deleted' ELSE 'client_registered' END || '"}',
  'mac-' || n, CASE WHEN n <= ${count} - ${waiting} THEN n / 500 END
FROM numbers`)
}

// Two of them have rows of an index in another order than that of time, or rows of one time: few, or sorted in the order.
const isInOrder = (detail: string): boolean =>
  /^SEARCH audit_\w+ USING /.test(detail) || !/audit_(?:rows|checkpoints)/.test(detail)

plans(
  'are by the indexes',
  inFolder(async (file) => {
    const layers = await openedLayers(file)
    const [db, prepared] = recording(layers.db)
    createAuditLog({ ...layers, db })
    for (const isAnalyzed of [false, true]) {
      fill(layers.db, 0)
      if (isAnalyzed) layers.db.exec('ANALYZE')
      const used = new Set<string>()
      for (const sql of prepared.filter((each) => !/ORDER BY number DESC LIMIT 1$|^\s*INSERT/.test(each))) {
        const plan = planOf(layers.db, sql)
        for (const detail of plan) {
          assert.ok(isInOrder(detail), `${sql}\n${plan.join('\n')}`)
          for (const [, index] of detail.matchAll(/audit_rows USING (?:COVERING )?INDEX (\w+)/g))
            used.add(String(index))
        }
      }
      assert.equal([...used].sort(), [
        'audit_rows_actor',
        'audit_rows_actor_name',
        'audit_rows_checkpoint',
        'audit_rows_client',
        'sqlite_autoindex_audit_rows_1',
      ])
      layers.db.exec('DELETE FROM audit_rows')
    }
    layers.db.close()
  }),
)

const found = async (log: AuditLog, filter: Omit<AuditQuery, 'max'>): Promise<number> => {
  let rows = 0
  let before: AuditPlace | undefined
  do {
    const page = await done(log.listAudit({ ...filter, before, max: 7 }))
    rows += page.rows.length
    before = page.reached
  } while (before !== undefined)
  return rows
}

for (const waiting of [0, 1_500])
  plans(
    `rare rows are found among many, of which ${waiting} wait for a checkpoint`,
    inFolder(async (file) => {
      const layers = await openedLayers(file)
      fill(layers.db, waiting)
      const log = createAuditLog(layers)
      assert.is(await found(log, { actor: 'rare' }), 20)
      assert.is(await found(log, { actor: 'laptop' }), 10)
      assert.is(await found(log, { action: 'client_deleted' }), 4)
      assert.is(await found(log, { actor: 'often', client_id: 'client-1', action: 'client_deleted' }), 4)
      layers.db.close()
    }),
  )

plans.run()
