// npm run mutation [-- part of a path …]: plants small faults in the domain's decisions, one after another, and tells which of
// them no test notices. Run by hand: it takes a while. Without arguments: authorization/ and client/.
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const stryker = '@stryker-mutator/core@9.6.1'
const here = fileURLToPath(new URL('.', import.meta.url))
const domain = fileURLToPath(new URL('../../packages/domain/', import.meta.url))
const reports = join(domain, 'reports')
const wanted = process.argv.slice(2)

const parts = wanted.length === 0 ? ['authorization', 'client'] : wanted
const mutate = [
  ...parts.map((part) => (part.endsWith('.ts') ? `src/${part}` : `src/${part}/**/*.ts`)),
  // A table of texts and references: the document that is made of it is checked elsewhere.
  '!src/client/members/**',
]

mkdirSync(reports, { recursive: true })
const config = join(reports, 'stryker.json')
writeFileSync(
  config,
  JSON.stringify({
    testRunner: 'one-process',
    appendPlugins: [join(here, 'runner.mjs')],
    buildCommand: `node ${join(here, 'bundle-domain-tests.mjs')}`,
    coverageAnalysis: 'perTest',
    mutate,
    // TypeScript is not asked: a mutant that does not compile would count for nothing.
    disableTypeChecks: true,
    tsconfigFile: 'none.json',
    concurrency: Number(process.env.MUTATION_CONCURRENCY ?? 2),
    timeoutMS: 30_000,
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
  env: { ...process.env, PROPERTY_RUNS: process.env.PROPERTY_RUNS ?? '30', PROPERTY_SEED: '1' },
})
if (status !== 0) process.exit(status ?? 1)

const { files } = JSON.parse(readFileSync(join(reports, 'mutation.json'), 'utf8'))
const counted = (mutants, ...states) => mutants.filter(({ status: state }) => states.includes(state)).length
const score = (mutants) => {
  const [dead, alive] = [counted(mutants, 'Killed', 'Timeout'), counted(mutants, 'Survived', 'NoCoverage')]
  return dead + alive === 0 ? 100 : (100 * dead) / (dead + alive)
}
console.log('| file | killed | survived | score |\n|---|---|---|---|')
const row = (name, mutants) =>
  console.log(
    `| ${name} | ${counted(mutants, 'Killed', 'Timeout')} | ${counted(mutants, 'Survived', 'NoCoverage')} | ${score(mutants).toFixed(1)} % |`,
  )
for (const [name, { mutants }] of Object.entries(files)) row(name, mutants)
const all = Object.values(files).flatMap(({ mutants }) => mutants)
row('**all**', all)

for (const [name, { mutants, source }] of Object.entries(files))
  for (const { status: state, location, replacement, mutatorName } of mutants)
    if (state === 'Survived' || state === 'NoCoverage') {
      const line = source.split('\n')[location.start.line - 1]?.trim()
      console.log(`${name}:${location.start.line} ${mutatorName}: ${line}  →  ${replacement?.split('\n')[0]}`)
    }
process.exitCode = score(all) < 90 ? 1 : 0
