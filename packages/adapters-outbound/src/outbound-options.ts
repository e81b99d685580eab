import { isPublicAddress } from './is-public-address.js'
import { type Lookup, lookUp } from './look-up.js'
import type { Places } from './turnstile.js'

/** How requests are sent, and how many at once. */
export type OutboundOptions = Places & {
  /** Whether a connection to the address is allowed. */
  readonly allowsAddress: (address: string) => boolean
  /** Every address of a host. */
  readonly lookup: Lookup
  /** The name servers that are asked, each as an address, with a port or without; those of the machine when undefined. */
  readonly servers: ReadonlyArray<string> | undefined
  /** Milliseconds until a name server that does not answer is asked once more. */
  readonly lookupTimeout: number
  /** The certificates that are trusted in place of the well-known ones. */
  readonly ca: string | undefined
  /** Milliseconds for each of these: a place, the addresses of the host, and its answer to the last byte. */
  readonly timeLimit: number
}

export const largestBody = 65_536
export const largestHeader = 16_384

/** For what registrants name. Each of them takes a few places, so that one cannot keep the others out. */
export const strictOptions: OutboundOptions = {
  allowsAddress: isPublicAddress,
  lookup: lookUp,
  servers: undefined,
  lookupTimeout: 700,
  ca: undefined,
  timeLimit: 2_500,
  maxAtOnce: 32,
  maxAtOnceEach: 4,
  maxWaiting: 256,
  maxWaitingEach: 32,
}
