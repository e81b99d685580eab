// Run by hand: writes docs/laws.md.
import { readFileSync, writeFileSync } from 'node:fs'
import { lawsDocument } from './laws-document.js'

const docs = new URL('../../../docs/', import.meta.url)

writeFileSync(
  new URL('laws.md', docs),
  lawsDocument(JSON.parse(readFileSync(new URL('laws.mutants.json', docs), 'utf8'))),
)
