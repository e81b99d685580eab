// Plants small faults in the domain's decisions, one after another, and tries the domain's tests on each.
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const stryker = '@stryker-mutator/core@9.6.1'
const here = fileURLToPath(new URL('.', import.meta.url))
const domain = fileURLToPath(new URL('../../packages/domain/', import.meta.url))
const reports = join(domain, 'reports')

/**
 * The report of Stryker on these files: each mutant, and what became of it. `tests` is a part of the path of those that are
 * tried; with `everyKiller` a mutant is tried on all that reach it, not only until one kills it.
 */
export const tryMutants = ({ mutate, tests = '', everyKiller = false, runs }) => {
  mkdirSync(reports, { recursive: true })
  const config = join(reports, 'stryker.json')
  writeFileSync(
    config,
    JSON.stringify({
      testRunner: 'one-process',
      appendPlugins: [join(here, 'runner.mjs')],
      buildCommand: `node ${join(here, 'bundle-domain-tests.mjs')} ${tests}`,
      coverageAnalysis: 'perTest',
      disableBail: everyKiller,
      mutate,
      // TypeScript is not asked: a mutant that does not compile would count for nothing.
      disableTypeChecks: true,
      tsconfigFile: 'none.json',
      concurrency: Number(process.env.MUTATION_CONCURRENCY ?? 2),
      timeoutMS: everyKiller ? 300_000 : 30_000,
      timeoutFactor: 3,
      tempDirName: '.stryker-tmp',
      ignorePatterns: ['dist', 'reports'],
      reporters: ['json', 'progress-append-only'],
      jsonReporter: { fileName: 'reports/mutation.json' },
      thresholds: { high: 95, low: 90, break: null },
      allowConsoleColors: false,
    }),
  )
  const { status } = spawnSync('npx', ['--yes', '-p', stryker, 'stryker', 'run', config], {
    cwd: domain,
    stdio: 'inherit',
    env: { ...process.env, PROPERTY_RUNS: process.env.PROPERTY_RUNS ?? String(runs), PROPERTY_SEED: '1' },
  })
  if (status !== 0) process.exit(status ?? 1)
  return JSON.parse(readFileSync(join(reports, 'mutation.json'), 'utf8'))
}

/** What a mutant changes: the text of the place as it was, and what stands there instead. */
export const changeOf = (source, { location: { start, end }, replacement = '' }) => {
  const lines = source.split('\n').slice(start.line - 1, end.line)
  const last = lines.length - 1
  lines[last] = lines[last].slice(0, end.column - 1)
  lines[0] = lines[0].slice(start.column - 1)
  return [lines.join(' '), replacement].map((text) => text.replace(/\s+/g, ' ').trim())
}
