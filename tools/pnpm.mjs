// Runs the pnpm that package.json pins, through npx: `node tools/pnpm.mjs <arguments>`. Nothing is installed globally.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const { packageManager } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))

// Where Node includes its headers, SQLite is compiled with those, and no headers are downloaded.
const prefix = dirname(dirname(process.execPath))
const headers = existsSync(join(prefix, 'include/node/node_version.h')) ? { npm_config_nodedir: prefix } : {}

export const pnpm = (args, options = {}) =>
  spawnSync('npx', ['--yes', packageManager, ...args], {
    cwd: root,
    env: { ...headers, npm_config_jobs: 'max', ...process.env },
    stdio: 'inherit',
    shell: process.platform === 'win32',
    ...options,
  })

if (process.argv[1] === fileURLToPath(import.meta.url)) process.exit(pnpm(process.argv.slice(2)).status ?? 1)
