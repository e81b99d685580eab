// Run by hand: writes docs/use/documents.md.
import { writeFileSync } from 'node:fs'
import { metadataDocumentsDocument } from './metadata-documents.js'

writeFileSync(new URL('../../../../docs/use/documents.md', import.meta.url), metadataDocumentsDocument())
