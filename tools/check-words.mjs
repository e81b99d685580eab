// npm run words [-- WORD …]: fails on a use of the words of tools/words.mjs, and counts the uses of each, or lists the places of
// some. Without --check it only counts.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import ts from 'typescript'
import { packages, root } from './packages.mjs'
import { namesOfOthers, words } from './words.mjs'

const skipped = /(^|\/)(node_modules|dist|bin|packed|api)(\/|$)|\/words\.mjs$/
const tracked = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' })
  .split('\n')
  .filter((file) => existsSync(join(root, file)))
const filesIn = (folder, ending) =>
  tracked.filter((file) => file.startsWith(`${folder}/`) && ending.test(file) && !skipped.test(file))

const sources = ['tools', 'bench', ...packages.map(({ name }) => `packages/${name}`)].flatMap((folder) =>
  filesIn(folder, /\.(ts|mjs)$/),
)
const documents = [
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  ...filesIn('docs', /\.md$/),
  ...filesIn('packages', /README\.md$/),
]

// Names with _ are names of the wire.
const wordsOf = (name) => (/_/.test(name) ? '' : name.replace(/([a-z\d])([A-Z])/g, '$1 $2').toLowerCase())

const isOfOthers = (name, file) => namesOfOthers.some(({ names, files }) => names.includes(name) && files.test(file))

const usesIn = (file) => {
  const text = readFileSync(join(root, file), 'utf8')
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
  const uses = []
  const visit = (node) => {
    if (ts.isIdentifier(node) && !isOfOthers(node.text, file))
      uses.push({ kind: 'names', text: wordsOf(node.text), position: node.getStart() })
    if (node.getChildCount() === 0)
      for (const { pos, end } of ts.getLeadingCommentRanges(text, node.getFullStart()) ?? [])
        uses.push({ kind: 'prose', text: text.slice(pos, end).toLowerCase(), position: pos })
    node.getChildren().forEach(visit)
  }
  visit(source)
  return uses.map(({ position, ...use }) => ({
    ...use,
    place: `${file}:${source.getLineAndCharacterOfPosition(position).line + 1}`,
  }))
}

const withoutCode = (line) => line.replace(/`[^`]*`/g, '')

const linesOf = (file) =>
  readFileSync(join(root, file), 'utf8')
    .split('\n')
    .map((line, place) => ({ kind: 'prose', text: withoutCode(line).toLowerCase(), place: `${file}:${place + 1}` }))

const nameOf = (file) => ({
  kind: 'names',
  text: basename(file).replace(/\..*$/, '').replaceAll('-', ' '),
  place: file,
})

const uses = [
  ...sources.map(nameOf).filter(({ text, place }) => !isOfOthers(text, place)),
  ...sources.flatMap(usesIn),
  ...documents.flatMap(linesOf),
]

const found = words.map(({ banned, say, where }) => {
  const [kinds, pattern] = where === 'start' ? [['names'], `^${banned} `] : [where, `\\b${banned}\\b`]
  const isUse = new RegExp(pattern)
  const places = uses.filter(({ kind, text }) => kinds.includes(kind) && isUse.test(text)).map(({ place }) => place)
  return { banned, say, places }
})

const given = process.argv.slice(2).filter((each) => each !== '--check')
const used = found.filter(({ banned, places }) => places.length > 0 && (given.length === 0 || given.includes(banned)))
for (const { banned, say, places } of used) {
  console.log(`${String(places.length).padStart(5)}  ${banned}: say ${say}`)
  if (given.length > 0) console.log([...new Set(places)].map((place) => `       ${place}`).join('\n'))
}
console.log(`${used.reduce((sum, { places }) => sum + places.length, 0)} uses of words that are not used here`)
process.exit(process.argv.includes('--check') && used.length > 0 ? 1 : 0)
