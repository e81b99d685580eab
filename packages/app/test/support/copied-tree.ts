import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../../..', import.meta.url))

const left = ['node_modules', 'dist', 'bin', '.git']
// The data directory of a service that was started at the root.
const leftAtRoot = ['data']

export type Copy = { readonly folder: string; readonly remove: () => void }

/** A copy of the tree, with the libraries of the original, for planting violations. `remove` deletes it. */
export const copyTree = (): Copy => {
  const folder = mkdtempSync(join(tmpdir(), 'clientele-copy-'))
  const filter = (path: string): boolean => !left.includes(basename(path)) && !basename(path).startsWith('planted-')
  for (const name of readdirSync(root).filter((each) => filter(each) && !leftAtRoot.includes(each)))
    cpSync(join(root, name), join(folder, name), { recursive: true, filter })
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  symlinkSync(join(root, 'tools/node_modules'), join(folder, 'tools/node_modules'))
  for (const name of readdirSync(join(root, 'packages'))) {
    // Links between packages must lead to the copies.
    const libraries = join('packages', name, 'node_modules')
    mkdirSync(join(folder, libraries))
    cpSync(join(root, libraries), join(folder, libraries), {
      recursive: true,
      verbatimSymlinks: true,
      filter: (path) => !['.cache', '.bin'].includes(basename(path)),
    })
  }
  return { folder, remove: () => rmSync(folder, { recursive: true }) }
}
