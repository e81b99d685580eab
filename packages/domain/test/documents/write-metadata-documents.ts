// Run by hand: writes docs/client-id-metadata-documents.md.
import { writeFileSync } from 'node:fs'
import { metadataDocumentsDocument } from './metadata-documents.js'

writeFileSync(new URL('../../../../docs/client-id-metadata-documents.md', import.meta.url), metadataDocumentsDocument())
