import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { discard, mainFile, newDataDir, startService } from '../support/service.js'

const crash = suite('kill -9 during an import')

const count = 8_000

const lines = Array.from({ length: count }, (_, index) => {
  const client_id = `client-${String(index).padStart(5, '0')}`
  return JSON.stringify({
    clientele_client: 2,
    client_id,
    client_id_issued_at: 1_700_000_000 + index,
    registered_by: 'master',
    privileges: { grant_types: [], scope: [], data: false, preferred_client_id: false, preferred_client_secret: false },
    client_secret: `secret-of-${client_id}-${'x'.repeat(32)}`,
    client_secret_expires_at: 0,
    registration_access_token: `token-of-${client_id}-${'x'.repeat(32)}`,
    metadata: { redirect_uris: [`https://${client_id}.example/cb`] },
  })
})

const command = (dataDir: string, ...argv: ReadonlyArray<string>): ReadonlyArray<string> => [
  mainFile,
  ...argv,
  '--data-dir',
  dataDir,
]

/** Kills the import when the database has more clients than these; whether it ran until then. */
const killedAbove = async (dataDir: string, file: string, clients: number): Promise<boolean> => {
  const db = new Database(join(dataDir, 'clientele.db'), { readonly: true })
  const counted = db.prepare('SELECT count(*) FROM clients').pluck()
  const child = spawn(process.execPath, command(dataDir, 'clients', 'import', file, '--from', 'clientele'), {
    stdio: 'ignore',
  })
  const ended = once(child, 'exit')
  while (child.exitCode === null && Number(counted.get()) <= clients) await pause(2)
  child.kill('SIGKILL')
  await ended
  db.close()
  return child.signalCode === 'SIGKILL'
}

type Exported = Readonly<Record<string, unknown>> & { readonly client_id: string }

const exported = (dataDir: string): ReadonlyArray<Exported> => {
  const { stdout, status, stderr } = spawnSync(
    process.execPath,
    command(dataDir, 'clients', 'export', '-', '--secrets'),
    { encoding: 'utf8', maxBuffer: 2 ** 28 },
  )
  assert.is(status, 0, stderr)
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))
}

crash('an import that was killed twice is completed by the same command, without loss or duplicates', async () => {
  const dataDir = newDataDir()
  await (await startService({}, dataDir)).stop()
  const file = join(dataDir, 'clients.ndjson')
  writeFileSync(file, `${lines.join('\n')}\n`)
  const counts: Array<number> = []
  for (const clients of [0, 2_000]) {
    assert.ok(await killedAbove(dataDir, file, clients))
    counts.push(exported(dataDir).length)
  }
  const [first = 0, second = 0] = counts
  assert.ok(0 < first && first < second && second < count, counts.join(' '))
  const last = spawnSync(process.execPath, command(dataDir, 'clients', 'import', file, '--from', 'clientele'), {
    encoding: 'utf8',
  })
  assert.is(last.status, 0, last.stderr)
  const added = (count - second).toLocaleString('en')
  assert.match(last.stdout, `Imported: ${added} new, 0 replaced, ${second.toLocaleString('en')} there already`)
  const all = exported(dataDir)
  assert.is(all.length, count)
  for (const [index, { metadata, ...rest }] of all.entries()) {
    const { metadata: sent, ...expected } = JSON.parse(lines[index] ?? '')
    assert.equal(rest, expected)
    assert.equal((metadata as Readonly<Record<string, unknown>>)['redirect_uris'], sent.redirect_uris)
  }
  discard(dataDir)
})

crash.run()
