// Runs the domain's tests in one process, in the folder where it is started, and ends at the first suite that fails: as
// many times as there are mutants, so that every second counts.
import { createRequire } from 'node:module'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const folder = process.cwd()
const require = createRequire(join(folder, 'package.json'))
const load = (path) => import(pathToFileURL(path).href)

globalThis.UVU_DEFER = 1
globalThis.UVU_QUEUE = []
const { exec } = await load(join(folder, 'node_modules/uvu/dist/index.mjs'))
const fc = require('fast-check')
// A mutant is dead at the first counterexample; nobody reads the smallest.
fc.configureGlobal({ endOnFailure: true })

// The documents compare with files outside the package, and the histories of key rings are long.
const files = ['authorization', 'client', 'policy', 'use-cases', 'codec'].flatMap((name) =>
  readdirSync(join(folder, 'test', name))
    .filter((file) => file.endsWith('.test.ts'))
    .map((file) => join('test', name, file)),
)
for (const [index, file] of files.entries()) {
  globalThis.UVU_QUEUE.push([file])
  globalThis.UVU_INDEX = index
  await load(join(folder, file))
}
await exec(true)
