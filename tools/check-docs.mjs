// Checks that documents name existing things (links with anchors, paths and functions in backticks, npm scripts), that the
// sidebar of the site has every page, and twenty at most, that the architecture is short, and that the decisions are few, short
// and listed. With --write it regenerates all generated documents.
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { beside, groups } from '../docs/.vitepress/pages.mjs'
import { slug } from '../docs/.vitepress/slug.mjs'
import { decisionFaults } from './decisions.mjs'
import { packages, root } from './packages.mjs'
import { testFiles } from './run-tests.mjs'
import { writeDocuments } from './write-documents.mjs'

const read = (path) => readFileSync(join(root, path), 'utf8')
const markdownIn = (folder) =>
  readdirSync(join(root, folder), { recursive: true })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(folder, name))

if (process.argv.includes('--write')) writeDocuments()

// A word selects test files by their paths.
const selectsNothing = (word) => !testFiles().some((file) => file.includes(word))

const { scripts } = JSON.parse(read('package.json'))
const documents = [
  ...['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'SECURITY.md', 'UPGRADE.md', '.github/workflows/release.yml'],
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

const withoutCode = (text) => text.replace(/^( *)```[\s\S]*?^\1```$/gm, '')
const headingsOf = (text) => [...withoutCode(text).matchAll(/^#+ (.+)$/gm)].map(([, heading]) => slug(heading))
const anchorsOf = (text) => [...headingsOf(text), ...[...text.matchAll(/<a id="([^"]+)">/g)].map(([, id]) => id)]

const isDeadLink = (target, file) => {
  if (/^[a-z]+:/.test(target)) return false
  const [path, anchor] = target.split('#')
  const place = path === '' ? file : normalize(join(dirname(file), path))
  if (!existsSync(join(root, place))) return true
  return anchor !== undefined && place.endsWith('.md') && !anchorsOf(read(place)).includes(anchor)
}

const paths =
  /`((?:packages|tools|docs|deploy|bench|\.ci|\.changeset|\.vscode)\/[\w./-]+|(?:\.dependency-cruiser\.cjs|eslint\.config\.js|pnpm-workspace\.yaml))`/g

/** A function in a file, as the walks of ARCHITECTURE.md name them. */
const functions = /`(\w+)` in `(packages\/[\w./-]+\.ts)`/g
const moved = documents.flatMap(({ file, text }) =>
  [...text.matchAll(functions)]
    .filter(([, name, path]) => existsSync(join(root, path)) && !new RegExp(`\\b${name}\\b`).test(read(path)))
    .map(([, name, path]) => `${file}: ${name} is not in ${path}`),
)

const maxArchitecture = 200
const tooLong = documents
  .filter(({ file, text }) => file === 'ARCHITECTURE.md' && text.trimEnd().split('\n').length > maxArchitecture)
  .map(({ file }) => `${file} is longer than ${maxArchitecture} lines`)

// A link to the second of two headings would lead to the first.
const repeatedHeadings = documents.flatMap(({ file, text }) => {
  const headings = headingsOf(text)
  return headings
    .filter((heading, place) => headings.indexOf(heading) !== place)
    .map((heading) => `${file}: two headings have the anchor #${heading}: rename one`)
})

const contents = read('docs/README.md')
const counted = Object.values(groups).flatMap((pages) => Object.keys(pages))
const placed = [...counted, ...Object.values(beside).flatMap((pages) => Object.keys(pages))]
const pages = markdownIn('docs')
  .map((file) => file.slice('docs/'.length))
  .filter((file) => file !== 'README.md' && !/^decisions\/(?!README)/.test(file))
const faultsOfPages = [
  ...pages
    .filter((page) => !placed.includes(page))
    .map((page) => `docs/${page} is missing in docs/.vitepress/pages.mjs`),
  ...placed
    .filter((page) => !pages.includes(page))
    .map((page) => `docs/.vitepress/pages.mjs names docs/${page}, which is no file`),
  ...(counted.length > 20 ? [`docs/ has ${counted.length} pages in its groups: join some, 20 are the limit`] : []),
  ...placed
    .filter((page) => !contents.includes(`](${page})`))
    .map((page) => `docs/README.md does not list docs/${page}`),
]

const faults = [
  ...moved,
  ...tooLong,
  ...repeatedHeadings,
  ...faultsOfPages,
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
