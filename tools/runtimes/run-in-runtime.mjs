// Runs inside a runtime: loads the tests, runs them file by file, and prints the results in one line.
import { runSuites } from '../run-suites.mjs'

/** The text before the results in that line. */
export const resultsAfter = 'domain tests: '

const sum = (results, key) => results.reduce((all, result) => all + result[key], 0)

/** `files` are functions that load a file each; `env` is for runtimes without an environment. */
export const runInRuntime = async (files, env) => {
  globalThis.process ??= { env: {} }
  Object.assign(globalThis.process.env, env)
  const results = await runSuites(files)
  const [passed, failed, skipped] = ['passed', 'failed', 'skipped'].map((key) => sum(results, key))
  const silent = results.filter((file) => file.passed + file.failed + file.skipped === 0).map(({ name }) => name)
  const errors = results.flatMap((file) => file.errors)
  console.log(`\n${resultsAfter}${JSON.stringify({ passed, failed, skipped, silent, errors })}`)
}
