// Run by hand: writes docs/doors.md.
import { writeFileSync } from 'node:fs'
import { doorsDocument } from './doors-document.js'

writeFileSync(new URL('../../../../docs/doors.md', import.meta.url), doorsDocument())
