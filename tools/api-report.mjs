// npm run api: writes docs/api/, what each package exports, as its declarations say it. With --check it only tells what is stale.
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { build } from './build.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const reports = join(root, 'docs/api')

const entriesOf = ({ name, exports }, folder) =>
  Object.entries(exports).map(([path, { types }]) => ({ entry: `${name}${path.slice(1)}`, file: join(folder, types) }))

const packages = readdirSync(join(root, 'packages'))
  .map((name) => ({ name, folder: join(root, 'packages', name) }))
  .filter(({ folder }) => existsSync(join(folder, 'package.json')))
  .map(({ name, folder }) => {
    const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    return { name, folder, manifest, entries: entriesOf(manifest, folder) }
  })

build()
const program = ts.createProgram(
  packages.flatMap(({ entries }) => entries.map(({ file }) => file)),
  {
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    target: ts.ScriptTarget.ES2022,
    types: [],
    noEmit: true,
  },
)
const checker = program.getTypeChecker()

const byName = (one, other) => (one.name < other.name ? -1 : 1)
const meant = (symbol) => (symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol)
const exportedBy = (file) => {
  const module = checker.getSymbolAtLocation(program.getSourceFile(file))
  return module === undefined ? [] : [...checker.getExportsOfModule(module)].sort(byName).map(meant)
}
const declarationsOf = (symbol) => (symbol.declarations ?? []).filter((each) => !ts.isSourceFile(each))

const comment = (symbol) => {
  const text = ts.displayPartsToString(symbol.getDocumentationComment(checker)).trim()
  return text === '' ? '' : `/** ${text.replace(/\s*\n\s*/g, ' ')} */\n`
}
// The compiler tells the texts of a union in the order in which it met them, which is not the same in every build.
const inOrder = (text) => text.replace(/"[^"]*"(?: \| "[^"]*")+/g, (union) => union.split(' | ').sort().join(' | '))
const declarationText = (declaration) =>
  inOrder(
    ts.isVariableDeclaration(declaration)
      ? `const ${declaration.getText()}`
      : declaration.getText().replace(/^(export )?(declare )?/, ''),
  )
const told = (symbol) => `${comment(symbol)}${declarationsOf(symbol).map(declarationText).join('\n')}`

const nameIn = (node) => {
  if (ts.isTypeReferenceNode(node)) return node.typeName
  if (ts.isTypeQueryNode(node)) return node.exprName
  if (ts.isImportTypeNode(node)) return node.qualifier
  return ts.isExpressionWithTypeArguments(node) ? node.expression : undefined
}

const namedIn = (node) => {
  const name = nameIn(node)
  const symbol = name && checker.getSymbolAtLocation(name)
  const inner = []
  ts.forEachChild(node, (child) => void inner.push(...namedIn(child)))
  return symbol === undefined ? inner : [meant(symbol), ...inner]
}

// What a reader of the package cannot name, although its declarations do.
const hidden = (symbols, folder) => {
  const known = new Set(symbols)
  const named = new Set(symbols.flatMap(declarationsOf).flatMap(namedIn))
  return [...named]
    .filter((symbol) => !known.has(symbol) && !(symbol.flags & ts.SymbolFlags.TypeParameter))
    .filter(({ declarations }) => declarations?.[0]?.getSourceFile().fileName.startsWith(join(folder, 'dist')))
    .map(({ name }) => `\`${name}\``)
    .sort()
}

const report = ({ name, folder, manifest, entries }) => {
  const exported = entries.map(({ entry, file }) => ({ entry, symbols: exportedBy(file) }))
  const unnamed = hidden(
    exported.flatMap(({ symbols }) => symbols),
    folder,
  )
  const text = [
    `# ${manifest.name}`,
    `${manifest.description}. This page is made by \`npm run api\`.`,
    ...exported.map(({ entry, symbols }) => `## ${entry}\n\n\`\`\`ts\n${symbols.map(told).join('\n\n')}\n\`\`\``),
    ...(unnamed.length === 0 ? [] : [`## Named above, and not exported\n\n${unnamed.join(', ')}`]),
  ].join('\n\n')
  return [join(reports, `${name}.md`), `${text}\n`]
}

const all = packages.map(report)
if (process.argv.includes('--check')) {
  const stale = all.filter(([file, text]) => !existsSync(file) || readFileSync(file, 'utf8') !== text)
  for (const [file] of stale) console.log(`${file.slice(root.length)} is stale: npm run api`)
  process.exit(stale.length === 0 ? 0 : 1)
}
mkdirSync(reports, { recursive: true })
for (const [file, text] of all) writeFileSync(file, text)
