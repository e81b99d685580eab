// Run by hand: writes the part life-cycle of docs/operate/year.md.
import { readFileSync, writeFileSync } from 'node:fs'
import { lifeCycleDocument } from './life-cycle-document.js'
import { withPart } from './markdown.js'

const page = new URL('../../../../docs/operate/year.md', import.meta.url)

writeFileSync(page, withPart('life-cycle', lifeCycleDocument())(readFileSync(page, 'utf8')))
