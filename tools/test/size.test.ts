import { build } from 'esbuild'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { createContext, runInContext } from 'node:vm'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'

const Size = suite('what the domain weighs')
const domain = fileURLToPath(new URL('../../packages/domain', import.meta.url))
const tools = fileURLToPath(new URL('..', import.meta.url))
const document = readFileSync(new URL('../../docs/reuse/rules.md', import.meta.url), 'utf8')

type Measured = { readonly name: string; readonly passed: boolean; readonly size: number; readonly sizeLimit: number }

Size('is within its budgets, and what is not used weighs nothing', () => {
  const args = ['node_modules/size-limit/bin.js', '--json']
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: tools, encoding: 'utf8' })
  assert.is(status, 0, stdout + stderr)
  const measured: ReadonlyArray<Measured> = JSON.parse(stdout)
  const [decides = 0, compares = Infinity, nothing] = measured.map(({ size }) => size)
  assert.ok(decides > 10_000, stdout)
  assert.ok(compares < decides / 2, stdout)
  // size-limit subtracts the approximate size of an empty bundle.
  assert.ok(nothing !== undefined && nothing <= 0, stdout)
  for (const { name, sizeLimit } of measured)
    assert.match(document, `| ${name} | ${sizeLimit === 0 ? 'nothing' : `${sizeLimit / 1000} kB`} |`)
})

const everyProperty = `Reflect.ownKeys(globalThis).flatMap((name) =>
  [globalThis[name], globalThis[name]?.prototype].map((value) => [name, ...Reflect.ownKeys(Object(value))].map(String).join(' ')))`

// Without the annotation for side effects, a bundler includes all code that runs at the import of the package.
Size('importing it needs nothing but the language, and leaves no trace', async () => {
  const { outputFiles } = await build({
    stdin: { contents: `import '@clientele/domain'`, resolveDir: domain },
    bundle: true,
    write: false,
    ignoreAnnotations: true,
    format: 'iife',
  })
  const script = outputFiles[0]?.text ?? ''
  assert.ok(script.length > 100_000, String(script.length))
  const context = createContext({})
  const properties = (): unknown => runInContext(everyProperty, context)
  const before = properties()
  runInContext(`'use strict'; ${script}`, context)
  assert.equal(properties(), before)
})

Size.run()
