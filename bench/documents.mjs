// node bench/documents.mjs: the time of one use of a client whose client_id is the URL of a document that is in memory,
// after 10, 1,000 and 100,000 URLs were requested. The documents come from a server on loopback; of 100,000 URLs, all
// but 1,000 lead to no host.
import { readFileSync } from 'node:fs'
import { createServer } from 'node:https'
import { createClientDocuments } from '../packages/adapters-outbound/dist/index.js'
import { noPolicy } from '../packages/domain/dist/policy/index.js'
import { decideDocument, rememberDecision } from '../packages/domain/dist/provider/index.js'

const target = 50
const most = process.argv.includes('--quick') ? 10_000 : 100_000
const read = (name) =>
  readFileSync(new URL(`../packages/adapters-outbound/test/support/${name}`, import.meta.url), 'utf8')
const certificate = read('certificate.pem')
const { document } = JSON.parse(readFileSync(new URL('../corpus/documents/chatgpt.json', import.meta.url), 'utf8'))

const server = createServer({ cert: certificate, key: read('key.pem') }, ({ url, headers }, response) =>
  response
    .writeHead(200, { 'Content-Type': 'application/json', 'Cache-Control': 'max-age=86400' })
    .end(JSON.stringify({ ...document, client_id: `https://${headers.host}${url}` })),
)
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
const { port } = server.address()

const settings = {
  mode: { kind: 'open', scope: ['openid', 'email'] },
  policy: { ...noPolicy, metadata_documents: { accept: 'any' } },
  outboundFetches: true,
}
const hosts = { 'sector.example': ['127.0.0.1'] }

const newDocuments = () => {
  const clock = { now: 1_795_000_000 }
  const { seeDocument } = createClientDocuments({
    policy: () => ({ least_freshness: 300, greatest_freshness: 86_400 }),
    now: () => clock.now,
    allowsAddress: () => true,
    lookup: async (host) => hosts[host] ?? [],
    ca: certificate,
    timeLimit: 30_000,
    maxWaiting: 1_000,
    maxWaitingEach: 1_000,
  })
  // A window of the budget after the other.
  const see = async (urls, perMinute) => {
    for (let first = 0; first < urls.length; first += perMinute) {
      await Promise.all(urls.slice(first, first + perMinute).map((url) => seeDocument(url)()))
      clock.now += 60
    }
  }
  return { seeDocument, see }
}

const times = (count, make) => Array.from({ length: count }, (_, index) => make(index))

// The minimum of several runs excludes the interference of other processes.
const microseconds = async (use, count = 20_000) => {
  const once = async () => {
    const began = performance.now()
    for (let index = 0; index < count; index += 1) await use(index)
    return ((performance.now() - began) * 1000) / count
  }
  let best = Infinity
  for (let run = 0; run < 5; run += 1) best = Math.min(best, await once())
  return best
}

const row = (cells) => console.log(`| ${cells.join(' | ')} |`)
const text = (number) => number.toFixed(1)

row([
  'requested',
  'seeDocument, µs',
  'decideDocument, µs',
  'remembered, µs',
  'remembered, with an approved one, µs',
  'one use, µs',
])
row(times(6, () => '---'))

let slowest = 0
for (const requested of [10, 1_000, most]) {
  const { seeDocument, see } = newDocuments()
  const known = times(Math.min(requested, 1_000), (index) => `https://sector.example:${port}/${index}.json`)
  await see(known, 30)
  await see(
    times(requested - known.length, (index) => `https://h${index}.example/client.json`),
    300,
  )
  const urlOf = (index) => known[index % known.length]
  const seen = await Promise.all(known.map((url) => seeDocument(url)()))
  const decide = decideDocument(settings)
  const remembered = rememberDecision(settings)
  const approved = known.map((url, index) => {
    const decided = decide(url, seen[index])
    if (decided._tag === 'Left') throw new Error(JSON.stringify(decided.left))
    return { metadata: JSON.parse(JSON.stringify(decided.right.client.metadata)), seen_at: seen[index].at }
  })
  const seenOf = (index) => seen[index % seen.length]
  const one = await microseconds(async (index) => {
    const url = urlOf(index)
    remembered(url, await seeDocument(url)(), approved[index % approved.length])
  })
  slowest = Math.max(slowest, one)
  row([
    requested.toLocaleString('en'),
    text(await microseconds((index) => seeDocument(urlOf(index))())),
    text(await microseconds((index) => decide(urlOf(index), seenOf(index)), 5_000)),
    text(await microseconds((index) => remembered(urlOf(index), seenOf(index)))),
    text(await microseconds((index) => remembered(urlOf(index), seenOf(index), approved[index % approved.length]))),
    text(one),
  ])
}

server.close()
console.log(`\nThe target of one use is ${target} µs.`)
if (slowest > target) process.exitCode = 1
