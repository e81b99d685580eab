// What documents name exists: relative links, back-ticked paths, the index of decisions. `--write` makes the index anew.
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const read = (path) => readFileSync(join(root, path), 'utf8')
const markdownIn = (folder) =>
  readdirSync(join(root, folder), { recursive: true })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(folder, name))
const documents = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', ...markdownIn('docs')]

const links = (text) => [...text.matchAll(/\]\(([^)#\s]+)[^)]*\)/g)].map(([, target]) => target)
const paths = (text) =>
  [...text.matchAll(/`((?:packages|tools|docs|bench|\.ci)\/[\w./-]+|\.dependency-cruiser\.cjs)`/g)].map(
    ([, path]) => path,
  )

const deadLinks = documents.flatMap((file) =>
  links(read(file))
    .filter((target) => !/^[a-z]+:/.test(target))
    .filter((target) => !existsSync(join(root, normalize(join(dirname(file), target)))))
    .map((target) => `${file}: the link to ${target} leads nowhere`),
)
const deadPaths = documents.flatMap((file) =>
  paths(read(file))
    .filter((path) => !existsSync(join(root, path)))
    .map((path) => `${file}: ${path} does not exist`),
)

const emptyLinks = documents.flatMap((file) =>
  [...read(file).matchAll(/\[\s*\]\([^)]*\)|\]\(\s*#?\s*\)/g)].map(([link]) => `${file}: the link ${link} is empty`),
)

const indexFile = 'docs/decisions/README.md'
const title = (name) => /^# (.+)$/m.exec(read(join('docs/decisions', name)))?.[1] ?? name
const records = readdirSync(join(root, 'docs/decisions'))
  .filter((name) => /^\d{4}-.+\.md$/.test(name))
  .sort()
const index = ['# Decisions', '', ...records.map((name) => `- [${name.slice(0, 4)} ${title(name)}](${name})`), ''].join(
  '\n',
)
if (process.argv.includes('--write')) writeFileSync(join(root, indexFile), index)
const stale =
  existsSync(join(root, indexFile)) && read(indexFile) === index
    ? []
    : [`${indexFile} is stale: node tools/check-docs.mjs --write`]
const numbers = records.map((name) => name.slice(0, 4))
const twice = numbers
  .filter((number, place) => numbers.indexOf(number) !== place)
  .map((number) => `two decisions are numbered ${number}`)

const faults = [...deadLinks, ...deadPaths, ...emptyLinks, ...stale, ...twice]
for (const fault of faults) console.log(fault)
process.exit(faults.length === 0 ? 0 : 1)
