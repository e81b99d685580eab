import { isIP } from 'node:net'
import { OutboundError } from './outbound-failure.js'
import type { OutboundOptions } from './outbound-options.js'

export const specialPurpose =
  'the host has a special-purpose address: set outbound-allowed-networks if it may be reached nevertheless'

/** The addresses of a host. If one of them is not allowed, the host is refused. */
export const resolveHost = async (
  host: string,
  { lookup, allowsAddress, servers, lookupTimeout }: OutboundOptions,
  signal: AbortSignal,
): Promise<ReadonlyArray<string>> => {
  const addresses = isIP(host) === 0 ? await lookup(host, { servers, lookupTimeout, signal }) : [host]
  if (addresses.length === 0) throw new OutboundError('failed', 'the host has no address')
  if (!addresses.every(allowsAddress)) throw new OutboundError('forbidden', specialPurpose)
  return addresses
}
