// Runs one test file in a process that tools/run-tests.mjs starts, and sends it the results.
import { pathToFileURL } from 'node:url'
import { runSuites } from './run-suites.mjs'

const [, , file] = process.argv
const [result] = await runSuites({ [file]: () => import(pathToFileURL(file).href) })
for (const error of result.errors) console.log(error)
if (result.failed > 0 || result.errors.length > 0) process.exitCode = 1
process.send(result)
// The process ends when all that its tests started has ended.
process.disconnect()
