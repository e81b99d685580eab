// Run by hand: writes the documents of this folder, and the templates of the console.
import { writeFileSync } from 'node:fs'
import { commandLineDocument } from './command-line-document.js'
import { conformanceDocument } from './conformance-document.js'
import { configurationDocument } from './configuration-document.js'
import { realClientsDocument } from './real-clients-document.js'
import { recordedTemplates } from './recorded-templates.js'

const docs = new URL('../../../../docs/', import.meta.url)

writeFileSync(new URL('configuration.md', docs), configurationDocument())
writeFileSync(new URL('command-line.md', docs), commandLineDocument())
writeFileSync(new URL('real-clients.md', docs), realClientsDocument())
writeFileSync(new URL('conformance.md', docs), conformanceDocument())
writeFileSync(new URL('../packages/adapters-http/src/console/recorded-clients.ts', docs), recordedTemplates())
