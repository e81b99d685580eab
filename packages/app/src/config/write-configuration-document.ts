// Run by hand: writes docs/configuration.md.
import { writeFileSync } from 'node:fs'
import { configurationDocument } from './configuration-document.js'

writeFileSync(new URL('../../../../docs/configuration.md', import.meta.url), configurationDocument())
