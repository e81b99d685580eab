// The resources that many connections and requests take from a process with a small heap, and the responses to others
// meanwhile.
import { type Socket, connect } from 'node:net'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { send } from '../support/requests.js'
import { type Service, discard, startService } from '../support/service.js'

/** Loopback addresses of two sources. */
const crowd = '127.0.0.2'
const others = '127.0.0.1'

const megabyte = 1_048_576

const connection = (service: Service, localAddress: string): Socket => {
  const { hostname, port } = new URL(service.base)
  return connect({ host: hostname, port: Number(port), localAddress }).on('error', () => undefined)
}

const connected = (socket: Socket): Promise<void> =>
  new Promise((done) => socket.once('connect', done).once('close', () => done()))

/** A hundred at a time, which the backlog of the listener holds. */
const connections = async (service: Service, number: number): Promise<ReadonlyArray<Socket>> => {
  const sockets: Array<Socket> = []
  while (sockets.length < number) {
    const next = Array.from({ length: Math.min(100, number - sockets.length) }, () => connection(service, crowd))
    await Promise.all(next.map(connected))
    sockets.push(...next)
  }
  return sockets
}

const withService = async (
  settings: Readonly<Record<string, string>>,
  use: (service: Service) => Promise<void>,
): Promise<void> => {
  const service = await startService({ CLIENTELE_LOG_LEVEL: 'warn', ...settings })
  try {
    await use(service)
    assert.is(await service.stop(), 0)
  } finally {
    service.child.kill('SIGKILL')
    discard(service.dataDir)
  }
}

/** Milliseconds until a client of another source has the whole response, which must be successful. */
const answered = (service: Service, path: string): Promise<number> =>
  new Promise((done, fail) => {
    const begun = performance.now()
    const socket = connection(service, others)
    let text = ''
    socket.setTimeout(20_000, () => fail(new Error('no answer within 20 s')))
    socket.on('data', (chunk: Buffer) => (text += chunk.toString()))
    socket.once('close', () =>
      text.startsWith('HTTP/1.1 200 ')
        ? done(performance.now() - begun)
        : fail(new Error(`${text.split('\r\n', 1)[0] ?? ''} ${service.output().stderr}`)),
    )
    socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)
  })

const serialize = async (service: Service, path: string, times: number): Promise<ReadonlyArray<number>> => {
  const durations: Array<number> = []
  for (let each = 0; each < times; each += 1) durations.push(await answered(service, path))
  return durations.sort((one, other) => one - other)
}

const metric = async (url: string, name: string): Promise<number> => {
  const { text } = await send({ base: url }, '/metrics')
  const line = text.split('\n').find((each) => each.startsWith(`${name} `))
  // A counter without increments is not listed.
  return Number(line?.slice(name.length) ?? 0)
}

const managementOf = (service: Service): string =>
  /Health and metrics at (\S+)/.exec(service.output().stdout)?.[1] ?? ''

const processes = suite('crowds')

processes('pipelined requests by the hundred thousand leave memory, the process and others alone', async () => {
  const settings = { NODE_OPTIONS: '--max-old-space-size=256', CLIENTELE_MANAGEMENT_PORT: '0' }
  await withService(settings, async (service) => {
    const management = managementOf(service)
    const pipelined = 'GET /logout HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(2_000)
    const sockets = await connections(service, 150)
    // The service receives all of them at once after the stop, regardless of the load of the machine.
    service.child.kill('SIGSTOP')
    await Promise.all(sockets.map((socket) => new Promise((sent) => socket.pause().write(pipelined, sent))))
    service.child.kill('SIGCONT')
    const durations = await serialize(service, '/jwks.json', 100)
    const [p99 = Infinity] = durations.slice(-2)
    const resident = await metric(management, 'process_resident_memory_bytes')
    const kinds = ['pipelining', 'request'].map((what) => metric(management, `clientele_refused_total{what="${what}"}`))
    const refused = await Promise.all(kinds)
    for (const socket of sockets) socket.destroy()
    process.stdout.write(`p99 of others ${p99.toFixed(1)} ms, resident ${(resident / megabyte).toFixed(0)} MiB\n`)
    assert.is(
      refused.reduce((all, each) => all + each, 0),
      150,
    )
    assert.ok(p99 < 5_000, `p99 ${p99} ms`)
    assert.ok(resident < 400 * megabyte, `${resident} bytes resident`)
    const reported = service.output().stderr.split('\n').length - 1
    assert.is(reported, refused.filter((count) => count > 0).length, 'one entry of each kind')
  })
})

processes('silent connections of one source leave room for others, and for the management port', async () => {
  await withService({ CLIENTELE_MANAGEMENT_PORT: '0' }, async (service) => {
    const sockets = await connections(service, 2_005)
    const durations = await serialize(service, '/logout', 20)
    assert.ok((durations.at(-1) ?? Infinity) < 5_000)
    assert.ok((await metric(managementOf(service), 'clientele_refused_total{what="connection"}')) > 500)
    for (const socket of sockets) socket.destroy()
  })
})

processes('requests whose bodies do not come leave room for those of others', async () => {
  await withService({ CLIENTELE_MAXIMUM_REQUESTS: '100' }, async (service) => {
    const { master } = service
    const sockets = await connections(service, 120)
    const head = `POST /clients HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${master}\r\n`
    let refused = 0
    for (const socket of sockets) {
      socket.on('data', (chunk: Buffer) => (refused += chunk.toString().startsWith('HTTP/1.1 503 ') ? 1 : 0))
      socket.write(`${head}Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{`)
    }
    await serialize(service, '/logout', 20)
    for (const socket of sockets) socket.destroy()
    assert.is(refused, 70)
  })
})

processes.run()
