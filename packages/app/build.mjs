// Makes the service a bundle, bin/clientele.js, with the libraries inside: so it starts in half the time that all its modules
// take one by one. Only the database, which is native code, stays outside.
import { build } from 'esbuild'
import { readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, extname, join, relative, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

const folder = fileURLToPath(new URL('.', import.meta.url))
const packages = join(folder, '..')

// A module of ours finds its package's files by its own place. In the bundle that is told by where the package is installed.
const placeOf = (path, output) => {
  const [name, ...rest] = relative(packages, path).split(sep)
  return name === 'app'
    ? `new URL('${relative(output, path)}', import.meta.url).href`
    : `new URL('../${rest.join('/')}', import.meta.resolve('@clientele/${name}')).href`
}
const ownPlaces = (output) => ({
  name: 'own places',
  setup: ({ onLoad }) =>
    onLoad({ filter: /packages\/[a-z-]+\/(?:dist|src)\/.*\.[jt]s$/ }, ({ path }) => ({
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

// The native module is found from the adapter that depends on it.
const banner = `import { createRequire } from 'node:module'
const require = createRequire(import.meta.resolve('@clientele/adapters-sqlite'))`

/** A program with all that it imports, as scripts in the folder; and the paths of what is inside. */
const bundle = async (entry, file) => {
  const { metafile } = await build({
    entryPoints: [{ in: entry, out: file.slice(dirname(file).length + 1, -extname(file).length) }],
    outdir: dirname(file),
    outExtension: { '.js': extname(file) },
    // What is loaded only when it is wanted is a file of its own.
    splitting: true,
    // What is shorter is read faster, and takes less memory; names stay, for who reads a trace.
    minifyWhitespace: true,
    absWorkingDir: folder,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    banner: { js: banner },
    plugins: [ownPlaces(dirname(file)), native],
    metafile: true,
    logLevel: 'warning',
  })
  return Object.keys(metafile.inputs).map((path) => join(folder, path))
}

// What the licenses ask of whoever passes the libraries on.
const licensesOf = (inputs) => {
  const libraries = inputs.map((path) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0])
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

// Without arguments, the service; or another program, and the script to be made of it.
const [entry, file] = process.argv.slice(2).map((path) => resolve(path))
if (entry !== undefined && file !== undefined) await bundle(entry, file)
else {
  const output = join(folder, 'bin')
  rmSync(output, { recursive: true, force: true })
  const inputs = await bundle(join(folder, 'dist/main.js'), join(output, 'clientele.js'))
  writeFileSync(join(output, 'THIRD-PARTY-NOTICES.txt'), licensesOf(inputs))
}
