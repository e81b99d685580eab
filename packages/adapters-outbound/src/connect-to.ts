// The part of a request that needs the HTTP client, which is loaded apart.
import { type LookupFunction, isIP } from 'node:net'
import { Client, buildConnector } from 'undici'
import { OutboundError } from './outbound-failure.js'
import type { OutboundOptions } from './outbound-options.js'

// The lookup returns the checked addresses, because a second query could return others.
const pinnedLookup =
  (addresses: ReadonlyArray<string>): LookupFunction =>
  (_, { all }, answer) => {
    const [first = ''] = addresses
    if (all === true)
      answer(
        null,
        addresses.map((address) => ({ address, family: isIP(address) })),
      )
    else answer(null, first, isIP(first))
  }

/** Connects with TLS to one of the addresses, and checks the address before any data is sent through TLS. */
const pinnedConnector = (
  addresses: ReadonlyArray<string>,
  { allowsAddress, ca }: OutboundOptions,
  signal: AbortSignal,
): buildConnector.connector => {
  const connect = buildConnector({
    lookup: pinnedLookup(addresses),
    autoSelectFamily: true,
    // Explicit, because NODE_TLS_REJECT_UNAUTHORIZED could disable it.
    rejectUnauthorized: true,
    ...(ca === undefined ? {} : { ca }),
    maxCachedSessions: 0,
    // The signal ends the attempt.
    timeout: 0,
    signal,
  })
  return (target, done) =>
    connect(target, (error, socket) => {
      if (error !== null) return done(error, null)
      if (allowsAddress(socket.remoteAddress ?? '')) return done(null, socket)
      socket.destroy()
      done(new OutboundError('forbidden', 'the connection leads to a special-purpose address'), null)
    })
}

/** A new HTTP client for each request: no connection and no TLS session outlives the response. */
export const connectTo = (
  { origin }: URL,
  addresses: ReadonlyArray<string>,
  options: OutboundOptions,
  signal: AbortSignal,
): Client =>
  new Client(origin, {
    connect: pinnedConnector(addresses, options, signal),
    maxHeaderSize: 16_384,
    // The signal limits the whole request, so that the timeouts of its parts are off.
    headersTimeout: 0,
    bodyTimeout: 0,
  })
