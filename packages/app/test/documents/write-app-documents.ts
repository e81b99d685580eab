// Run by hand: writes docs/configuration.md and docs/command-line.md.
import { writeFileSync } from 'node:fs'
import { commandLineDocument } from './command-line-document.js'
import { configurationDocument } from './configuration-document.js'

const docs = new URL('../../../../docs/', import.meta.url)

writeFileSync(new URL('configuration.md', docs), configurationDocument())
writeFileSync(new URL('command-line.md', docs), commandLineDocument())
