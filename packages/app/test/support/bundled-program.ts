import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'

type Esbuild = { readonly buildSync: (options: Readonly<Record<string, unknown>>) => unknown }

const here = createRequire(import.meta.url)

/** A program of this folder in one file, so that a test which starts it many times does not compile it as often. */
export const bundledProgram = (name: string): string => {
  const esbuild = createRequire(here.resolve('tsx'))('esbuild') as Esbuild
  // Beside the adapter, because its native module is found from there.
  const outfile = fileURLToPath(new URL(`../../../adapters-sqlite/node_modules/.cache/${name}.mjs`, import.meta.url))
  esbuild.buildSync({
    entryPoints: [fileURLToPath(new URL(`${name}.ts`, import.meta.url))],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    conditions: ['@clientele/source'],
    external: ['better-sqlite3'],
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url)" },
  })
  return outfile
}
