import { Client } from 'undici'
import { type OutboundOptions, maxHeader } from './outbound-options.js'
import { pinnedConnector } from './pinned-connector.js'

/** A new HTTP client for each request: no connection and no TLS session outlives the response. */
export const connectTo = (
  { origin }: URL,
  addresses: ReadonlyArray<string>,
  options: OutboundOptions,
  signal: AbortSignal,
): Client =>
  new Client(origin, {
    connect: pinnedConnector(addresses, options, signal),
    maxHeaderSize: maxHeader,
    // The signal limits the whole request, so that the timeouts of its parts are off.
    headersTimeout: 0,
    bodyTimeout: 0,
  })
