// Run by hand: writes src/plain/client-metadata.ts.
import { writeFileSync } from 'node:fs'
import { plainMetadataSource } from './plain-metadata.js'

writeFileSync(new URL('../../src/plain/client-metadata.ts', import.meta.url), plainMetadataSource())
