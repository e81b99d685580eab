import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

export type Address = ipaddr.IPv4 | ipaddr.IPv6

// RFC 5952 §4: in hexadecimal only, because ipaddr.js reads ::8.8.8.8 as ::ffff:8.8.8.8, and a socket does not
const withoutDots = (address: string): string => new URL(`https://[${address}]`).hostname.slice(1, -1)

/**
 * An address as a socket reports it, without a zone. An IPv4 address that is mapped into IPv6 becomes the IPv4 address.
 */
export const parseAddress = (text: string): Address | undefined => {
  const version = isIP(text)
  if (version === 0 || text.includes('%')) return undefined
  return ipaddr.process(version === 6 ? withoutDots(text) : text)
}
