// Lists and verifications of a long audit log: each statement reads an index in its order, so that it looks at a bounded
// number of rows.
import { storeOn } from '@clientele/adapters-sql'
import type { AuditLog, AuditPlace, AuditQuery } from '@clientele/domain/ports'
import { done, exampleTime } from '@clientele/testing'
import type Database from 'better-sqlite3'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { encryptionWith } from './support/encryption.js'
import { openedLayers } from './support/opened-layers.js'
import { planOf, recording } from './support/plans.js'
import { inFolder } from './support/temporary-store.js'

const plans = suite('plans for a long audit log on SQLite')

const fill = (db: Database.Database, waiting: number): void => {
  const count = 20_000
  db.exec(`
WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${count})
INSERT INTO audit_rows (at, client_id, actor, actor_name, entry, mac)
SELECT 1000 + n / 3, 'client-' || (n % 100), CASE WHEN n % 1000 = 0 THEN 'rare' ELSE 'often' END,
  CASE WHEN n % 2000 = 0 THEN 'laptop' END,
  '{"action":"' || CASE WHEN n % 5000 = 1 THEN 'client_deleted' ELSE 'client_registered' END || '"}',
  'mac-' || n
FROM numbers;
INSERT INTO audit_index SELECT ordinal, at, client_id, actor, actor_name, mac FROM audit_rows
WHERE ordinal <= (SELECT max(ordinal) FROM audit_rows) - ${waiting};
INSERT INTO audit_checkpoints SELECT ordinal / 50 + 2, 0, min(ordinal), max(ordinal), '' FROM audit_index GROUP BY 1`)
}

// Two of them have rows of an index in another order than that of time, or rows of one time: few, or sorted in the order.
const isInOrder = (detail: string): boolean =>
  /^SEARCH audit_\w+( USING |$)/.test(detail) || !/audit_(?:rows|index|checkpoints)/.test(detail)

const useAll = async (log: AuditLog): Promise<void> => {
  const checkpoint = { number: 1, at: exampleTime, lowest: 0, highest: 0, jws: '' }
  for (const filter of [{}, { client_id: 'a' }, { actor: 'a' }]) await done(log.listAudit({ ...filter, max: 1 }))
  await done(log.listUnlinked(0, 1))
  await done(log.listRows(0, 1))
  await done(log.lastCheckpoint)
  await done(log.checkpointsAfter(0, 1))
  await done(log.addCheckpoint(checkpoint))
  await done(log.forgetAudit(checkpoint))
}

plans(
  'are by the indexes',
  inFolder(async (file) => {
    const prepared: Array<string> = []
    const layers = await openedLayers(file, (db) => recording(db, prepared))
    await useAll(storeOn(layers, encryptionWith('the right key'), '').auditLog)
    const statements = prepared.filter((each) => /audit_/.test(each))
    for (const isAnalyzed of [false, true]) {
      fill(layers.db, 0)
      if (isAnalyzed) layers.db.exec('ANALYZE')
      const used = new Set<string>()
      for (const sql of statements.filter((each) => !/ORDER BY number DESC LIMIT 1$|^\s*INSERT/.test(each))) {
        const plan = planOf(layers.db, sql)
        for (const detail of plan) {
          assert.ok(isInOrder(detail), `${sql}\n${plan.join('\n')}`)
          for (const [, index] of detail.matchAll(/audit_\w+ USING (?:COVERING )?INDEX (\w+)/g)) used.add(String(index))
        }
      }
      assert.equal([...used].sort(), [
        'audit_checkpoints_by_highest',
        'audit_index_actor',
        'audit_index_actor_name',
        'audit_index_client',
        'audit_index_mac',
        'audit_rows_by_time',
      ])
      layers.db.exec('DELETE FROM audit_rows; DELETE FROM audit_index; DELETE FROM audit_checkpoints')
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
      const { auditLog: log } = storeOn(layers, encryptionWith('the right key'), '')
      assert.is(await found(log, { actor: 'rare' }), 20)
      assert.is(await found(log, { actor: 'laptop' }), 10)
      assert.is(await found(log, { action: 'client_deleted' }), 4)
      assert.is(await found(log, { actor: 'often', client_id: 'client-1', action: 'client_deleted' }), 4)
      layers.db.close()
    }),
  )

plans.run()
