// The records in docs/decisions, and their index.
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './packages.mjs'

const folder = join(root, 'docs/decisions')
const indexFile = join(folder, 'README.md')

const records = () =>
  readdirSync(folder)
    .filter((name) => /^\d{4}-.+\.md$/.test(name))
    .sort()
    .map((name) => {
      const text = readFileSync(join(folder, name), 'utf8')
      return { name, number: name.slice(0, 4), title: /^# (.+)$/m.exec(text)?.[1] ?? name }
    })

const index = () =>
  ['# Decisions', '', ...records().map(({ name, number, title }) => `- [${number} ${title}](${name})`), ''].join('\n')

export const writeDecisionIndex = () => writeFileSync(indexFile, index())

export const decisionFaults = () => {
  const numbers = records().map(({ number }) => number)
  const isStale = !existsSync(indexFile) || readFileSync(indexFile, 'utf8') !== index()
  return [
    ...(isStale ? ['docs/decisions/README.md is stale: npm run docs -- --write'] : []),
    ...numbers
      .filter((number, place) => numbers.indexOf(number) !== place)
      .map((number) => `two decisions are numbered ${number}`),
  ]
}
