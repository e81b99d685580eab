// The common configuration of Stryker; tools/mutation/stryker.mjs adds the mutated files and the tests.
import { fileURLToPath } from 'node:url'

export default {
  testRunner: 'one-process',
  appendPlugins: [fileURLToPath(new URL('runner.mjs', import.meta.url))],
  coverageAnalysis: 'perTest',
  // Mutants that do not compile must count as well.
  disableTypeChecks: true,
  tsconfigFile: 'none.json',
  concurrency: Number(process.env.MUTATION_CONCURRENCY ?? 2),
  timeoutFactor: 3,
  // A process keeps memory of each evaluation, and slows down.
  maxTestRunnerReuse: 100,
  tempDirName: '.stryker-tmp',
  ignorePatterns: ['dist', 'reports'],
  reporters: ['json', 'progress-append-only'],
  jsonReporter: { fileName: 'reports/mutation.json' },
  thresholds: { high: 95, low: 90, break: null },
  allowConsoleColors: false,
}
