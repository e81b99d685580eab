// Runs one test file in a process that tools/run-tests.mjs starts, and sends it the results.
import { pathToFileURL } from 'node:url'
import { runSuites } from './run-suites.mjs'

const [, , file] = process.argv
const [result] = await runSuites({ [file]: () => import(pathToFileURL(file).href) })
for (const error of result.errors) console.log(error)
const failed = result.failed > 0 || result.errors.length > 0
// After a failure the process does not wait for what the failed test left running.
process.send(result, () => (failed ? process.exit(1) : process.disconnect()))
// Otherwise it ends when all that its tests started has ended.
