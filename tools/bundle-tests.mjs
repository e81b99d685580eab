// Compiles test files, with what they test, to scripts: all of a package at once, because a compiler for each process costs
// more than most tests do.
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'

const tools = createRequire(import.meta.url)
const { build } = await import(createRequire(tools.resolve('tsx')).resolve('esbuild'))

// A source finds its neighbours by its own place, wherever the script is.
const ownPlaces = {
  name: 'own places',
  setup: ({ onLoad }) =>
    onLoad({ filter: /\.ts$/ }, async ({ path }) => {
      const source = await readFile(path, 'utf8')
      const place = JSON.stringify(pathToFileURL(path).href)
      // In quotes it is a name that somebody speaks of.
      return { loader: 'ts', contents: source.replace(/(?<!')import\.meta\.url/g, place) }
    }),
}

// Libraries are loaded as they are, by the path at which whoever imports them finds them.
const libraries = {
  name: 'libraries',
  setup: ({ onResolve, resolve }) =>
    onResolve({ filter: /^[^./]/ }, async ({ path, pluginData, ...from }) => {
      if (pluginData === libraries) return undefined
      const { importer, kind, resolveDir } = from
      const found = await resolve(path, { importer, kind, resolveDir, pluginData: libraries })
      return found.path.includes('/node_modules/') ? { path: found.path, external: true } : found
    }),
}

const compile = (folder, outdir, entryPoints) =>
  build({
    entryPoints,
    outdir,
    outbase: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    sourcemap: true,
    conditions: ['@clientele/source'],
    // The packages say that their files have no side effects, which is not so for tests.
    ignoreAnnotations: true,
    plugins: [ownPlaces, libraries],
    logLevel: 'silent',
  })

const fault = ({ text, location }) => `${location?.file ?? ''}:${location?.line ?? ''} ${text}`

/** The script of each of these files of a folder, or why there is none. */
export const bundleTests = async (folder, files) => {
  const outdir = join(folder, 'node_modules/.cache/tests')
  const scriptOf = (file) => join(outdir, relative(folder, file).replace(/\.ts$/, '.mjs'))
  const bundle = (some) =>
    compile(folder, outdir, some).then(
      () => some.map((file) => [file, { script: scriptOf(file) }]),
      // Because one file that cannot be compiled stops all, each is then compiled alone.
      async ({ errors }) =>
        some.length === 1
          ? [[some[0], { problem: errors.map(fault).join('\n') }]]
          : (await Promise.all(some.map((file) => bundle([file])))).flat(),
    )
  return bundle(files)
}
