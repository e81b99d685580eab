// Run by hand: writes docs/client-metadata.md and docs/client-metadata.schema.json.
import { writeFileSync } from 'node:fs'
import { clientMetadataDocument, clientMetadataSchemaDocument } from './client-metadata-document.js'

const docs = new URL('../../../../docs/', import.meta.url)

writeFileSync(new URL('client-metadata.md', docs), clientMetadataDocument())
writeFileSync(new URL('client-metadata.schema.json', docs), clientMetadataSchemaDocument())
