// Installs the packages of the lock file, unless they are installed; prints the log only when it fails.
import { existsSync, mkdtempSync, openSync, readFileSync, rmSync, statSync, utimesSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { packages, root } from './packages.mjs'
import { pnpm } from './pnpm.mjs'

const marker = join(root, 'node_modules/.modules.yaml')
const manifests = [
  'package.json',
  'pnpm-lock.yaml',
  'pnpm-workspace.yaml',
  'tools/package.json',
  'bench/package.json',
  ...packages.map(({ name }) => `packages/${name}/package.json`),
]

const age = (file) => statSync(file).mtimeMs
// npm removes packages from the root that it did not install.
const forEditors = join(root, 'node_modules/typescript')
const isInstalled = () =>
  [marker, forEditors].every((path) => existsSync(path)) &&
  manifests.every((name) => age(join(root, name)) <= age(marker))

export const install = () => {
  if (isInstalled()) return
  console.error('installing (SQLite is compiled from source the first time: a minute or two)')
  const log = join(mkdtempSync(join(tmpdir(), 'clientele-install-')), 'install.log')
  const output = openSync(log, 'w')
  // With CI=true, pnpm refuses to replace a folder without confirmation: the option confirms it.
  const args = ['install', '--frozen-lockfile', '--config.confirmModulesPurge=false']
  const { status } = pnpm(args, { stdio: ['ignore', output, output] })
  if (status !== 0) {
    console.error(readFileSync(log, 'utf8'))
    console.error('the installation failed; its log is above')
    process.exit(1)
  }
  // pnpm does not touch its file when it has nothing to do.
  utimesSync(marker, new Date(), new Date())
  // The compiler caches what it found, and does not read libraries again.
  rmSync(join(root, 'node_modules/.cache/tests.tsbuildinfo'), { force: true })
}

// `npm install` runs this file as postinstall script, which installs with pnpm.
if (process.argv[1] === fileURLToPath(import.meta.url) && !process.env.npm_config_user_agent?.startsWith('pnpm'))
  install()
