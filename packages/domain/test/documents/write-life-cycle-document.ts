// Run by hand: writes docs/life-cycle.md.
import { writeFileSync } from 'node:fs'
import { lifeCycleDocument } from './life-cycle-document.js'

writeFileSync(new URL('../../../../docs/life-cycle.md', import.meta.url), lifeCycleDocument())
