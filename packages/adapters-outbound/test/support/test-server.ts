import { readFileSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import { type AddressInfo, type Server, type Socket, createServer as createTcpServer } from 'node:net'
import { networkInterfaces } from 'node:os'
import { type TLSSocket, createServer as createTlsServer } from 'node:tls'

const read = (name: string): string => readFileSync(new URL(name, import.meta.url), 'utf8')

/** For localhost, sector.example and 127.0.0.1, self-signed, until 2120. */
export const certificate = read('./certificate.pem')
const identity = { cert: certificate, key: read('./key.pem') }

export type TestServer = {
  readonly port: number
  /** The number of TCP connections so far. */
  readonly connections: () => number
  /** Resolves when none of them is open. */
  readonly quiet: () => Promise<void>
}

const wait = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds))

export const until = async (holds: () => boolean, patience = 10_000): Promise<void> => {
  const end = performance.now() + patience
  while (!holds()) {
    if (performance.now() > end) throw new Error('it did not come to pass')
    await wait(5)
  }
}

const listen = async (server: Server, host: string): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, host, () => resolve())
  })

const withServer = async (server: Server, host: string, test: (server: TestServer) => Promise<void>): Promise<void> => {
  const open = new Set<Socket>()
  const count = { connections: 0 }
  server.on('connection', (socket: Socket) => {
    count.connections += 1
    open.add(socket)
    socket.on('error', () => undefined).on('close', () => open.delete(socket))
  })
  await listen(server, host)
  const { port } = server.address() as AddressInfo
  try {
    await test({ port, connections: () => count.connections, quiet: () => until(() => open.size === 0) })
  } finally {
    open.forEach((socket) => socket.destroy())
    await new Promise((resolve) => server.close(resolve))
  }
}

type Use = (server: TestServer) => Promise<void>

export const withHttps = (listener: RequestListener, use: Use): Promise<void> =>
  withServer(createHttpsServer(identity, listener), '127.0.0.1', use)

export const withTls = (onSocket: (socket: TLSSocket) => void, use: Use): Promise<void> =>
  withServer(
    createTlsServer(identity, (socket) => {
      socket.on('error', () => undefined)
      onSocket(socket)
    }).on('tlsClientError', () => undefined),
    '127.0.0.1',
    use,
  )

type OnSocket = (socket: Socket) => void

export const withTcp = (use: Use, host = '127.0.0.1', onSocket: OnSocket = () => undefined): Promise<void> =>
  withServer(
    createTcpServer((socket) => onSocket(socket.resume())),
    host,
    use,
  )

const hasIpv6 = Object.values(networkInterfaces()).some((each) => each?.some(({ family }) => family === 'IPv6'))

/** A listener on every loopback address, for requests that must not arrive. */
export const withTrap = (use: Use): Promise<void> => withTcp(use, hasIpv6 ? '::' : '0.0.0.0')
