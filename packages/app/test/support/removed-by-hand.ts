// A client as the service removes it after some days, which do not pass here.
import Database from 'better-sqlite3'
import { join } from 'node:path'
import * as assert from 'uvu/assert'

export const removeByHand = (dataDir: string, id: string): void => {
  const db = new Database(join(dataDir, 'clientele.db'))
  try {
    const kept = db
      .prepare(
        "SELECT group_concat(name) FROM pragma_table_info('removed_clients') WHERE name NOT IN ('ordinal', 'removed_at')",
      )
      .pluck()
    const keptColumns = String(kept.get())
    const keep = `INSERT INTO removed_clients (${keptColumns}, removed_at)
      SELECT ${keptColumns}, unixepoch() FROM clients WHERE client_id = ?`
    assert.is(db.prepare(keep).run(id).changes, 1)
    assert.is(db.prepare('DELETE FROM clients WHERE client_id = ?').run(id).changes, 1)
  } finally {
    db.close()
  }
}
