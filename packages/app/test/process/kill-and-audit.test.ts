import Database from 'better-sqlite3'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { configurationOf, redirect_uris, register, send } from '../support/requests.js'
import { type Service, discard, newDataDir, startService } from '../support/service.js'

// Each acknowledged change has one row in the audit log, and no row is without its change.
const rounds = Number(process.env['KILL_ROUNDS'] ?? (process.env['CI'] === undefined ? 5 : 20))

const Killed = suite('kill -9 and the audit log')

type Acknowledged = Map<string, Array<string>>

const work = async (service: Service, acknowledged: Acknowledged): Promise<void> => {
  for (;;) {
    const registered = await register(service).catch(() => undefined)
    if (registered === undefined) return
    const id = String(registered.json['client_id'])
    const changes = ['client_registered']
    acknowledged.set(id, changes)
    const { token } = configurationOf(registered)
    const path = `/clients/${id}`
    const updated = await send(service, path, { method: 'PUT', token, json: { redirect_uris } }).catch(() => undefined)
    if (updated === undefined) return
    changes.push('client_updated')
    if (id.charCodeAt(0) % 2 === 0) continue
    const deleted = await send(service, path, { method: 'DELETE', token: configurationOf(updated).token }).catch(
      () => undefined,
    )
    if (deleted === undefined) return
    changes.push('client_deleted')
  }
}

type Stored = {
  readonly actions: ReadonlyMap<string, ReadonlyArray<string>>
  readonly versions: ReadonlyMap<string, number>
}

const read = (dataDir: string): Stored => {
  const db = new Database(join(dataDir, 'clientele.db'))
  const rows = db
    .prepare<[], { client_id: string; action: string }>(
      `SELECT client_id, entry ->> 'action' AS action FROM audit_rows WHERE client_id IS NOT NULL ORDER BY ordinal`,
    )
    .all()
  const clients = db.prepare<[], { client_id: string; version: number }>('SELECT client_id, version FROM clients').all()
  db.close()
  const actions = new Map<string, Array<string>>()
  for (const { client_id, action } of rows) actions.set(client_id, [...(actions.get(client_id) ?? []), action])
  return { actions, versions: new Map(clients.map(({ client_id, version }) => [client_id, version])) }
}

const all = ['client_registered', 'client_updated', 'client_deleted']

Killed(`an acknowledged change has its row, and a row its change: ${rounds} rounds`, async () => {
  const dataDir = newDataDir()
  for (let round = 0; round < rounds; round += 1) {
    const service = await startService({}, dataDir)
    const acknowledged: Acknowledged = new Map()
    const load = Array.from({ length: 6 }, () => work(service, acknowledged))
    while (acknowledged.size <= 3 + (round % 12)) await pause(5)
    await pause((round * 37) % 60)
    await service.stop('SIGKILL')
    await Promise.all(load)
    const { actions, versions } = read(dataDir)
    for (const [id, changes] of acknowledged)
      assert.equal((actions.get(id) ?? []).slice(0, changes.length), changes, id)
    // A stored client has one row for each of its versions; one that is gone was deleted once.
    for (const [id, rows] of actions) assert.equal(rows, all.slice(0, versions.get(id) ?? 3), id)
    for (const id of versions.keys()) assert.ok(actions.has(id), id)
  }
  const service = await startService({}, dataDir)
  const verified = await send(service, '/manage/v1/audit/verification', { token: service.master })
  assert.equal(verified.json['findings'], [])
  await service.stop()
  discard(dataDir)
})

Killed.run()
