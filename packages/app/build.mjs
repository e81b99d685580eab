// Bundles the service with its libraries into bin/clientele.js, which starts in half the time of separate modules. Only
// the database, which is native code, stays outside.
import { readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, extname, join, relative, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from '../../tools/esbuild.mjs'

const folder = fileURLToPath(new URL('.', import.meta.url))
const packages = join(folder, '..')

// A module finds files of its package by its own place; in the bundle, by the installed location of the package.
const placeOf = (path, output) => {
  const [name, ...rest] = relative(packages, path).split(sep)
  return name === 'app'
    ? `new URL('${relative(output, path).replaceAll(sep, '/')}', import.meta.url).href`
    : `new URL('../${rest.join('/')}', import.meta.resolve('@clientele/${name}')).href`
}
const ownPlaces = (output) => ({
  name: 'own places',
  setup: ({ onLoad }) =>
    onLoad({ filter: /packages[\\/][a-z-]+[\\/](?:dist|src)[\\/].*\.[jt]s$/ }, ({ path }) => ({
      loader: extname(path).slice(1),
      contents: readFileSync(path, 'utf8').replaceAll('import.meta.url', () => placeOf(path, output)),
    })),
})

const native = {
  name: 'native',
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: /^better-sqlite3$/ }, ({ namespace, path }) =>
      namespace === 'native' ? { path, external: true } : { path, namespace: 'native' },
    )
    onLoad({ filter: /.*/, namespace: 'native' }, ({ path }) => ({ contents: `module.exports = require('${path}')` }))
  },
}

// The CommonJS modules of these libraries would be loaded whole, and each copied for each importer.
const ecmascriptModules = {
  name: 'ECMAScript modules',
  setup: ({ onResolve, resolve: find }) => {
    const options = ({ resolveDir, kind }) => ({ resolveDir, kind })
    onResolve({ filter: /^fp-ts\/lib\// }, ({ path, ...from }) => find(path.replace('/lib/', '/es6/'), options(from)))
    onResolve({ filter: /^io-ts$/ }, ({ path, ...from }) => find(`${path}/es6/index.js`, options(from)))
  },
}

// A type that answers name by its extension, or whose texts have a character set of their own.
const isAnswered = ({ charset, extensions = [] }) =>
  charset !== undefined || ['html', 'text', 'json', 'bin'].some((name) => extensions.includes(name))

// Tables of media types and of encodings, a third of the text: bodies are read as bytes, whose encoding Node has.
const smallTables = {
  name: 'small tables',
  setup: ({ onLoad }) => {
    onLoad({ filter: /mime-db[\\/]db\.json$/ }, ({ path }) => {
      const types = Object.entries(JSON.parse(readFileSync(path, 'utf8')))
      const contents = JSON.stringify(Object.fromEntries(types.filter(([, type]) => isAnswered(type))))
      return { loader: 'json', contents }
    })
    onLoad({ filter: /iconv-lite[\\/]encodings[\\/]index\.js$/ }, () => ({
      contents: `module.exports = require('./internal')`,
    }))
  },
}

// The native module is found from the adapter that depends on it.
const banner = `import { createRequire } from 'node:module'
const require = createRequire(import.meta.resolve('@clientele/adapters-sqlite'))`

/** Bundles a program with its imports into scripts in the folder; returns the paths of the sources. */
const bundle = async (entry, file) => {
  const { metafile } = await build({
    entryPoints: [{ in: entry, out: file.slice(dirname(file).length + 1, -extname(file).length) }],
    outdir: dirname(file),
    outExtension: { '.js': extname(file) },
    // Dynamic imports get files of their own.
    splitting: true,
    // Shorter text loads faster and takes less memory; names stay for stack traces. Shorter syntax breaks sign-in.
    minifyWhitespace: true,
    absWorkingDir: folder,
    bundle: true,
    platform: 'node',
    conditions: ['@clientele/source'],
    format: 'esm',
    target: 'node20',
    banner: { js: banner },
    plugins: [ownPlaces(dirname(file)), native, ecmascriptModules, smallTables],
    metafile: true,
    logLevel: 'warning',
  })
  return Object.keys(metafile.inputs).map((path) => join(folder, path))
}

// The notices that licenses require from distributors of the libraries.
const licensesOf = (inputs) => {
  const libraries = inputs.map((path) => /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/.exec(path)?.[0])
  return [...new Set(libraries)]
    .filter((library) => library !== undefined)
    .sort()
    .map((library) => {
      const { name, version, license } = JSON.parse(readFileSync(join(library, 'package.json'), 'utf8'))
      const file = readdirSync(library).find((each) => /^licen[cs]e/i.test(each))
      return `${name} ${version} (${license})\n\n${file === undefined ? '' : readFileSync(join(library, file), 'utf8')}`
    })
    .join(`\n${'-'.repeat(80)}\n\n`)
}

// Without arguments, the service; or another program, and its output file.
const [entry, file] = process.argv.slice(2).map((path) => resolve(path))
if (entry !== undefined && file !== undefined) await bundle(entry, file)
else {
  const output = join(folder, 'bin')
  rmSync(output, { recursive: true, force: true })
  const inputs = await bundle(join(folder, 'src/main.ts'), join(output, 'clientele.js'))
  writeFileSync(join(output, 'THIRD-PARTY-NOTICES.txt'), licensesOf(inputs))
}
