// Bundles the domain's tests with their sources into one script, which runner.mjs evaluates anew for each mutant.
// Started in the folder of the package, optionally with a part of the path of the tests.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { joinTests } from '../join-tests.mjs'
import { packages } from '../packages.mjs'

const folder = process.cwd()
const [part = ''] = process.argv.slice(2)
const suites = fileURLToPath(new URL('suites.mjs', import.meta.url))

// Without documents and kits, because their tests need files as they lie in the repository.
const folders = readdirSync(join(folder, 'test')).filter((name) => !['documents', 'kits', 'support'].includes(name))
const files = folders.flatMap((name) =>
  readdirSync(join(folder, 'test', name))
    .filter((file) => file.endsWith('.test.ts') && !file.includes('document'))
    .map((file) => `./test/${name}/${file}`)
    .filter((file) => file.includes(part)),
)

// Packages of the workspace are bundled as sources; the domain is the copy in this folder, which contains the mutants.
const sourceOf = (path) => {
  const [, name, ...rest] = path.split('/')
  const { folder: place, manifest } = packages.find((each) => each.name === name)
  const source = manifest.exports[['.', ...rest].join('/')]['@clientele/source']
  return join(name === 'domain' ? folder : place, source)
}
const own = {
  name: 'own packages',
  setup: ({ onResolve }) => onResolve({ filter: /^@clientele\// }, ({ path }) => ({ path: sourceOf(path) })),
}

await joinTests({
  folder,
  entry: files.map((file) => `import '${file}'`).join('\n'),
  outfile: join(folder, 'mutants.cjs'),
  platform: 'node',
  format: 'cjs',
  conditions: ['@clientele/source'],
  // Libraries are loaded once; only the mutated sources and the tests are evaluated anew.
  packages: 'external',
  plugins: [
    { name: 'suites', setup: ({ onResolve }) => onResolve({ filter: /^uvu$/ }, () => ({ path: suites })) },
    own,
  ],
})
