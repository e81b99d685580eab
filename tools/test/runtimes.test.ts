import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'

// Only the runtimes that are installed with the project: npm run runtimes tries all.
const here = fileURLToPath(new URL('.', import.meta.url))
const runner = join(here, '../runtimes/run.mjs')
const node = `Node ${process.versions.node.split('.')[0]}`

const Runtimes = suite('the domain in other runtimes')

const run = (env: Readonly<Record<string, string>>, ...names: ReadonlyArray<string>) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [runner, ...names], {
    env: { ...process.env, PROPERTY_RUNS: '10', ...env },
    encoding: 'utf8',
    timeout: 300_000,
  })
  return { status, output: stdout + stderr }
}

Runtimes('the whole suite passes in Node and workerd alike', () => {
  const { status, output } = run({}, node, 'workerd')
  assert.is(status, 0, output)
  const counts = [...output.matchAll(/^\| (?:Node \d+|workerd) \| [\d.-]+ \| (\d{4,}) \| \d+ \|$/gm)]
  assert.is(counts.length, 2, output)
  assert.is(new Set(counts.map(([, count]) => count)).size, 1, output)
})

const runOn = (files: Readonly<Record<string, string>>, ...names: ReadonlyArray<string>) => {
  const folder = mkdtempSync(join(here, 'planted-'))
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content)
  const result = run({ TEST_ROOT: folder, TEST_LIMIT: '5' }, ...names)
  rmSync(folder, { recursive: true })
  return result
}

const uvu = `import { test } from 'uvu'\nimport * as assert from 'uvu/assert'\n`

const planted: ReadonlyArray<readonly [name: string, content: string, reported: RegExp]> = [
  [
    'a test that fails',
    `${uvu}test('the reason', () => assert.is(1, 2))\ntest.run()\n`,
    /1 failed, 0 passed[\s\S]*the reason/,
  ],
  ['a file whose tests are not run', `${uvu}test('a', () => assert.ok(true))\n`, /no test ran of planted\.test\.ts/],
  ['a file that breaks while it is loaded', `throw new Error('broken')\n`, /told nothing[\s\S]*broken/],
  ['a test that never ends', `${uvu}test('a', () => new Promise(() => undefined))\ntest.run()\n`, /FAILED/],
  ['a test that ends everything', `${uvu}test('a', () => process.exit(0))\ntest.run()\n`, /FAILED/],
]
for (const [name, content, reported] of planted)
  Runtimes(`${name} is a failure`, () => {
    for (const runtime of [node, 'workerd']) {
      const { status, output } = runOn({ 'planted.test.ts': content }, runtime)
      assert.is(status, 1, `${runtime}: ${output}`)
      assert.match(output, reported, runtime)
    }
  })

Runtimes('what needs Node is left out and named, what is skipped is counted', () => {
  const skipping = `${uvu}test.skip('a', () => {})\ntest('b', () => assert.ok(true))\ntest.run()\n`
  const { status, output } = runOn(
    { 'planted.test.ts': skipping, 'files.test.ts': `import 'node:fs'\n${skipping}` },
    'workerd',
  )
  assert.is(status, 0, output)
  assert.match(output, /1 passed, 1 left out/)
  assert.match(output, 'In none of them: files.test.ts')
})

Runtimes('a name that is none is told', () => {
  assert.match(run({}, 'Netscape').output, /no such runtime: Netscape/)
})

Runtimes.run()
