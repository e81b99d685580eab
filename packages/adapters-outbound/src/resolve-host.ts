import { isIP } from 'node:net'
import type { OutboundOptions } from './outbound-options.js'

/** The addresses of a name or of an address itself. One that is not allowed spoils them all: a name is trusted whole or not. */
export const resolveHost = async (
  host: string,
  { lookup, allowsAddress }: OutboundOptions,
): Promise<ReadonlyArray<string>> => {
  const addresses = isIP(host) === 0 ? await lookup(host) : [host]
  if (addresses.length === 0) throw new Error('the host has no address')
  if (!addresses.every(allowsAddress)) throw new Error('the host has a special-purpose address')
  return addresses
}
