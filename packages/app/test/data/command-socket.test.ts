import * as E from 'fp-ts/lib/Either.js'
import { chmodSync, existsSync, lchownSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { type RequestListener, type Server, createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { getuid } from 'node:process'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Service } from '../../src/compose.js'
import { maxSocketPath, socketPath } from '../../src/config/database.js'
import { loadConfig } from '../../src/config/load-config.js'
import { readFile } from '../../src/config/files.js'
import { permitCommand } from '../../src/running/presence.js'
import { type OpenedData, openData } from '../../src/data/open-data.js'
import { run, started } from '../cli/run.js'

type World = { directory: string; socket: string }

const command = suite<World>('the socket of commands')

command.before.each((context) => {
  context.directory = mkdtempSync(join(tmpdir(), 'clientele-'))
  context.socket = socketPath(context.directory, 'linux')
})
command.after.each(({ directory }) => rmSync(directory, { recursive: true }))

const issuing = (directory: string) => run(['token', 'issue', '--scope', 'client-reg', '--data-dir', directory])

/** Opens the data, like a service that is just starting. */
const opened = async (directory: string): Promise<OpenedData> => {
  const loaded = loadConfig({ flags: { 'data-dir': directory }, environment: {}, readFile })
  if (E.isLeft(loaded)) throw new Error(JSON.stringify(loaded.left))
  const data = await openData(loaded.right.config, {
    onFatal: () => undefined,
    expectExisting: false,
    admit: permitCommand,
  })()
  if (E.isLeft(data)) throw new Error(data.left.message)
  return data.right
}

/** Listens at the path of the service. */
const stranger = async (socket: string, listener: RequestListener): Promise<Server> => {
  mkdirSync(dirname(socket), { recursive: true })
  const server = createServer(listener)
  await new Promise<void>((done) => server.listen(socket, done))
  return server
}

const closed = (server: Server): Promise<void> => new Promise((done) => server.close(() => done()))

const modeOf = (path: string): number => statSync(path).mode & 0o777

command('is its owner’s alone, whatever the mask of the process, and goes with the service', async (context) => {
  const { directory, socket } = context
  mkdirSync(dirname(socket))
  chmodSync(dirname(socket), 0o755)
  const mask = process.umask(0)
  const service: Service = await started({ 'data-dir': directory }).finally(() => process.umask(mask))
  assert.equal([modeOf(socket), modeOf(dirname(socket))], [0o600, 0o700])
  assert.is((await issuing(directory)).status, 0)
  await service.stop()
  assert.not.ok(existsSync(socket))
})

command('a service that is just starting is told, and a file in place of the socket', async ({ directory, socket }) => {
  const data = await opened(directory)
  const starting = await issuing(directory)
  mkdirSync(dirname(socket))
  writeFileSync(socket, '')
  const file = await issuing(directory)
  await data.store.close()
  assert.equal([starting.status, file.status], [1, 1])
  assert.match(starting.errors, 'just starting or stopping: try again')
  assert.match(file.errors, `${socket} is no socket`)
})

command('what a crashed service left is removed by whoever takes the data next', async ({ directory, socket }) => {
  await (await opened(directory)).store.close()
  mkdirSync(dirname(socket))
  writeFileSync(socket, '')
  assert.is((await issuing(directory)).status, 0)
  assert.not.ok(existsSync(socket))
})

// Only root may change the owner of a file.
if (getuid?.() === 0)
  command('a socket of another user is asked nothing', async ({ directory, socket }) => {
    const data = await opened(directory)
    const requested: Array<string> = []
    const server = await stranger(socket, (request, response) => {
      requested.push(request.url ?? '')
      response.end('{}')
    })
    lchownSync(socket, 12_345, 12_345)
    const refused = await issuing(directory)
    lchownSync(socket, 0, 0)
    const trusted = await issuing(directory)
    await closed(server)
    await data.store.close()
    assert.match(refused.errors, `${socket} belongs to the user 12345`)
    assert.match(trusted.errors, 'the running service answered 200')
    assert.equal(requested, ['/health/live', '/direct-authz'])
  })

command('a socket at which nothing answers is told only where the data is in use', async ({ directory, socket }) => {
  const data = await opened(directory)
  const server = await stranger(socket, (request) => request.socket.destroy())
  const { status, errors } = await issuing(directory)
  await data.store.close()
  const free = await issuing(directory)
  await closed(server)
  assert.is(status, 1)
  assert.match(errors, `the running service cannot be reached at ${socket} (socket hang up): try again, or see its log`)
  assert.is(free.status, 0)
})

command('a change to which no answer came may be done, which is told', async ({ directory, socket }) => {
  await (await opened(directory)).store.close()
  const server = await stranger(socket, (request, response) => {
    if (request.method === 'POST') request.socket.destroy()
    else response.end('{}')
  })
  const { status, errors } = await issuing(directory)
  await closed(server)
  assert.is(status, 1)
  assert.match(errors, `no answer came from the running service at ${socket} (socket hang up), which may have done`)
})

command('while a service answers, no command opens the data', async ({ directory, socket }) => {
  await (await opened(directory)).store.close()
  const server = await stranger(socket, (_, response) => response.end('{}'))
  const { errors } = await issuing(directory)
  // Opening the data removes a socket first.
  const isThere = existsSync(socket)
  await closed(server)
  assert.match(errors, 'the running service answered 200')
  assert.ok(isThere)
})

command('a directory whose socket would have too long a path is refused by the setting', async ({ directory }) => {
  const fill = maxSocketPath - Buffer.byteLength(socketPath(directory, 'linux')) - 1
  const longest = join(directory, 'a'.repeat(fill))
  const longer = join(directory, 'a'.repeat(fill + 1))
  const service = await started({ 'data-dir': longest })
  const issued = await issuing(longest)
  await service.stop()
  const refused = await issuing(longer)
  assert.is(issued.status, 0)
  assert.is(refused.status, 1)
  assert.match(
    refused.errors,
    /^data-dir \(flag --data-dir\) is too long: .* 103 bytes: name a directory with a shorter/,
  )
})

command('on Windows it is a named pipe, another one for another directory', () => {
  const one = socketPath('C:\\one', 'win32')
  const other = socketPath('C:\\other', 'win32')
  assert.match(one, /^\\\\\.\\pipe\\clientele-[0-9a-f]{64}$/)
  assert.is.not(one, other)
})

command.run()
