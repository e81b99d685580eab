// Makes the golden rows anew, with the stores of this checkout and the server of the tests:
//   cd packages/adapters-sql && node --import tsx --conditions=@clientele/source test/golden/make-golden.ts
// What later code must read is what an earlier version wrote: run this only where rows are added, on the version that
// wrote the others.
import type { Store } from '@clientele/domain/ports'
import { done } from '@clientele/testing'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import * as postgresql from '../../../adapters-postgresql/test/support/golden-database.js'
import { newDatabase } from '../../../adapters-postgresql/test/support/new-database.js'
import { query } from '../../../adapters-postgresql/test/support/query.js'
import { startServer } from '../../../adapters-postgresql/test/support/server.js'
import { backUp, restoreBackup } from '../../../adapters-sqlite/src/index.js'
import { beside } from '../../../adapters-sqlite/test/support/beside.js'
import * as sqlite from '../../../adapters-sqlite/test/support/golden-database.js'
import { type GoldenNeeds, earlierNeeds, goldenFile, goldenNeeds, goldenText } from './golden.js'
import type { Reading } from './reading.js'
import { type Step, first, later, precedingLeft } from './rows.js'

type Open = (needs: GoldenNeeds) => Promise<Store>

const fillBy = async (open: Open, needs: GoldenNeeds, steps: ReadonlyArray<Step>): Promise<void> => {
  const store = await open(needs)
  for (const step of steps) await done(step(store))
  await store.close()
}

const fill = async (open: Open): Promise<void> => {
  await fillBy(open, earlierNeeds, first)
  await fillBy(open, goldenNeeds, later)
}

// Rows that this version reads and does not write: of a client that was parked before there were notices; of one that was
// replaced by a version without preceding tokens, which left the column; and of a version that knows another event.
const byHand = [
  `UPDATE clients SET parked_at = NULL, notice = NULL WHERE client_id = 'parked-before-notices'`,
  `UPDATE clients SET preceding_token_hash = '${precedingLeft}' WHERE client_id = 'short'`,
  `INSERT INTO provider_events (event) VALUES ('{"event":"client_moved","client_id":"short"}')`,
]
// On PostgreSQL also an instance of another version. And positions of events are numbers of transactions, which another server
// shows when it has had as many.
const byHandOnPostgresql = [
  ...byHand,
  `INSERT INTO instances (id, seen_at, instance) VALUES ('of-later-version', 1700000000, '{"id":"of-later-version"}')`,
  'UPDATE instances SET seen_at = 1700000000',
  'UPDATE provider_events SET transaction = ordinal::text::xid8',
]

const write = (name: string, reading: Reading): void => {
  const answers = Object.entries(reading).map((answer) => answer.map((part) => JSON.stringify(part)).join(': '))
  writeFileSync(goldenFile(name), `{\n${answers.join(',\n')}\n}\n`)
}

const differing = (reading: Reading, base: Reading): Reading =>
  Object.fromEntries(
    Object.entries(reading).filter(([call, answer]) => JSON.stringify(answer) !== JSON.stringify(base[call])),
  )

const folder = mkdtempSync(join(tmpdir(), 'clientele-golden-'))
const server = await startServer()
try {
  const file = join(folder, 'clientele.db')
  const backup = join(folder, 'backup.db')
  await fill(sqlite.openGolden(file))
  beside(file, (db) => byHand.forEach((each) => db.exec(each)))
  await done(backUp(file, backup))
  writeFileSync(goldenFile('backup.db.gz'), gzipSync(readFileSync(backup), { level: 9 }))
  writeFileSync(goldenFile('sqlite.sql'), beside(file, sqlite.dumpOf))
  const url = await newDatabase(server)
  await fill(postgresql.openGolden(url))
  for (const each of byHandOnPostgresql) await query(url, each)
  writeFileSync(goldenFile('postgresql.sql'), postgresql.dumpOf(url))

  const loaded = join(folder, 'loaded.db')
  sqlite.loadDump(loaded, goldenText('sqlite.sql'))
  const reading = await sqlite.readGolden(loaded)
  write('reading.json', reading)
  const restored = join(folder, 'restored.db')
  await done(restoreBackup({ backup, file: restored, encryption: goldenNeeds.encryption }, new Date()))
  write('restored.json', differing(await sqlite.readGolden(restored), reading))
  const loadedUrl = await newDatabase(server)
  await query(loadedUrl, goldenText('postgresql.sql'))
  write('postgresql.json', differing(await postgresql.readGolden(loadedUrl), reading))
} finally {
  await server.close()
  rmSync(folder, { recursive: true })
}
