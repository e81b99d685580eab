// The project's whole check, which `npm test` runs: types, lint, boundaries, documents, then every test.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { compile } from './build.mjs'
import { conclude, runFiles, testFiles } from './run-tests.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const tool = (path) => join(root, 'tools/node_modules', path)

const steps = {
  'types of the tests': [tool('typescript/bin/tsc'), '-p', 'tsconfig.test.json'],
  lint: [tool('eslint/bin/eslint.js'), '-c', 'tools/eslint.config.js', '.'],
  boundaries: [tool('dependency-cruiser/bin/dependency-cruise.mjs'), '--config', '.dependency-cruiser.cjs', 'packages'],
  'types of the examples': [tool('typescript/bin/tsc'), '-p', 'tsconfig.examples.json'],
  documents: ['tools/check-docs.mjs'],
  format: [tool('prettier/bin/prettier.cjs'), '--check', '--log-level', 'warn', 'packages', 'tools', 'bench/**/*.mjs'],
}

const tell = (name, held, began, output) => {
  console.log(`${held ? 'ok    ' : 'FAILED'}  ${name}  ${((performance.now() - began) / 1000).toFixed(1)} s`)
  if (!held) console.log(output.replace(/^/gm, '    '))
  return held
}

const build = () => {
  const began = performance.now()
  const { held, output } = compile()
  return tell('build', held, began, output)
}

const run = ([name, args]) =>
  new Promise((resolve) => {
    const began = performance.now()
    const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
    child.on('close', (code) => {
      resolve(tell(name, code === 0, began, output))
    })
  })

const built = build()
const [first, second, ...rest] = Object.entries(steps)
const held = [built, ...(await Promise.all([first, second].map(run))), ...(await Promise.all(rest.map(run)))]
const tests = await runFiles(testFiles(root))
const passed = held.filter(Boolean).length
conclude({ ...tests, passed: tests.passed + passed, failed: tests.failed + held.length - passed })
