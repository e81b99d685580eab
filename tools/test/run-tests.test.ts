import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'

const here = fileURLToPath(new URL('.', import.meta.url))
const runner = join(here, '../run-tests.mjs')

const running = suite('the test runner')

const uvu = `import { test } from 'uvu'\nimport * as assert from 'uvu/assert'\n`

const runOn = (files: Readonly<Record<string, string>>, ...patterns: ReadonlyArray<string>) => {
  const folder = mkdtempSync(join(here, 'planted-'))
  mkdirSync(folder, { recursive: true })
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content)
  const env = { ...process.env, TEST_ROOT: folder, TEST_LIMIT: '5' }
  const { status, stdout } = spawnSync(process.execPath, [runner, ...patterns], { env, encoding: 'utf8' })
  rmSync(folder, { recursive: true })
  return { status, stdout, last: stdout.trimEnd().split('\n').at(-1) }
}

const good = `${uvu}test('a', () => assert.ok(true))\ntest.skip('b', () => undefined)\ntest.run()\n`

running('counts what passed and was skipped, and says so in the last line', () => {
  const { status, last } = runOn({ 'good.test.ts': good, 'too.test.ts': good })
  assert.is(status, 0)
  assert.is(last, '2 passed, 0 failed, 2 skipped')
})

running('fails on a failing test and shows why', () => {
  const { status, stdout, last } = runOn({
    'good.test.ts': good,
    'bad.test.ts': `${uvu}test('the reason', () => assert.is(1, 2))\ntest.run()\n`,
  })
  assert.is(status, 1)
  assert.match(stdout, 'the reason')
  assert.is(last, '1 passed, 1 failed, 1 skipped')
})

running('fails on a file that forgets to run its tests', () => {
  const { status, stdout, last } = runOn({
    'silent.test.ts': `${uvu}test('a', () => assert.ok(true))\n`,
    'good.test.ts': good,
  })
  assert.is(status, 1)
  assert.match(stdout, 'no test ran')
  assert.is(last, '1 passed, 1 failed, 1 skipped')
})

running('counts a file all of whose tests are skipped, and does not fail on it', () => {
  const skipping = `${uvu}test.skip('a', () => undefined)\ntest.run()\n`
  const { status, last } = runOn({ 'skipping.test.ts': skipping, 'good.test.ts': good })
  assert.is(status, 0)
  assert.is(last, '1 passed, 0 failed, 2 skipped')
})

running('fails on a file that breaks while it is loaded', () => {
  const { status } = runOn({ 'broken.test.ts': `throw new Error('broken')\n`, 'good.test.ts': good })
  assert.is(status, 1)
})

running('fails on a pattern that matches no file', () => {
  const { status, last } = runOn({ 'good.test.ts': good }, 'good', 'elsewhere')
  assert.is(status, 1)
  assert.is(last, '1 passed, 1 failed, 1 skipped')
})

running('ends what a late test started, and does not wait for it', () => {
  const began = performance.now()
  const { status, stdout } = runOn({
    'late.test.ts': `import { spawn } from 'node:child_process'\n${uvu}test('late', async () => {\n  spawn('sleep', ['61'], { stdio: 'inherit' })\n  await new Promise((resolve) => setTimeout(resolve, 60_000))\n})\ntest.run()\n`,
  })
  assert.is(status, 1)
  assert.match(stdout, 'ended after')
  assert.ok(performance.now() - began < 30_000)
})

running('fails when there is no test at all', () => {
  assert.is(runOn({}).status, 1)
})

running.run()
