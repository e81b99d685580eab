// Regenerates the documents that are made from the sources: each file packages/*/**/write-…-document.ts or
// -documents.ts writes its own.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { packages } from './packages.mjs'

const writersOf = (folder) =>
  ['src', 'test']
    .filter((part) => existsSync(join(folder, part)))
    .flatMap((part) => readdirSync(join(folder, part), { recursive: true }).map((name) => join(part, name)))
    .filter((name) => /^write-.+-documents?\.ts$/.test(basename(name)))

export const writeDocuments = () => {
  for (const { folder } of packages)
    for (const writer of writersOf(folder)) {
      const args = ['--import', 'tsx', '--conditions=@clientele/source', writer]
      const { status } = spawnSync(process.execPath, args, { cwd: folder, stdio: 'inherit' })
      if (status !== 0) process.exit(status ?? 1)
    }
}
