// node tools/runtimes/run.mjs [NAME …]: runs the domain's test suite on the built package in every available runtime; one
// that is missing counts as skipped.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from '../build.mjs'
import { binaryOf, fetchRuntimes, runtimes, versionOf } from './binaries.mjs'
import { bundle } from './bundle.mjs'
import { runIn } from './hosts.mjs'

const limit = Number(process.env.TEST_LIMIT ?? 300) * 1000
const named = process.argv.slice(2)
const unknown = named.filter((name) => !runtimes.includes(name))
if (unknown.length > 0) {
  console.error(`no such runtime: ${unknown.join(', ')}. There are: ${runtimes.join(', ')}`)
  process.exit(1)
}

const report = ({ name, version, passed, skipped, fault, why, seconds }) => {
  const result = fault ?? `${passed} passed, ${skipped} left out`
  console.log(`${fault === undefined ? 'ok    ' : 'FAILED'}  ${name} ${version}  ${result}  ${seconds.toFixed(1)} s`)
  if (fault !== undefined) console.log(why.replace(/^/gm, '    '))
}

const tryIn = async (folder, name) => {
  const binary = binaryOf(name)
  if (binary === undefined) {
    console.log(`        ${name} is not available here`)
    return { name, missing: true }
  }
  const began = performance.now()
  const tried = { name, version: versionOf(binary), ...(await runIn(name, binary, folder, limit)) }
  report({ ...tried, seconds: (performance.now() - began) / 1000 })
  return tried
}

const row = ({ name, version, passed, skipped, fault, missing }) =>
  missing
    ? `| ${name} | not available here | | |`
    : `| ${name} | ${version} | ${fault ?? passed} | ${fault === undefined ? skipped : ''} |`
const tableOf = (tried) =>
  ['| runtime | version | tests passed | left out |', '|---|---|---|---|', ...tried.map(row)].join('\n')

const tryAll = async (folder, names) => {
  const tried = []
  const waiting = [...names]
  const work = async () => {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) tried.push(await tryIn(folder, name))
  }
  await Promise.all([work(), work()])
  return names.map((name) => tried.find((each) => each.name === name))
}

const names = named.length === 0 ? runtimes : named
build()
fetchRuntimes(names)
const folder = mkdtempSync(join(tmpdir(), 'clientele-runtimes-'))
const leftOut = await bundle(folder, { PROPERTY_RUNS: process.env.PROPERTY_RUNS ?? '25', NO_COLOR: '1' })
const tried = await tryAll(folder, names)
rmSync(folder, { recursive: true })
const result = [tableOf(tried), leftOut.length === 0 ? '' : `\nIn none of them: ${leftOut.join(', ')}`].join('\n')
console.log(`\n${result}`)
const missing = tried.filter((each) => each.missing).length
const failed = tried.some(({ fault }) => fault !== undefined)
const sum = (key) => tried.reduce((all, each) => all + (each[key] ?? 0), 0)
const failures = Math.max(sum('failed'), tried.filter(({ fault }) => fault !== undefined).length)
console.log(`\n${sum('passed')} passed, ${failures} failed, ${sum('skipped') + missing} skipped`)
process.exit(failed ? 1 : 0)
