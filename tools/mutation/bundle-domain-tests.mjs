// Joins the domain's tests and what they test in one file, so that a run of all of them starts in a fraction of a second:
// there are as many runs as mutants. Started in the folder of the package, with the folders whose mutants are tried.
import { createRequire } from 'node:module'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'

const folder = process.cwd()
const tools = createRequire(import.meta.url)
const { build } = await import(createRequire(tools.resolve('tsx')).resolve('esbuild'))

// What is most likely to notice comes first. Documents are compared with files outside the package, and left out.
const tried = process.argv.slice(2).map((part) => part.split('/')[0])
const folders = ['client', 'authorization', 'codec', 'policy', 'use-cases']
const inOrder = [...folders.filter((name) => tried.includes(name)), ...folders.filter((name) => !tried.includes(name))]
const files = inOrder.flatMap((name) =>
  readdirSync(join(folder, 'test', name))
    .filter((file) => file.endsWith('.test.ts') && !file.includes('document'))
    .map((file) => `./test/${name}/${file}`),
)

// A mutant is dead at the first failure, and its first counterexample is enough: nobody reads the smallest.
const before = `
import fc from 'fast-check'
globalThis.UVU_DEFER = 1
globalThis.UVU_QUEUE = [['domain']]
globalThis.UVU_INDEX = 0
fc.configureGlobal({ ...fc.readConfigureGlobal(), endOnFailure: true })
`
const entry = `
import 'before'
${files.map((file) => `import '${file}'`).join('\n')}
import { exec } from 'uvu'
await exec(true)
`
const inline = {
  name: 'before',
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: /^before$/ }, () => ({ path: 'before', namespace: 'before' }))
    onLoad({ filter: /.*/, namespace: 'before' }, () => ({ contents: before, resolveDir: folder }))
  },
}
await build({
  stdin: { contents: entry, resolveDir: folder },
  outfile: join(folder, 'mutants.mjs'),
  bundle: true,
  platform: 'node',
  format: 'esm',
  conditions: ['@clientele/source'],
  // The package says that its files have no side effects, which is not so for its tests.
  ignoreAnnotations: true,
  logLevel: 'error',
  banner: {
    js: `import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url)`,
  },
  plugins: [inline],
})
