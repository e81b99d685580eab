import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import * as kit from '../src/index.js'

const document = suite('docs/testing.md')
const text = readFileSync(new URL('../../../docs/testing.md', import.meta.url), 'utf8')
const folder = fileURLToPath(new URL('..', import.meta.url))
const example = readFileSync(new URL('../examples/find-the-hole.mjs', import.meta.url), 'utf8')
const programs = [...text.matchAll(/```js\n([\s\S]*?)```/g)].map(([, program = '']) => program)

document('it names everything that the kit has', () => {
  for (const name of Object.keys(kit)) assert.ok(new RegExp(`\`${name}\\b`).test(text), name)
})

const isExample = (program: string): boolean => program === example.replace(/^\/\/.*\n/, '')

document('it shows the example as it is, and what it says of laws that there are', () => {
  assert.ok(programs.some(isExample), 'examples/find-the-hole.mjs')
  const reported = text.match(/^broken: .*$/gm) ?? []
  const laws = kit.authorizationLaws.map(({ statement, reference }) => `broken: ${statement} (${reference})`)
  assert.ok(reported.length > 0)
  for (const law of reported) assert.ok(laws.includes(law), law)
})

// The test of the programs runs the example.
for (const program of programs.filter((each) => !isExample(each)))
  document(`this runs: ${program.split('\n').find((line) => !line.startsWith('import') && line !== '')}`, () => {
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      ['--import', 'tsx', '--conditions=@clientele/source', '--input-type=module', '--eval', program],
      { cwd: folder, encoding: 'utf8', env: { ...process.env, PROPERTY_RUNS: '5' } },
    )
    assert.is(status, 0, stdout + stderr)
  })

document.run()
