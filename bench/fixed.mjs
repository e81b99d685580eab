// node bench/fixed.mjs [ROUNDS]: the processor time of one answer, fed from memory, without sockets: of this service, and of
// the limit, a bare listener that sends a prepared answer of the same size. Then what each answer pays for, part by part.
// The least of several rounds excludes most of the interference of other processes.
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Duplex } from 'node:stream'
import { compose, createLog, loadConfig, readFile } from '../packages/app/dist/index.js'
import { createPeers } from '../packages/app/dist/server/peers.js'
import { reportRequests } from '../packages/app/dist/observing/log.js'
import { createMetrics } from '../packages/app/dist/observing/metrics.js'
import { metadata } from './requests.mjs'

const rounds = Number(process.argv[2] ?? 9)
const connections = 16
const root = 'http://127.0.0.1:8080'

const processorTime = () => {
  const { user, system } = process.cpuUsage()
  return user + system
}

/** A connection in memory, which asks again as soon as an answer is complete. */
class Connection extends Duplex {
  remoteAddress = '127.0.0.1'
  #asked = 0
  #received = []
  #ask
  #done

  begin(ask, count, done) {
    this.#ask = ask
    this.#asked = count
    this.#done = done
    this.push(ask())
  }

  setTimeout() {
    return this
  }

  setNoDelay() {}

  _read() {}

  _write(chunk, _, written) {
    this.#received.push(chunk)
    written()
    const text = this.#received.length === 1 ? chunk : Buffer.concat(this.#received)
    const end = text.indexOf('\r\n\r\n')
    if (end === -1) return
    const head = text.latin1Slice(0, end)
    const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0)
    if (text.length < end + 4 + length) return
    this.#received = []
    this.last = text
    this.#asked -= 1
    if (this.#asked === 0) this.#done()
    else this.push(this.#ask())
  }
}

const openServer = (listener) => {
  const server = createServer(listener)
  return Array.from({ length: connections }, () => {
    const connection = new Connection()
    server.emit('connection', connection)
    return connection
  })
}

const answering = async (opened, ask, count) => {
  const each = count / connections
  await Promise.all(opened.map((connection) => new Promise((done) => connection.begin(ask, each, done))))
  return opened[0].last.toString('latin1')
}

const microseconds = async (opened, ask, count) => {
  const began = processorTime()
  await answering(opened, ask, count)
  return (processorTime() - began) / count
}

// The fields of wrk.
const get =
  (path, fields = '') =>
  () =>
    Buffer.from(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:8080\r\n${fields}\r\n`)

const post = () => {
  let number = 0
  return () => {
    const body = JSON.stringify(metadata((number += 1)))
    return Buffer.from(
      `POST /clients HTTP/1.1\r\nHost: 127.0.0.1:8080\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    )
  }
}

const bodyOf = (answer) => answer.slice(answer.indexOf('\r\n\r\n') + 4)

/** The limit: the body is read, and the same fields and body are sent without any work. */
const limitFor = (answer) => {
  const [head] = answer.split('\r\n\r\n')
  const [, ...lines] = head.split('\r\n')
  // Node adds the date and what follows it to each answer.
  const own = lines.slice(
    0,
    lines.findIndex((line) => line.startsWith('Date: ')),
  )
  const prepared = own.flatMap((line) => line.split(': '))
  const body = bodyOf(answer)
  return (request, response) => {
    if (request.method === 'GET') return response.writeHead(200, prepared).end(body)
    request.resume().on('end', () => response.writeHead(200, prepared).end(body))
  }
}

const orThrow = (result) => {
  if (result._tag === 'Left') throw new Error(JSON.stringify(result.left))
  return result.right
}

const directory = mkdtempSync(join(tmpdir(), 'clientele-fixed-'))
const flags = {
  'data-dir': directory,
  'base-url': root,
  'allow-open-registration': 'true',
  'maximum-open-registrations': 'off',
  engine: 'none',
}
const { config } = orThrow(loadConfig({ flags, environment: {}, readFile }))
let written = 0
const nowhere = { write: (text) => void (written += text.length), writableLength: 0 }
const log = createLog('info', nowhere)
let listener
const onFatal = (error) => {
  throw error
}
const service = orThrow(await compose(config, { log, onFatal, mount: (mounted) => (listener = mounted) })())
const ours = openServer(listener)

const registered = JSON.parse(bodyOf(await answering(ours, post(), connections)))
const works = [
  ['key set', get('/jwks.json'), 40_000],
  ['metadata', get('/.well-known/openid-configuration'), 40_000],
  [
    'one client',
    get(`/clients/${registered.client_id}`, `Authorization: Bearer ${registered.registration_access_token}\r\n`),
    16_000,
  ],
  ['registration', post(), 4_800],
]

const least = (times) => Math.min(...times)

console.log('| answer | service, µs | limit, µs | ratio |\n|---|---|---|---|')
for (const [name, ask, count] of works) {
  const first = await answering(ours, ask, connections)
  if (!first.startsWith('HTTP/1.1 200 ')) throw new Error(`${name}: ${first}`)
  const limit = openServer(limitFor(first))
  const times = { ours: [], limit: [] }
  for (let round = 0; round < rounds; round += 1) {
    times.ours.push(await microseconds(ours, ask, count))
    times.limit.push(await microseconds(limit, ask, count))
  }
  const [own, its] = [least(times.ours), least(times.limit)]
  console.log(`| ${name} | ${own.toFixed(1)} | ${its.toFixed(1)} | ${(own / its).toFixed(2)} |`)
}

const entry = {
  request_id: '6f1c5c2e-8a53-4b3f-9a55-0d8f3d3c7b11',
  remote_address: '127.0.0.1',
  method: 'GET',
  route: '/jwks.json',
  status: 200,
  duration_ms: 0.4,
}
const { requestId, trace } = createPeers([])
const metrics = createMetrics()
const write = reportRequests(log, { observe: () => undefined })
const request = { headers: { host: 'x' }, socket: {} }
const parts = {
  id: () => requestId(request),
  trace: () => trace(request, 'GET'),
  'log entry': () => write(entry),
  metrics: () => metrics.observe(entry),
}

const part = (run) => {
  const times = 50_000
  const began = processorTime()
  for (let done = 0; done < times; done += 1) run()
  return (processorTime() - began) / times
}

console.log('\n| part | µs |\n|---|---|')
for (const [name, run] of Object.entries(parts))
  console.log(`| ${name} | ${least(Array.from({ length: rounds }, () => part(run))).toFixed(2)} |`)

await service.stop()
rmSync(directory, { recursive: true })
