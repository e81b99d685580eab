// Two instances on one store behind one URL, as a load balancer has them.
import { createServer, request as forward, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Service } from '../../../src/compose.js'
import { type World, startTwo, stopTwo } from '../../support/two-services.js'

export type Balanced = World & {
  /** The service as clients reach it. */
  readonly service: Service
  /** From now on this instance answers. */
  readonly turnTo: (instance: Service) => void
  readonly close: () => Promise<void>
}

const listening = (server: Server): Promise<number> =>
  new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port)))

export const startBalanced = async (flags: Readonly<Record<string, string>> = {}, path = ''): Promise<Balanced> => {
  const target: { port: string } = { port: '' }
  const server = createServer((request, response) => {
    const { method, url: path, headers } = request
    const sent = forward({ host: '127.0.0.1', port: target.port, method, path, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.rawHeaders)
      answer.pipe(response)
    })
    request.pipe(sent)
  })
  const base = `http://127.0.0.1:${await listening(server)}${path}`
  const world = await startTwo({
    engine: 'oidc-provider',
    'registration-status': '201',
    'base-url': base,
    'encryption-key': Buffer.alloc(32, 7).toString('base64url'),
    ...flags,
  })
  const turnTo = ({ url }: Service): void => void (target.port = new URL(url).port)
  turnTo(world.one)
  const close = async (): Promise<void> => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
    await stopTwo(world)
  }
  return { ...world, service: { ...world.one, url: base }, turnTo, close }
}
