import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'

type Esbuild = { readonly buildSync: (options: Readonly<Record<string, unknown>>) => unknown }

const here = createRequire(import.meta.url)

type Options = Readonly<Record<string, unknown>>

const bundled = (name: string, folder: string, options: Options): string => {
  const esbuild = createRequire(here.resolve('tsx'))('esbuild') as Esbuild
  const outfile = fileURLToPath(new URL(`${folder}/node_modules/.cache/${name}.mjs`, import.meta.url))
  esbuild.buildSync({
    entryPoints: [fileURLToPath(new URL(`${name}.ts`, import.meta.url))],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    ...options,
  })
  return outfile
}

/** A program of this folder in one file, so that a test which starts it many times does not compile it as often. */
export const bundledProgram = (name: string): string =>
  // Beside the adapter, because its native module is found from there.
  bundled(name, '../../../adapters-sqlite', {
    conditions: ['@clientele/source'],
    external: ['better-sqlite3'],
    banner: { js: `import { createRequire } from 'node:module'; const require = createRequire(import.meta.url)` },
  })

/** The same, over the other packages as they are built. */
export const programOnBuilt = (name: string): string => bundled(name, '../..', { packages: 'external' })
