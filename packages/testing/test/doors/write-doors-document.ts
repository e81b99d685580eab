// Run by hand: writes the part doors of docs/reuse/test-your-rules.md.
import { readFileSync, writeFileSync } from 'node:fs'
import { withPart } from '../../../domain/test/documents/markdown.js'
import { doorsDocument } from './doors-document.js'

const page = new URL('../../../../docs/reuse/test-your-rules.md', import.meta.url)

writeFileSync(page, withPart('doors', doorsDocument())(readFileSync(page, 'utf8')))
