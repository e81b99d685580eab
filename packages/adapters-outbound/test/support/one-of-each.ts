// Run as a process: fetches from a port that answers, from a silent one and from a closed one, queries a silent name
// server, and must end by itself.
import { createSectorIdentifiers } from '../../src/index.js'
import { fetched, lenient } from './fetched.js'

const [answering, silent, nameServer = ''] = process.argv.slice(2)
const patient = createSectorIdentifiers(lenient)
const hasty = createSectorIdentifiers({ ...lenient, timeLimit: 1_000 })
const results = await Promise.all([
  fetched(patient, `https://sector.example:${answering ?? ''}/`),
  fetched(hasty, `https://sector.example:${silent ?? ''}/`),
  fetched(patient, 'https://sector.example:1024/'),
  fetched(createSectorIdentifiers({ timeLimit: 30_000 }), 'https://localhost/'),
  fetched(
    createSectorIdentifiers({ servers: [nameServer], lookupTimeout: 30_000, timeLimit: 1_000 }),
    'https://sector.example/',
  ),
])
const left = (): ReadonlyArray<string> =>
  process.getActiveResourcesInfo().filter((name) => /^(tcp|tls|timeout|udp|dns|query)/i.test(name))

// A destroyed socket is released a turn of the event loop later.
await new Promise((resolve) => setTimeout(resolve, 100))
console.log(JSON.stringify({ results, left: left() }))
