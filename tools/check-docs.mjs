// Checks that documents name existing things: links with anchors, paths in backticks, npm scripts; and
// that the index of decisions is current. With --write it regenerates all generated documents.
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { decisionFaults, writeDecisionIndex } from './decisions.mjs'
import { packages, root } from './packages.mjs'
import { testFiles } from './run-tests.mjs'
import { writeDocuments } from './write-documents.mjs'

const read = (path) => readFileSync(join(root, path), 'utf8')
const markdownIn = (folder) =>
  readdirSync(join(root, folder), { recursive: true })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(folder, name))

if (process.argv.includes('--write')) {
  writeDecisionIndex()
  writeDocuments()
}

// A word selects test files by their paths.
const selectsNothing = (word) => !testFiles().some((file) => file.includes(word))

const { scripts } = JSON.parse(read('package.json'))
const documents = [
  ...['README.md', 'CONTRIBUTING.md', 'SECURITY.md'],
  ...markdownIn('docs'),
  ...packages.map(({ name }) => `packages/${name}/README.md`).filter((file) => existsSync(join(root, file))),
].map((file) => ({ file, text: read(file) }))

/** The matches of a pattern's first group in all documents that fail a test, each as a fault. */
const faultsOf = (pattern, isFault, fault) =>
  documents.flatMap(({ file, text }) =>
    [...text.matchAll(pattern)]
      .filter(([, found]) => isFault(found, file))
      .map(([, found]) => `${file}: ${fault(found)}`),
  )

// The anchor that GitHub makes of a heading.
const slug = (heading) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-')
const anchorsOf = (text) => [
  ...[...text.matchAll(/^#+ (.+)$/gm)].map(([, heading]) => slug(heading)),
  ...[...text.matchAll(/<a id="([^"]+)">/g)].map(([, id]) => id),
]

const isDeadLink = (target, file) => {
  if (/^[a-z]+:/.test(target)) return false
  const [path, anchor] = target.split('#')
  const place = path === '' ? file : normalize(join(dirname(file), path))
  if (!existsSync(join(root, place))) return true
  return anchor !== undefined && place.endsWith('.md') && !anchorsOf(read(place)).includes(anchor)
}

const paths =
  /`((?:packages|tools|docs|deploy|bench|\.ci|\.changeset|\.vscode)\/[\w./-]+|(?:\.dependency-cruiser\.cjs|eslint\.config\.js|pnpm-workspace\.yaml))`/g

const contents = read('docs/README.md')
const unlisted = documents
  .map(({ file }) => file)
  .filter((file) => /^docs\/[^/]+\.md$/.test(file) && file !== 'docs/README.md')
  .filter((file) => !contents.includes(`](${file.slice('docs/'.length)})`))
  .map((file) => `docs/README.md does not list ${file}`)

const faults = [
  ...unlisted,
  ...faultsOf(/\]\(([^)\s]+)[^)]*\)/g, isDeadLink, (target) => `the link to ${target} leads nowhere`),
  ...faultsOf(
    /(\[\s*\]\([^)]*\)|\]\(\s*#?\s*\))/g,
    () => true,
    (link) => `the link ${link} is empty`,
  ),
  ...faultsOf(
    paths,
    (path) => !existsSync(join(root, path)),
    (path) => `${path} does not exist`,
  ),
  ...faultsOf(
    /npm run ([\w:-]+)/g,
    (name) => !(name in scripts),
    (name) => `there is no script ${name}`,
  ),
  ...faultsOf(
    /(?:test:one --|run-tests\.mjs) ([a-z][\w./-]*)/g,
    selectsNothing,
    (word) => `no test file matches ${word}`,
  ),
  ...decisionFaults(),
]
for (const fault of faults) console.log(fault)
process.exit(faults.length === 0 ? 0 : 1)
