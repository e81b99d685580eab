import { createRequire } from 'node:module'
import { parse } from 'node:path'
import { fileURLToPath } from 'node:url'

type Esbuild = { readonly buildSync: (options: Readonly<Record<string, unknown>>) => unknown }

const here = createRequire(import.meta.url)

type Options = Readonly<Record<string, unknown>>

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

const bundled = (entry: string, folder: string, options: Options): string => {
  const esbuild = createRequire(here.resolve('tsx'))('esbuild') as Esbuild
  const outfile = at(`${folder}/node_modules/.cache/${parse(entry).name}.mjs`)
  esbuild.buildSync({
    entryPoints: [at(entry)],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    ...options,
  })
  return outfile
}

// With all libraries but the native one, beside the adapter, because that is found from there.
const whole = (entry: string, options: Options): string =>
  bundled(entry, '../../../adapters-sqlite', {
    external: ['better-sqlite3'],
    banner: { js: `import { createRequire } from 'node:module'; const require = createRequire('${import.meta.url}')` },
    ...options,
  })

/** A program of this folder in one file, so that a test which starts it many times does not compile it as often. */
export const bundledProgram = (name: string): string => whole(`${name}.ts`, { conditions: ['@clientele/source'] })

/** The built service in one file: the same program, which starts in half the time. */
export const serviceInOneFile = (): string =>
  // The files that it reads of its packages lie where they do from this one.
  whole('../../dist/main.js', {
    define: {
      'import.meta.url': JSON.stringify(new URL('../../../adapters-http/dist/logout/theme.js', import.meta.url)),
    },
  })

/** A program of this folder over the packages as they are built. */
export const programOnBuilt = (name: string): string => bundled(`${name}.ts`, '../..', { packages: 'external' })
