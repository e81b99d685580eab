// node tools/site.mjs [FOLDER]: builds the site of docs/ with VitePress, without a network; by default in docs/.vitepress/dist.
import { spawnSync } from 'node:child_process'
import { join, resolve } from 'node:path'
import { install } from './install.mjs'
import { root } from './packages.mjs'

const [, , folder = join(root, 'docs/.vitepress/dist')] = process.argv

install()
const build = [
  join(root, 'tools/node_modules/vitepress/bin/vitepress.js'),
  'build',
  'docs',
  '--outDir',
  resolve(folder),
]
const { status } = spawnSync(process.execPath, build, { cwd: root, stdio: 'inherit' })
process.exitCode = status ?? 1
