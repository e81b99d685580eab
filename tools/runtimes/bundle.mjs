// One script of the domain's tests for all runtimes: with the built package, and without modules of any runtime.
import { readFileSync, readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, relative } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { joinTests } from '../join-tests.mjs'
import { testFiles } from '../run-tests.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))
const domain = join(root, 'packages/domain')
const tests = process.env.TEST_ROOT ?? join(domain, 'test')
const harness = fileURLToPath(new URL('run-in-runtime.mjs', import.meta.url))
const require = createRequire(join(domain, 'package.json'))

const documents = () => {
  const names = readdirSync(join(root, 'docs'), { recursive: true }).filter((name) => name.endsWith('.md'))
  const texts = names.map((name) => [name, readFileSync(join(root, 'docs', name), 'utf8')])
  return `export const committed = (name) => (${JSON.stringify(Object.fromEntries(texts))})[name]`
}

const compiledSchema = async () => {
  const { Ajv2020 } = require('ajv/dist/2020.js')
  const standalone = require('ajv/dist/standalone').default
  const { clientMetadataSchema } = await import(pathToFileURL(join(domain, 'dist/client/schema.js')))
  const ajv = new Ajv2020({ strictTypes: false, validateFormats: false, code: { source: true, esm: true } })
  return `${standalone(ajv, ajv.compile(clientMetadataSchema))}\nexport const schemaTakes = (body) => validate(body)`
}

// Modules that need files, or code from strings, are prepared and inserted.
const inserted = { 'documents/committed.ts': documents, 'client/compiled-schema.ts': compiledSchema }

const builtPackage = {
  name: 'built package',
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: /\/src\/.+\.js$/ }, ({ path, resolveDir }) => ({
      path: join(resolveDir, path).replace(join(domain, 'src/'), join(domain, 'dist/')),
    }))
    onLoad({ filter: /\.ts$/ }, async ({ path }) => {
      const insert = inserted[relative(tests, path)]
      return insert && { contents: await insert(), loader: 'js', resolveDir: domain }
    })
  },
}

/** Functions that load the files, one by one, and a `run` that runs them all. */
const entryOf = (files, env) => `import { runInRuntime } from ${JSON.stringify(harness)}
export const run = () => runInRuntime({
${files.map((file) => `  ${JSON.stringify(relative(tests, file))}: () => import(${JSON.stringify(file)}),`).join('\n')}
}, ${JSON.stringify(env)})
`

// A test that imports Node is left out in all runtimes, and named.
const needsNode = (file) => /( from|^import) 'node:/m.test(readFileSync(file, 'utf8'))

/** Writes `tests.mjs`, whose `run` runs the tests. Returns the names of the tests that are left out. */
export const bundle = async (outdir, env) => {
  const all = testFiles(tests)
  const leftOut = all.filter(needsNode)
  await joinTests({
    folder: root,
    entry: entryOf(
      all.filter((file) => !leftOut.includes(file)),
      env,
    ),
    outfile: join(outdir, 'tests.mjs'),
    platform: 'neutral',
    format: 'esm',
    target: 'es2022',
    // The files that Node would load, in all runtimes.
    mainFields: ['main'],
    plugins: [builtPackage],
  })
  return leftOut.map((file) => relative(tests, file))
}
