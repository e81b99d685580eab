// The complete check, which `npm test` runs: types, lint, boundaries, documents, then all tests.
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { compile } from './build.mjs'
import { root } from './packages.mjs'
import { conclude, runFiles, testFiles } from './run-tests.mjs'

const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

// Each is a script of package.json, so that a contributor can run it alone.
const steps = ['types', 'lint', 'boundaries', 'docs', 'format:check', 'commits']

const report = (name, hasPassed, began, output) => {
  console.log(`${hasPassed ? 'ok    ' : 'FAILED'}  ${name}  ${((performance.now() - began) / 1000).toFixed(1)} s`)
  if (!hasPassed) console.log(output.replace(/^/gm, '    '))
  return hasPassed
}

const build = () => {
  const began = performance.now()
  const { passed, output } = compile()
  return report('build', passed, began, output)
}

const run = (name) =>
  new Promise((resolve) => {
    const began = performance.now()
    const [, ...args] = scripts[name].split(' ')
    const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
    child.on('close', (code) => {
      resolve(report(name, code === 0, began, output))
    })
  })

const outcomes = [build()]
const waiting = [...steps]
// Two at a time, because every step needs the memory of a compiler or a parser.
const work = async () => {
  for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) outcomes.push(await run(name))
}
await Promise.all([work(), work()])
const tests = await runFiles(testFiles(root))
const passed = outcomes.filter(Boolean).length
conclude({ ...tests, passed: tests.passed + passed, failed: tests.failed + outcomes.length - passed })
