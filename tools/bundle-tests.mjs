// Compiles test files with their sources to scripts, all of a package at once, because a compiler in each process takes
// longer than most tests.
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'

const tools = createRequire(import.meta.url)
const { build } = await import(createRequire(tools.resolve('tsx')).resolve('esbuild'))

// import.meta.url stays the path of the source, wherever the script is.
const ownPlaces = {
  name: 'own places',
  setup: ({ onLoad }) =>
    onLoad({ filter: /\.(?:ts|mjs)$/ }, async ({ path }) => {
      const source = await readFile(path, 'utf8')
      const place = JSON.stringify(pathToFileURL(path).href)
      // Not within quotes, where it is only mentioned.
      return { loader: path.endsWith('.ts') ? 'ts' : 'js', contents: source.replace(/(?<!')import\.meta\.url/g, place) }
    }),
}

// Libraries are not bundled, and are loaded by the path at which their importer finds them.
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
    // The packages declare their files free of side effects, which is wrong for tests.
    ignoreAnnotations: true,
    plugins: [ownPlaces, libraries],
    logLevel: 'silent',
  })

const fault = ({ text, location }) => `${location?.file ?? ''}:${location?.line ?? ''} ${text}`

/** The script of each of these files of a folder, or its fault. */
export const bundleTests = async (folder, files) => {
  const outdir = join(folder, 'node_modules/.cache/tests')
  const scriptOf = (file) => join(outdir, relative(folder, file).replace(/\.ts$/, '.mjs'))
  const bundle = (some) =>
    compile(folder, outdir, some).then(
      () => some.map((file) => [file, { script: scriptOf(file) }]),
      // One file that does not compile fails the whole bundle, so that each file is then compiled alone.
      async ({ errors }) =>
        some.length === 1
          ? [[some[0], { problem: errors.map(fault).join('\n') }]]
          : (await Promise.all(some.map((file) => bundle([file])))).flat(),
    )
  return bundle(files)
}
