import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import * as kit from '../src/index.js'

const document = suite('docs/reuse/test-your-rules.md')
const text = readFileSync(new URL('../../../docs/reuse/test-your-rules.md', import.meta.url), 'utf8')
const folder = fileURLToPath(new URL('..', import.meta.url))
const example = readFileSync(new URL('../examples/find-the-hole.mjs', import.meta.url), 'utf8')
const blocks = [...text.matchAll(/```js\n([\s\S]*?)```(?:\n\n```\n([\s\S]*?)```)?/g)]
const programs = blocks.map(([, program = '', output]) => ({ program, output }))

document('it names everything that the kit has', () => {
  for (const name of Object.keys(kit)) assert.ok(new RegExp(`\`${name}\\b`).test(text), name)
})

const isExample = (program: string): boolean => program === example.replace(/^\/\/.*\n/, '')

const run = (program: string) =>
  spawnSync(
    process.execPath,
    ['--import', 'tsx', '--conditions=@clientele/source', '--input-type=module', '--eval', program],
    { cwd: folder, encoding: 'utf8', env: { ...process.env, PROPERTY_RUNS: '5' } },
  )

document('it shows the example as it is, and what it reports', () => {
  assert.ok(
    programs.some(({ program }) => isExample(program)),
    'examples/find-the-hole.mjs',
  )
  const { stdout } = run(example)
  assert.match(stdout, /^broken: /)
  assert.ok(text.includes(`\n\`\`\`\n${stdout}\`\`\`\n`), stdout)
})

for (const { program, output } of programs.filter((each) => !isExample(each.program)))
  document(`this runs: ${program.split('\n').find((line) => !line.startsWith('import') && line !== '')}`, () => {
    const { status, stdout, stderr } = run(program)
    assert.is(status, 0, stdout + stderr)
    if (output !== undefined) assert.is(stdout, output)
  })

document.run()
