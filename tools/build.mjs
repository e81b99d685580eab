// Compiles the packages, unless what is compiled is newer than every source.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { install } from './install.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const packages = ['domain', 'adapters-http', 'adapters-sqlite', 'app'].map((name) => join(root, 'packages', name))

const newest = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((latest, entry) => Math.max(latest, statSync(join(entry.parentPath ?? entry.path, entry.name)).mtimeMs), 0)

const isBuilt = (folder) => {
  const built = join(folder, 'dist/.tsbuildinfo')
  return (
    existsSync(built) &&
    existsSync(join(folder, 'dist/index.js')) &&
    statSync(built).mtimeMs >= newest(join(folder, 'src'))
  )
}

export const build = () => {
  install()
  if (packages.every(isBuilt)) return
  console.error('building')
  const tsc = join(root, 'tools/node_modules/typescript/bin/tsc')
  const { status } = spawnSync(process.execPath, [tsc, '--build', root], { stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) build()
