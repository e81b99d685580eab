// What a command writes, and how it ends: with readers that are slow or end early, and by a signal.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { openSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { discard, launch, mainFile, newDataDir, startService } from '../support/service.js'

const outputs = suite('the output of a command')

const count = 2_000
const dataDir = newDataDir()
const settings = { ...process.env, CLIENTELE_DATA_DIR: dataDir }

outputs.before(async () => {
  await (await startService({}, dataDir)).stop()
  const file = join(dataDir, 'clients.ndjson')
  const metadata = { redirect_uris: ['https://rp.example/cb'], policy_uri: `https://rp.example/${'p'.repeat(500)}` }
  const records = Array.from({ length: count }, (_, place) => ({
    clientele_client: 2,
    client_id: `c${place}`,
    metadata,
  }))
  writeFileSync(file, records.map((record) => `${JSON.stringify(record)}\n`).join(''))
  const { exited, output } = launch(['clients', 'import', file, '--from', 'clientele'], settings)
  assert.is(await exited, 0, output().stderr)
})

outputs.after(() => discard(dataDir))

/** The command, whose output nobody has read yet, and the text of its errors. */
const unread = (...argv: ReadonlyArray<string>) => {
  const child = spawn(process.execPath, [mainFile, ...argv], { env: settings })
  return { child, exited: once(child, 'exit'), errors: text(child.stderr) }
}

for (const argv of [
  ['clients', 'export', '-', '--secrets'],
  ['clients', 'list', '--limit', String(count), '--json'],
])
  outputs(`${argv.join(' ')}: a slow reader gets all of it`, async () => {
    const { child, exited } = unread(...argv)
    await setTimeout(3_000)
    assert.is(child.exitCode, null)
    const read = await text(child.stdout)
    assert.equal(await exited, [0, null])
    assert.is(read.split('policy_uri').length - 1, count)
  })

outputs('a reader that ends makes the command fail', async () => {
  const exporting = unread('clients', 'export', '-', '--secrets')
  await once(exporting.child.stdout, 'readable')
  exporting.child.stdout.destroy()
  assert.equal(await exporting.exited, [1, null])
  assert.match(await exporting.errors, 'the export is not complete (EPIPE')
  const listing = unread('clients', 'list', '--limit', String(count), '--json')
  listing.child.stdout.destroy()
  assert.equal([await listing.exited, await listing.errors], [[1, null], ''])
})

outputs('a full disk makes the command fail, and says so', async () => {
  const child = spawn(process.execPath, [mainFile, 'version'], {
    stdio: ['ignore', openSync('/dev/full', 'w'), 'pipe'],
  })
  const errors = child.stderr === null ? '' : text(child.stderr)
  assert.equal(await once(child, 'exit'), [1, null])
  assert.match(await errors, 'clientele: the output is not complete (ENOSPC')
})

outputs('the first signal ends a command that waits', async () => {
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    // It reads the password.
    const { child, exited } = unread('users', 'add', 'ada')
    await setTimeout(2_000)
    child.kill(signal)
    assert.equal(await Promise.race([exited, setTimeout(5_000)]), [null, signal])
  }
})

outputs.run()
