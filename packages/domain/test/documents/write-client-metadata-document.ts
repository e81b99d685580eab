// Run by hand: writes docs/use/client-metadata.md and docs/use/client-metadata.schema.json.
import { writeFileSync } from 'node:fs'
import { clientMetadataDocument, clientMetadataSchemaDocument } from './client-metadata-document.js'

const folder = new URL('../../../../docs/use/', import.meta.url)

writeFileSync(new URL('client-metadata.md', folder), clientMetadataDocument())
writeFileSync(new URL('client-metadata.schema.json', folder), clientMetadataSchemaDocument())
