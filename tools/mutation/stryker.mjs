// Plants small faults in the domain's decisions, one after another, and runs the domain's tests on each.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { fetchPackage, folderOf } from '../fetch.mjs'

const [name, version] = ['@stryker-mutator/core', '9.6.1']
const stryker = join(folderOf(name, version), 'bin/stryker.js')
const here = fileURLToPath(new URL('.', import.meta.url))
const domain = fileURLToPath(new URL('../../packages/domain/', import.meta.url))

/**
 * The report of Stryker on these files: each mutant and its status. `tests` is a part of the path of the tests; with
 * `everyKiller`, all tests that reach a mutant run, not only until one kills it.
 */
export const tryMutants = ({ mutate, tests = '', everyKiller = false, runs }) => {
  fetchPackage(name, version)
  const options = {
    mutate: mutate.join(','),
    buildCommand: `node ${join(here, 'bundle-domain-tests.mjs')} ${tests}`,
    timeoutMS: everyKiller ? '300000' : '30000',
  }
  const args = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value])
  const { status } = spawnSync(
    process.execPath,
    [stryker, 'run', join(here, 'stryker.config.mjs'), ...args, ...(everyKiller ? ['--disableBail'] : [])],
    {
      cwd: domain,
      stdio: 'inherit',
      env: { ...process.env, PROPERTY_RUNS: process.env.PROPERTY_RUNS ?? String(runs), PROPERTY_SEED: '1' },
    },
  )
  if (status !== 0) process.exit(status ?? 1)
  return JSON.parse(readFileSync(join(domain, 'reports/mutation.json'), 'utf8'))
}

/** The change of a mutant: the original text of the place, and its replacement. */
export const changeOf = (source, { location: { start, end }, replacement = '' }) => {
  const lines = source.split('\n').slice(start.line - 1, end.line)
  const last = lines.length - 1
  lines[last] = lines[last].slice(0, end.column - 1)
  lines[0] = lines[0].slice(start.column - 1)
  return [lines.join(' '), replacement].map((text) => text.replace(/\s+/g, ' ').trim())
}
