// Programs that only some checks need: each in exactly one version, from the npm registry into node_modules/.cache/fetched,
// when a check asks for it. They are no development dependencies, because most contributors never run these checks.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './packages.mjs'

const cache = join(root, 'node_modules/.cache/fetched')

const placeOf = (name, version) => join(cache, `${name.replace(/[@/]/g, '-')}-${version}`)

/** The folder of the package, whether it is there or not. */
export const folderOf = (name, version) => join(placeOf(name, version), 'node_modules', name)

export const isFetched = (name, version) => existsSync(folderOf(name, version))

// Another test may fetch the same package now, and be the first.
const moveWhole = (place, wanted) => {
  try {
    renameSync(place, wanted)
  } catch (error) {
    if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error
  }
}

/** Fetches the package unless it is there; tells why it cannot. */
export const fetchPackage = (name, version) => {
  if (isFetched(name, version)) return
  console.error(`fetching ${name} ${version}`)
  mkdirSync(cache, { recursive: true })
  const place = mkdtempSync(join(cache, '.fetching-'))
  writeFileSync(join(place, 'package.json'), '{ "private": true }\n')
  const args = ['install', `${name}@${version}`, '--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock']
  const { status, stderr } = spawnSync('npm', args, { cwd: place, encoding: 'utf8', timeout: 300_000 })
  if (status === 0) moveWhole(place, placeOf(name, version))
  else console.error(`it cannot be fetched: ${stderr}`)
  rmSync(place, { recursive: true, force: true })
}
