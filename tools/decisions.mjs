// The records in docs/decisions, by subject: few and short enough that somebody reads all of them, each in the index once.
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './packages.mjs'

const folder = join(root, 'docs/decisions')
const maxRecords = 40
const maxLines = 60

const read = (name) => readFileSync(join(folder, name), 'utf8')

const faultsOf = (name, index) => {
  const text = read(name)
  const lines = text.trimEnd().split('\n')
  const listed = index.split(`](${name})`).length - 1
  return [
    ...(/^[a-z-]+\.md$/.test(name) ? [] : ['its name is not a subject in small letters, without a number']),
    ...(/^# .+$/.test(lines[0]) ? [] : ['it does not begin with a title']),
    ...(/^## In the code$/m.test(text) ? [] : ['it does not say where the decision is in the code']),
    ...(lines.length > maxLines ? [`it has ${lines.length} lines; at most ${maxLines} are right`] : []),
    ...(listed === 1 ? [] : [`docs/decisions/README.md lists it ${listed} times; once is right`]),
  ].map((fault) => `docs/decisions/${name}: ${fault}`)
}

export const decisionFaults = () => {
  const index = read('README.md')
  const names = readdirSync(folder).filter((name) => name !== 'README.md')
  return [
    ...names.flatMap((name) => faultsOf(name, index)),
    ...(names.length > maxRecords
      ? [`docs/decisions has ${names.length} records; join what has one subject: at most ${maxRecords} are right`]
      : []),
  ]
}
