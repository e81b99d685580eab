// The list of modules as a whole: each plan has its tests.
import { readFileSync, readdirSync } from 'node:fs'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { modulesOf, plans } from './modules.js'

const modules = suite('the modules of the conformance suite')
const folder = new URL('./', import.meta.url)
const sourceOf = (name: string): string => readFileSync(new URL(name, folder), 'utf8')

const files = readdirSync(folder).filter((name) => name.endsWith('.test.ts') && name !== 'modules.test.ts')

modules('each plan has a test file, and each test file is of a plan', () => {
  const tested = files.map((name) => /runPlan\(\s*'([^']+)'/.exec(sourceOf(name))?.[1])
  assert.equal(tested.sort(), Object.keys(plans).sort())
  for (const plan of Object.keys(plans)) {
    const name = plan.replace(/^oidcc-|-certification-test-plan$/g, '')
    assert.ok(files.includes(`${name}.test.ts`), name)
  }
})

modules('no plan names a module that the suite does not name so', () => {
  for (const plan of Object.keys(plans)) {
    const names = modulesOf(plan as keyof typeof plans).map(([name]) => name)
    assert.ok(names.length > 0)
    for (const name of names) assert.match(name, /^oidcc-[A-Za-z0-9_-]+$/)
  }
})

modules.run()
