import { isPublicAddress } from './addresses.js'
import type { Places } from './limiter.js'
import { type Lookup, lookUp } from './look-up.js'

/** How requests are sent, and how many concurrently. */
export type OutboundOptions = Places & {
  /** Whether a connection to the address is allowed. */
  readonly allowsAddress: (address: string) => boolean
  /** The origin on loopback, https or http, to which requests are permitted beside the others: one that the operator names. */
  readonly loopbackOrigin: string | undefined
  /** Whether requests go to loopback by http, too: where the addresses are allowed. */
  readonly httpOnLoopback: boolean
  /** All addresses of a host. */
  readonly lookup: Lookup
  /** The name servers, as addresses with or without a port; those of the system when undefined. */
  readonly servers: ReadonlyArray<string> | undefined
  /** Milliseconds until a name server that does not answer is queried again. */
  readonly lookupTimeout: number
  /** Trusted certificates in place of the well-known ones. */
  readonly ca: string | undefined
  /** Milliseconds for each of: waiting for a place, the lookup, and the complete response. */
  readonly timeLimit: number
  /** Sends a request, with the headers by which its receiver continues the trace of the present one. */
  readonly traced: Traced
}

export type Traced = <A>(
  request: { readonly method: string; readonly host: string },
  send: (headers: Readonly<Record<Lowercase<string>, string>>) => Promise<A>,
) => Promise<A>

/** For hosts that registrants name. A requester gets a few places only, so that it cannot block the others. */
export const strictOptions: OutboundOptions = {
  allowsAddress: isPublicAddress,
  loopbackOrigin: undefined,
  httpOnLoopback: false,
  lookup: lookUp,
  servers: undefined,
  lookupTimeout: 700,
  ca: undefined,
  timeLimit: 2_500,
  traced: (_, send) => send({}),
  maxAtOnce: 32,
  maxAtOnceEach: 4,
  maxWaiting: 256,
  maxWaitingEach: 32,
}
