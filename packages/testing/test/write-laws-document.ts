// Run by hand: writes the part laws of docs/reuse/test-your-rules.md.
import { readFileSync, writeFileSync } from 'node:fs'
import { withPart } from '../../domain/test/documents/markdown.js'
import { lawsDocument } from './laws-document.js'

const page = new URL('../../../docs/reuse/test-your-rules.md', import.meta.url)
const mutants = readFileSync(new URL('laws.mutants.json', page), 'utf8')

writeFileSync(page, withPart('laws', lawsDocument(JSON.parse(mutants)))(readFileSync(page, 'utf8')))
