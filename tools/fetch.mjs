// Programs that only some checks need: each in exactly one version, from the npm registry into node_modules/.cache/fetched,
// when a check asks for it. They are no development dependencies, because most contributors never run these checks.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './packages.mjs'

const cache = join(root, 'node_modules/.cache/fetched')

/** The folder of the package, whether it is there or not. */
export const folderOf = (name, version) => join(cache, `${name.replace(/[@/]/g, '-')}-${version}`, 'node_modules', name)

const markerOf = (name, version) => join(folderOf(name, version), '.fetched')

export const isFetched = (name, version) => existsSync(markerOf(name, version))

/** Fetches the package unless it is there; tells why it cannot. */
export const fetchPackage = (name, version) => {
  if (isFetched(name, version)) return
  const place = join(cache, `${name.replace(/[@/]/g, '-')}-${version}`)
  console.error(`fetching ${name} ${version}`)
  mkdirSync(place, { recursive: true })
  writeFileSync(join(place, 'package.json'), '{ "private": true }\n')
  const args = ['install', `${name}@${version}`, '--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock']
  const { status, stderr } = spawnSync('npm', args, { cwd: place, encoding: 'utf8', timeout: 300_000 })
  // Written last, so that an interrupted download is repeated.
  if (status === 0) writeFileSync(markerOf(name, version), '')
  else console.error(`it cannot be fetched: ${stderr}`)
}
