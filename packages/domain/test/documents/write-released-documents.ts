// Run by tools/version.mjs: writes the names of the rules, and what becomes of 50 client metadata, as the release has them.
import * as fc from 'fast-check'
import { writeFileSync } from 'node:fs'
import { validClientMetadata } from '@clientele/testing'
import { ruleTexts } from '../../src/kernel/all-rules.js'
import { outcomeOf } from './released.js'

const write = (name: string, text: string): void => writeFileSync(new URL(name, import.meta.url), `${text}\n`)

write('released-rules.json', JSON.stringify(Object.keys(ruleTexts), null, 2))
// JSON, because a recorded body is read from it; short values suffice.
fc.configureGlobal({ baseSize: 'xsmall' })
const bodies = fc
  .sample(validClientMetadata(), { numRuns: 50, seed: 7591 })
  .map((body): unknown => JSON.parse(JSON.stringify(body)))
write('released-clients.ndjson', bodies.map((body) => JSON.stringify({ body, outcome: outcomeOf(body) })).join('\n'))
