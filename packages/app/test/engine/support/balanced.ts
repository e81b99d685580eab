// Two instances on one store behind one URL, as a load balancer has them.
import { createServer, request as forward, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Service } from '../../../src/compose.js'
import { type World, startTwo, stopTwo } from '../../support/two-services.js'

export type Proxy = {
  readonly base: string
  /** From now on the instance at this port answers. */
  readonly turnTo: (port: string) => void
  readonly close: () => Promise<void>
}

export type Balanced = World & {
  /** The service as clients reach it. */
  readonly service: Service
  /** From now on this instance answers. */
  readonly turnTo: (instance: Service) => void
  readonly close: () => Promise<void>
}

const listening = (server: Server): Promise<number> =>
  new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port)))

/** Forwards each request to one instance. An instance that is away is a 502. */
export const startProxy = async (): Promise<Proxy> => {
  const target: { port: string } = { port: '' }
  const server = createServer((request, response) => {
    const { method, url: path, headers } = request
    const to = { agent: false, host: '127.0.0.1', port: target.port, method, path, headers }
    const sent = forward(to, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.rawHeaders)
      answer.on('error', () => response.destroy()).pipe(response)
    })
    sent.on('error', () => (response.headersSent ? response.destroy() : response.writeHead(502).end()))
    request.pipe(sent)
  })
  return {
    base: `http://127.0.0.1:${await listening(server)}`,
    turnTo: (port) => void (target.port = port),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** The instances as one service at the proxy, of which the first answers. */
export const balance = (proxy: Proxy, base: string, world: World): Omit<Balanced, 'close'> => {
  const turnTo = ({ url }: Service): void => proxy.turnTo(new URL(url).port)
  turnTo(world.one)
  return { ...world, service: { ...world.one, url: base }, turnTo }
}

export const startBalanced = async (flags: Readonly<Record<string, string>> = {}, path = ''): Promise<Balanced> => {
  const proxy = await startProxy()
  const base = `${proxy.base}${path}`
  const world = await startTwo({
    engine: 'oidc-provider',
    'registration-status': '201',
    'base-url': base,
    'encryption-key': Buffer.alloc(32, 7).toString('base64url'),
    ...flags,
  })
  const close = async (): Promise<void> => {
    await proxy.close()
    await stopTwo(world)
  }
  return { ...balance(proxy, base, world), close }
}
