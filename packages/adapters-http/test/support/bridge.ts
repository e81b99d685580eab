// The shell of web standards served by node:http, as on Node. The bridge itself answers 400 for an invalid Host,
// normalizes the path like any URL parser, reads for half a second after an unread body, delays the first chunks of a
// stream (500 when it fails meanwhile), and prints the error of a stream.
import { getRequestListener } from '@hono/node-server'
import { IncomingMessage } from 'node:http'
import type * as Fetch from '../../src/fetch.js'
import type * as Koa from '../../src/index.js'

/** Makes listeners of settings and ports. */
export type Shell = Pick<typeof Koa, 'createPublicListener' | 'createManagementListener'>

type PeerOf = (request: Request) => IncomingMessage

/** Makes the handler with a function that finds Node's request for a Request. */
const bridged = (make: (peerOf: PeerOf) => Fetch.FetchHandler): Koa.Listener => {
  const peers = new WeakMap<Request, IncomingMessage>()
  const handler = make((request) => {
    const peer = peers.get(request)
    if (peer === undefined) throw new Error('a request that did not come over the bridge')
    return peer
  })
  const listener = getRequestListener(
    (request, { incoming }) => {
      if (incoming instanceof IncomingMessage) peers.set(request, incoming)
      return handler(request)
    },
    // Request and Response stay those of the platform.
    { overrideGlobalObjects: false },
  )
  return (request, response) => listener(request, response)
}

const requested = ({ trace, ...ports }: Koa.ListenerPorts, peerOf: PeerOf): Fetch.HandlerPorts => ({
  ...ports,
  ...(trace === undefined ? {} : { trace: (request, method) => trace(peerOf(request), method) }),
  requestId: (request) => ports.requestId(peerOf(request)),
  remoteAddress: (request) => ports.remoteAddress(peerOf(request)),
})

export const bridgedShell = ({
  createPublicHandler,
  createManagementHandler,
}: Pick<typeof Fetch, 'createPublicHandler' | 'createManagementHandler'>): Shell => ({
  createPublicListener: (settings, ports, served) =>
    bridged((peerOf) => createPublicHandler(settings, requested(ports, peerOf), served)),
  createManagementListener: (settings, ports) =>
    bridged((peerOf) => createManagementHandler(settings, requested(ports, peerOf))),
})
