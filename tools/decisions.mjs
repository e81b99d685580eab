// The records in docs/decisions, and their index. A record begins with its title, its status and its date.
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
      const [, title = name, status] =
        /^# (.+)\n\nStatus: (Accepted|Superseded by \[\d{4}\]\(\d{4}-[\w-]+\.md\))\. Date: \d{4}-\d\d-\d\d\.\n\n/.exec(
          text,
        ) ?? []
      return { name, number: name.slice(0, 4), title, status }
    })

const entry = ({ name, number, title, status = 'Accepted' }) =>
  `- [${number} ${title}](${name})${status === 'Accepted' ? '' : `: ${status}`}`

const index = () => `# Decisions\n\n${records().map(entry).join('\n')}\n`

export const writeDecisionIndex = () => writeFileSync(indexFile, index())

export const decisionFaults = () => {
  const all = records()
  const numbers = all.map(({ number }) => number)
  const isStale = !existsSync(indexFile) || readFileSync(indexFile, 'utf8') !== index()
  return [
    ...(isStale ? ['docs/decisions/README.md is stale: npm run generate'] : []),
    ...all
      .filter(({ status }) => status === undefined)
      .map(({ name }) => `docs/decisions/${name}: below its title stands no "Status: Accepted. Date: YYYY-MM-DD."`),
    ...numbers
      .filter((number, place) => numbers.indexOf(number) !== place)
      .map((number) => `two decisions are numbered ${number}`),
  ]
}
