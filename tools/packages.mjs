// The packages: every folder of packages/ that has a package.json.
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('..', import.meta.url))

const folder = join(root, 'packages')

export const packages = readdirSync(folder)
  .map((name) => ({ name, folder: join(folder, name), file: join(folder, name, 'package.json') }))
  .filter(({ file }) => existsSync(file))
  .map(({ name, folder, file }) => ({ name, folder, manifest: JSON.parse(readFileSync(file, 'utf8')) }))
