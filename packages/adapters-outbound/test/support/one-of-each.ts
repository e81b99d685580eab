// Run as a process: fetches from a port that answers, from one that is silent and from none, and has to end by itself.
import { createSectorIdentifiers } from '../../src/index.js'
import { fetched, lenient } from './fetched.js'

const [answering, silent] = process.argv.slice(2)
const [patient, hasty] = [createSectorIdentifiers(lenient), createSectorIdentifiers({ ...lenient, timeLimit: 1_000 })]
const results = await Promise.all([
  fetched(patient, `https://sector.example:${answering ?? ''}/`),
  fetched(hasty, `https://sector.example:${silent ?? ''}/`),
  fetched(patient, 'https://sector.example:1/'),
  fetched(createSectorIdentifiers({ timeLimit: 30_000 }), 'https://localhost/'),
])
const left = (): ReadonlyArray<string> =>
  process.getActiveResourcesInfo().filter((name) => /^(tcp|tls|timeout)/i.test(name))

// A socket that was destroyed is gone a turn of the event loop later.
await new Promise((resolve) => setTimeout(resolve, 100))
console.log(JSON.stringify({ results, left: left() }))
