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
  'packages/app/examples/package.json',
  ...packages.map(({ name }) => `packages/${name}/package.json`),
]

// The libraries of the service, the bundler, and what the examples of README.md need: docs/decisions/libraries-and-tools.md.
const ofService = ['--prod', '--filter=@clientele/app...', '--filter=@clientele/tools', '--filter=@clientele/examples']

const age = (file) => statSync(file).mtimeMs
// Only a complete installation has it. npm removes packages from the root that it did not install.
const forEditors = join(root, 'node_modules/typescript')
const areInstalled = (...paths) =>
  paths.every((path) => existsSync(path)) && manifests.every((name) => age(join(root, name)) <= age(marker))

const run = (args) => {
  console.error('installing (SQLite is compiled from source the first time: about a minute)')
  // An interrupted installation leaves the file of the one before.
  if (existsSync(marker)) utimesSync(marker, 0, 0)
  // pnpm takes an installation that its lock file describes for complete, although npm removed links from it.
  rmSync(join(root, 'node_modules/.pnpm/lock.yaml'), { force: true })
  const log = join(mkdtempSync(join(tmpdir(), 'clientele-install-')), 'install.log')
  const output = openSync(log, 'w')
  // With CI=true, pnpm refuses to replace a folder without confirmation: the option confirms it.
  const { status } = pnpm(['install', '--frozen-lockfile', '--config.confirmModulesPurge=false', ...args], {
    stdio: ['ignore', output, output],
  })
  if (status !== 0) {
    console.error(readFileSync(log, 'utf8'))
    console.error('the installation failed; its log is above')
    process.exit(1)
  }
  // pnpm does not touch its file when it has nothing to do.
  utimesSync(marker, new Date(), new Date())
  // The compiler caches what it found, and does not read libraries again.
  for (const name of ['tests', 'examples'])
    rmSync(join(root, `node_modules/.cache/${name}.tsbuildinfo`), { force: true })
}

/** Installs everything: what the service, its tests and its tools need. */
export const install = () => {
  if (!areInstalled(marker, forEditors)) run([])
}

/** Installs what the service needs; a complete installation stays complete. */
export const installService = () => {
  if (existsSync(forEditors)) install()
  else if (!areInstalled(marker)) run(ofService)
}

// `npm install` runs this file as postinstall script, which installs with pnpm.
if (process.argv[1] === fileURLToPath(import.meta.url) && !process.env.npm_config_user_agent?.startsWith('pnpm'))
  install()
