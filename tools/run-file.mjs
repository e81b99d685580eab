// Runs test files, one after the other, in a process that tools/run-tests.mjs starts, and sends it the result of each.
import { pathToFileURL } from 'node:url'
import { runSuites } from './run-suites.mjs'

const files = Object.fromEntries(process.argv.slice(2).map((file) => [file, () => import(pathToFileURL(file).href)]))
const send = (message) => new Promise((resolve) => process.send(message, resolve))
const results = await runSuites(files, send)
// After a failure the process does not wait for what the failed test left running.
if (results.some(({ failed, errors }) => failed > 0 || errors.length > 0)) process.exit(1)
// Otherwise it ends when all that its tests started has ended.
process.disconnect()
