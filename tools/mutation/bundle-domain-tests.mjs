// Joins the domain's tests and what they test in one script, which runner.mjs evaluates anew for each mutant. Started in the
// folder of the package, perhaps with a part of the path of those tests that count.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { joinTests } from '../join-tests.mjs'

const folder = process.cwd()
const [part = ''] = process.argv.slice(2)
const suites = fileURLToPath(new URL('suites.mjs', import.meta.url))

// Documents are compared with files outside the package, and left out.
const folders = ['client', 'authorization', 'registration', 'codec', 'json', 'policy', 'use-cases']
const files = folders.flatMap((name) =>
  readdirSync(join(folder, 'test', name))
    .filter((file) => file.endsWith('.test.ts') && !file.includes('document'))
    .map((file) => `./test/${name}/${file}`)
    .filter((file) => file.includes(part)),
)

// The tests, and the testing kit, mean the mutated domain.
const domain = join(folder, 'src/index.ts')
const kit = fileURLToPath(new URL('../../packages/testing/src/index.ts', import.meta.url))
const inPlaceOf = ({ onResolve }) => {
  onResolve({ filter: /^uvu$/ }, () => ({ path: suites }))
  onResolve({ filter: /^@clientele\/domain$/ }, () => ({ path: domain }))
  onResolve({ filter: /^@clientele\/testing$/ }, () => ({ path: kit }))
}

await joinTests({
  folder,
  entry: files.map((file) => `import '${file}'`).join('\n'),
  outfile: join(folder, 'mutants.cjs'),
  platform: 'node',
  format: 'cjs',
  conditions: ['@clientele/source'],
  // Libraries are loaded once: only what has mutants, and what is made of it, comes into being again.
  packages: 'external',
  plugins: [{ name: 'in place of', setup: inPlaceOf }],
})
