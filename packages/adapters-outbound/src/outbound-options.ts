import { lookup } from 'node:dns/promises'
import { isPublicAddress } from './is-public-address.js'

export type OutboundOptions = {
  /** Whether a connection to the address is allowed. */
  readonly allowsAddress: (address: string) => boolean
  /** Every address of a host. */
  readonly lookup: (hostname: string) => Promise<ReadonlyArray<string>>
  /** The certificates that are trusted in place of the well-known ones. */
  readonly ca: string | undefined
  /** Milliseconds from the start to the last byte, waiting for a place included. */
  readonly timeLimit: number
  /** So many requests are sent at once. */
  readonly mostAtOnce: number
  /** So many wait for a place; any more are refused. */
  readonly mostWaiting: number
}

export const largestBody = 65_536
export const largestHeader = 16_384

export const strictOptions: OutboundOptions = {
  allowsAddress: isPublicAddress,
  lookup: async (hostname) => (await lookup(hostname, { all: true, verbatim: true })).map(({ address }) => address),
  ca: undefined,
  timeLimit: 2_500,
  mostAtOnce: 4,
  mostWaiting: 16,
}
