// What every run of Stryker has in common; which files are mutated, and what tries them, tools/mutation/stryker.mjs adds.
import { fileURLToPath } from 'node:url'

export default {
  testRunner: 'one-process',
  appendPlugins: [fileURLToPath(new URL('runner.mjs', import.meta.url))],
  coverageAnalysis: 'perTest',
  // TypeScript is not asked: a mutant that does not compile would count for nothing.
  disableTypeChecks: true,
  tsconfigFile: 'none.json',
  concurrency: Number(process.env.MUTATION_CONCURRENCY ?? 2),
  timeoutFactor: 3,
  tempDirName: '.stryker-tmp',
  ignorePatterns: ['dist', 'reports'],
  reporters: ['json', 'progress-append-only'],
  jsonReporter: { fileName: 'reports/mutation.json' },
  thresholds: { high: 95, low: 90, break: null },
  allowConsoleColors: false,
}
