// A handler of web standards served by node:http, as its users on Node do it.
import { getRequestListener } from '@hono/node-server'
import type { RequestListener } from 'node:http'
import { IncomingMessage } from 'node:http'

type Handler = (request: Request) => Promise<Response>

/** The handler is made with what tells the request of Node that a Request stands for. */
export const bridged = (make: (peerOf: (request: Request) => IncomingMessage) => Handler): RequestListener => {
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
    // So that Request and Response are those of the platform everywhere else.
    { overrideGlobalObjects: false },
  )
  return (request, response) => void listener(request, response)
}
