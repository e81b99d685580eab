import { Client } from 'undici'
import { type OutboundOptions, largestHeader } from './outbound-options.js'
import { pinnedConnector } from './pinned-connector.js'

/** A client of its own for each request: neither a connection nor a TLS session outlives the answer. */
export const connectTo = (
  { origin }: URL,
  addresses: ReadonlyArray<string>,
  options: OutboundOptions,
  signal: AbortSignal,
): Client =>
  new Client(origin, {
    connect: pinnedConnector(addresses, options, signal),
    maxHeaderSize: largestHeader,
    // Because the signal bounds the whole, the clocks of the parts stand still.
    headersTimeout: 0,
    bodyTimeout: 0,
  })
