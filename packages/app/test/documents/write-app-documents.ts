// Run by hand: writes the pages of docs/ that are made from the app, and the templates of the console.
import { writeFileSync } from 'node:fs'
import { commandsPart } from './command-line-document.js'
import { conformanceDocument } from './conformance-document.js'
import { settingsDocument } from './configuration-document.js'
import { loginPresetsDocument } from './login-presets-document.js'
import { realClientsPart } from './real-clients-document.js'
import { recordedTemplates } from './recorded-templates.js'

const docs = new URL('../../../../docs/', import.meta.url)

writeFileSync(new URL('operate/settings.md', docs), `${settingsDocument()}\n${commandsPart()}`)
writeFileSync(new URL('login-presets.md', docs), loginPresetsDocument())
writeFileSync(new URL('conformance.md', docs), `${conformanceDocument()}\n${realClientsPart()}`)
writeFileSync(new URL('../packages/adapters-http/src/console/recorded-clients.ts', docs), recordedTemplates())
