import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

/** A program of this folder, bundled into one file, so that a test which starts it often compiles it once. */
export const bundledProgram = (name: string): string => {
  const file = at(`../../node_modules/.cache/${name}.mjs`)
  const { status, stderr } = spawnSync(process.execPath, [at('../../build.mjs'), at(`${name}.ts`), file], {
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(stderr)
  return file
}
