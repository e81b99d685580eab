// Joins the domain's tests and what they test in one script, which runner.mjs evaluates anew for each mutant. Started in the
// folder of the package, with the folders whose mutants are tried.
import { createRequire } from 'node:module'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const folder = process.cwd()
const tools = createRequire(import.meta.url)
const { build } = await import(createRequire(tools.resolve('tsx')).resolve('esbuild'))

const suites = fileURLToPath(new URL('suites.mjs', import.meta.url))

// Documents are compared with files outside the package, and left out.
const folders = ['client', 'authorization', 'codec', 'policy', 'use-cases']
const files = folders.flatMap((name) =>
  readdirSync(join(folder, 'test', name))
    .filter((file) => file.endsWith('.test.ts') && !file.includes('document'))
    .map((file) => `./test/${name}/${file}`),
)

await build({
  stdin: { contents: files.map((file) => `import '${file}'`).join('\n'), resolveDir: folder },
  outfile: join(folder, 'mutants.cjs'),
  bundle: true,
  platform: 'node',
  format: 'cjs',
  conditions: ['@clientele/source'],
  // Libraries are loaded once: only what has mutants, and what is made of it, comes into being again.
  packages: 'external',
  plugins: [{ name: 'suites', setup: ({ onResolve }) => onResolve({ filter: /^uvu$/ }, () => ({ path: suites })) }],
  // The package says that its files have no side effects, which is not so for its tests.
  ignoreAnnotations: true,
  logLevel: 'error',
})
