// npm run size: what the built domain package weighs in a bundle; writes the figures into docs/rules.md, unless --print is given. Fails
// beyond the budget.
import { build } from 'esbuild'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build as compile } from './build.mjs'
import { writePart } from './document-part.mjs'

const kilobyte = 1000
const decides =
  'decideRegistration, parseWellFormedJson, parseRegistrationScope, noPolicy, epochSeconds, ClientId, TokenHash'
const bundles = [
  { what: 'decides a registration', entry: `export { ${decides} } from '@clientele/domain'`, budget: 27 * kilobyte },
  {
    what: 'reads and compares privileges: `parseRegistrationScope` and `permits`',
    entry: `export { parseRegistrationScope, permits } from '@clientele/domain'`,
    budget: 12 * kilobyte,
  },
  { what: 'imports the package and uses nothing', entry: `import '@clientele/domain'`, budget: 0 },
]

const bytesOf = async (entry) => {
  const { outputFiles } = await build({
    stdin: { contents: entry, resolveDir: fileURLToPath(new URL('../packages/domain/examples', import.meta.url)) },
    absWorkingDir: fileURLToPath(new URL('../packages/domain', import.meta.url)),
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    target: 'es2022',
    // Because only the ES modules of these two can be taken in part; they are the same functions.
    alias: { 'fp-ts/lib': 'fp-ts/es6', 'io-ts': 'io-ts/es6' },
    logLevel: 'error',
  })
  const { contents } = outputFiles[0]
  return { minified: contents.length, compressed: contents.length === 0 ? 0 : gzipSync(contents).length }
}

const told = (bytes) => (bytes === 0 ? 'nothing' : `${(bytes / kilobyte).toFixed(1)} kB`)

compile()
const measured = []
for (const bundle of bundles) measured.push({ ...bundle, ...(await bytesOf(bundle.entry)) })
const table = [
  '| a bundle that | minified | compressed | budget |',
  '|---|---|---|---|',
  ...measured.map(
    ({ what, minified, compressed, budget }) =>
      `| ${what} | ${told(minified)} | ${told(compressed)} | ${told(budget)} |`,
  ),
].join('\n')
console.log(table)
const heavy = measured.filter(({ compressed, budget }) => compressed > budget)
for (const { what, compressed, budget } of heavy)
  console.log(`beyond the budget: what ${what} weighs ${told(compressed)}, and may weigh ${told(budget)}`)
if (!process.argv.includes('--print')) writePart('docs/rules.md', 'size', table)
process.exit(heavy.length === 0 ? 0 : 1)
