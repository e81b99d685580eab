import { build } from 'esbuild'
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { createContext, runInContext } from 'node:vm'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'

const Size = suite('what the domain weighs')
const domain = fileURLToPath(new URL('../../packages/domain', import.meta.url))
const measure = fileURLToPath(new URL('../size.mjs', import.meta.url))

Size('is within its budgets, and what is not used weighs nothing', () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [measure, '--print'], { encoding: 'utf8' })
  assert.is(status, 0, stdout + stderr)
  const compressed = [...stdout.matchAll(/^\|[^|]+\|[^|]+\| ([\d.]+ kB|nothing) \|/gm)].map(([, size]) => size)
  assert.is(compressed.length, 3, stdout)
  assert.is(compressed.at(-1), 'nothing')
  const [decides = 0, compares = Infinity] = compressed.map((size) => Number.parseFloat(size ?? ''))
  assert.ok(compares < decides / 2, stdout)
})

const everyProperty = `Reflect.ownKeys(globalThis).flatMap((name) =>
  [globalThis[name], globalThis[name]?.prototype].map((value) => [name, ...Reflect.ownKeys(Object(value))].map(String).join(' ')))`

// Without the annotation that it has no side effects, a bundler keeps everything that is done while the package is imported.
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
