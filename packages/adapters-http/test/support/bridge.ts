// The shell of web standards served by node:http, as its users on Node do it. What the bridge does by itself: it answers 400
// where Host is no host, normalizes the path as any URL parser does, reads on for half a second after a body that was left,
// holds back the first chunks of a stream (500 when it breaks meanwhile), and prints what breaks one.
import { getRequestListener } from '@hono/node-server'
import { IncomingMessage } from 'node:http'
import type * as Fetch from '../../src/fetch.js'
import type * as Koa from '../../src/index.js'

/** What makes listeners of settings and ports. */
export type Shell = Pick<typeof Koa, 'createPublicListener' | 'createManagementListener'>

type PeerOf = (request: Request) => IncomingMessage

/** The handler is made with what finds the request of Node that a Request stands for. */
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
    // So that Request and Response are those of the platform.
    { overrideGlobalObjects: false },
  )
  return (request, response) => listener(request, response)
}

const requested = (ports: Koa.ListenerPorts, peerOf: PeerOf): Fetch.HandlerPorts => ({
  ...ports,
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
