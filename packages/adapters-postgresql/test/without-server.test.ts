import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'

const tests = suite('without PostgreSQL')

const runner = fileURLToPath(new URL('../../../tools/run-tests.mjs', import.meta.url))

const runWith = (given: string): string => {
  const env = { ...process.env, CLIENTELE_TEST_POSTGRESQL: given }
  const args = [runner, 'adapters-postgresql/test/server.test.ts']
  return spawnSync(process.execPath, args, { env, encoding: 'utf8', timeout: 120_000 }).stdout
}

tests('tests are skipped, and counted as such', () => {
  const empty = mkdtempSync(join(tmpdir(), 'clientele-no-postgresql-'))
  const output = runWith(empty)
  rmSync(empty, { recursive: true })
  assert.match(output, /ok +packages\/adapters-postgresql\/test\/server\.test\.ts +0 \(\d+ skipped\)/)
  assert.match(output, /^0 passed, 0 failed, [1-9]\d* skipped$/m)
})

tests('a mistaken setting is refused', () => {
  assert.match(runWith('localhost:5432'), 'CLIENTELE_TEST_POSTGRESQL must be a URL')
})

tests.run()
