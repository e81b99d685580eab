import { sourceOf } from '@clientele/domain/kernel'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, type Socket, connect } from 'node:net'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type AdmissionOptions, createAdmission } from '../../src/server/admission.js'
import type { Refused } from '../../src/observing/metrics.js'

const request = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n'

type Opened = {
  readonly server: Server
  readonly begun: () => number
  readonly refused: ReadonlyArray<Refused>
  /** Completes all requests under way. */
  readonly answerAll: () => void
  readonly close: () => Promise<void>
}

const opened = async (options: Partial<AdmissionOptions> = {}): Promise<Opened> => {
  const refused: Array<Refused> = []
  const { admitConnection, admitRequests } = createAdmission({
    maxConnections: 100,
    maxRequests: 100,
    sources: { ofConnection: () => undefined, ofRequest: () => undefined },
    onRefused: (what) => refused.push(what),
    ...options,
  })
  const waiting: Array<() => void> = []
  let begun = 0
  const server = createServer(
    admitRequests((_, response) => {
      begun += 1
      return new Promise<void>((decided) =>
        waiting.push(() => {
          response.end('answer')
          decided()
        }),
      )
    }),
  ).on('connection', admitConnection)
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const close = async (): Promise<void> => {
    server.closeAllConnections()
    await new Promise((done) => server.close(done))
  }
  return { server, refused, begun: () => begun, answerAll: () => waiting.splice(0).forEach((each) => each()), close }
}

const portOf = ({ server }: Opened): number => (server.address() as AddressInfo).port

type Peer = { readonly socket: Socket; readonly received: () => string; readonly ended: Promise<void> }

const peer = async (service: Opened): Promise<Peer> => {
  const socket = connect(portOf(service), '127.0.0.1').on('error', () => undefined)
  let received = ''
  socket.on('data', (chunk: Buffer) => (received += chunk.toString()))
  const ended = new Promise<void>((over) => socket.once('close', () => over()))
  await new Promise((done) => socket.once('connect', done))
  return { socket, ended, received: () => received }
}

const until = async (isSo: () => boolean): Promise<void> => {
  const deadline = Date.now() + 5_000
  while (!isSo()) {
    if (Date.now() > deadline) throw new Error('it has not come about')
    await new Promise((done) => setTimeout(done, 5))
  }
}

const answers = ({ received }: Peer, status: number): number => received().split(`HTTP/1.1 ${status} `).length - 1

const admission = suite('admission')

admission('sixteen requests may be under way on one connection', async () => {
  const service = await opened()
  const one = await peer(service)
  one.socket.write(request.repeat(16))
  await until(() => service.begun() === 16)
  service.answerAll()
  await until(() => answers(one, 200) === 16)
  one.socket.write(request)
  await until(() => service.begun() === 17)
  assert.equal(service.refused, [])
  await service.close()
})

admission('a connection with more is ended, and none of what came with them is begun', async () => {
  const service = await opened()
  const one = await peer(service)
  one.socket.write(request.repeat(2_000))
  await one.ended
  assert.equal([service.begun(), service.refused], [0, ['pipelining']])
  await service.close()
})

admission('over the number in all the answer is 503 with Retry-After, and the connection ends', async () => {
  const service = await opened({ maxRequests: 2 })
  const one = await peer(service)
  const other = await peer(service)
  one.socket.write(request.repeat(2))
  await until(() => service.begun() === 2)
  other.socket.write(request)
  await other.ended
  assert.match(other.received(), /^HTTP\/1\.1 503 [\s\S]*Retry-After: 1\r\n[\s\S]*Connection: close\r\n/)
  assert.equal([service.begun(), service.refused], [2, ['request']])
  service.answerAll()
  await until(() => answers(one, 200) === 2)
  const third = await peer(service)
  third.socket.write(request)
  await until(() => service.begun() === 3)
  await service.close()
})

admission('a place is held until the request is decided, although its connection is gone', async () => {
  const service = await opened({ maxRequests: 2 })
  const one = await peer(service)
  one.socket.write(request.repeat(2))
  await until(() => service.begun() === 2)
  one.socket.destroy()
  const other = await peer(service)
  other.socket.write(request)
  await other.ended
  assert.is(answers(other, 503), 1)
  service.answerAll()
  await new Promise((done) => setTimeout(done, 20))
  const third = await peer(service)
  third.socket.write(request.repeat(2))
  await until(() => service.begun() === 4)
  await service.close()
})

admission('after a refused request nothing more is taken on its connection', async () => {
  const service = await opened({ maxRequests: 1 })
  const one = await peer(service)
  one.socket.write(request.repeat(2_000))
  await one.ended
  assert.equal([service.begun(), service.refused], [0, ['request']])
  await service.close()
})

admission('connections over the number are closed, and a source cannot take the places of another one', async () => {
  const byAddress: AdmissionOptions['sources'] = {
    ofConnection: ({ remoteAddress }) => sourceOf(remoteAddress),
    ofRequest: () => undefined,
  }
  const service = await opened({ maxConnections: 4, sources: byAddress })
  const first = await peer(service)
  const second = await peer(service)
  await (
    await peer(service)
  ).ended
  assert.equal(service.refused, ['connection'])
  first.socket.destroy()
  await new Promise((done) => setTimeout(done, 20))
  const third = await peer(service)
  third.socket.write(request)
  await until(() => service.begun() === 1)
  assert.not(second.socket.destroyed)
  await service.close()
})

admission.run()
