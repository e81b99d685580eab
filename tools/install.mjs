// Installs what the lock file says, unless it is installed; quietly, and with the whole log when it fails.
import { existsSync, mkdtempSync, openSync, readFileSync, readdirSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { pnpm } from './pnpm.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const marker = join(root, 'node_modules/.modules.yaml')
const manifests = [
  'package.json',
  'pnpm-lock.yaml',
  'pnpm-workspace.yaml',
  'tools/package.json',
  'bench/package.json',
  ...readdirSync(join(root, 'packages')).map((name) => `packages/${name}/package.json`),
]

const age = (file) => statSync(file).mtimeMs
const isInstalled = () => existsSync(marker) && manifests.every((name) => age(join(root, name)) <= age(marker))

export const install = () => {
  if (isInstalled()) return
  console.error('installing (SQLite is compiled from source the first time: a minute or two)')
  const log = join(mkdtempSync(join(tmpdir(), 'clientele-install-')), 'install.log')
  const output = openSync(log, 'w')
  // Because CI=true makes pnpm refuse to replace a folder without asking, the answer is given beforehand.
  const args = ['install', '--frozen-lockfile', '--config.confirmModulesPurge=false']
  const { status } = pnpm(args, { stdio: ['ignore', output, output] })
  if (status === 0) return
  console.error(readFileSync(log, 'utf8'))
  console.error('the installation failed; its log is above')
  process.exit(1)
}

// `npm install` by habit ends here, as the script postinstall, and installs the right thing.
if (process.argv[1] === fileURLToPath(import.meta.url) && !process.env.npm_config_user_agent?.startsWith('pnpm'))
  install()
