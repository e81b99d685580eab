import * as E from 'fp-ts/lib/Either.js'
import type { RequestListener } from 'node:http'
import { connect } from 'node:net'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createAdmission } from '../../src/server/admission.js'
import { type ListeningServer, listen } from '../../src/server/listening.js'

const admission = createAdmission({
  maxConnections: 10,
  maxRequests: 10,
  sources: { ofConnection: () => undefined, ofRequest: () => undefined },
  onRefused: () => undefined,
})
const options = { host: '127.0.0.1', port: 0, admission, drainLimit: 200, onError: () => undefined }

const listening = async (listener: RequestListener): Promise<ListeningServer> => {
  const server = await listen(options)()
  if (E.isLeft(server)) throw new Error(server.left)
  server.right.serve(listener)
  return server.right
}

const get = async ({ port }: ListeningServer): Promise<string> => (await fetch(`http://127.0.0.1:${port}`)).text()

const entrance = <A>(): { entered: Promise<A>; enter: (value: A) => void } => {
  const doors: Array<(value: A) => void> = []
  const entered = new Promise<A>((door) => doors.push(door))
  return { entered, enter: (value) => doors.forEach((door) => door(value)) }
}

const server = suite('listening server')

server('a request that comes before the listener waits for it, and is answered once', async () => {
  const opened = await listen(options)()
  if (E.isLeft(opened)) throw new Error(opened.left)
  const { port, serve, close } = opened.right
  const answers = [get(opened.right), get(opened.right)]
  await new Promise((done) => setTimeout(done, 50))
  let requests = 0
  serve((_, response) => response.end(`${port}: ${(requests += 1)}`))
  assert.equal((await Promise.all(answers)).sort(), [`${port}: 1`, `${port}: 2`])
  assert.is(await get(opened.right), `${port}: 3`)
  await close()
})

server('a port in use is refused by name', async () => {
  const first = await listening((_, response) => response.end())
  const second = await listen({ ...options, port: first.port })()
  assert.match(E.isLeft(second) ? second.left : '', `port ${first.port} (the port is in use, EADDRINUSE)`)
  await first.close()
})

server('an address that is none of this machine is refused by the settings of both ports', async () => {
  const opened = await listen({ ...options, host: '192.0.2.1' })()
  assert.match(E.isLeft(opened) ? opened.left : '', 'host and port, or management-host and management-port')
})

server('closing lets a running request finish, and takes no new connection', async () => {
  const { entered, enter } = entrance<() => void>()
  const opened = await listening((_, response) => enter(() => response.end('finished')))
  const answer = get(opened)
  const finish = await entered
  const closed = opened.close()
  assert.is(await get(opened).catch(() => 'refused'), 'refused')
  finish()
  assert.is(await answer, 'finished')
  await closed
})

server('a connection that is never idle gets its last answer', async () => {
  const { entered, enter } = entrance<() => void>()
  const opened = await listening((request, response) =>
    request.url === '/held' ? enter(() => response.end('held')) : response.end('last'),
  )
  const received: Array<string> = []
  const socket = connect(opened.port, '127.0.0.1')
  const ended = new Promise((end) => socket.on('close', end))
  socket.on('data', (chunk) => received.push(chunk.toString()))
  socket.write('GET /held HTTP/1.1\r\nHost: a\r\n\r\n')
  const finish = await entered
  const closed = opened.close()
  socket.write('GET /next HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(2))
  await new Promise((done) => setTimeout(done, 20))
  finish()
  await Promise.all([ended, closed])
  assert.is(received.join('').split('HTTP/1.1 200 OK').length - 1, 2)
  assert.match(received.join(''), /Connection: close[\s\S]*last/)
})

server('closing ends a request that outlives the drain limit, and a connection that asks nothing', async () => {
  const { entered, enter } = entrance<undefined>()
  const opened = await listening(() => enter(undefined))
  const silent = connect(opened.port, '127.0.0.1')
  const silentEnded = new Promise((ended) => silent.on('close', ended))
  const answer = get(opened).catch(() => 'ended')
  await entered
  await opened.close()
  assert.is(await answer, 'ended')
  await silentEnded
})

server.run()
