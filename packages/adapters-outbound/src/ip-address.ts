import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

export type Address = ipaddr.IPv4 | ipaddr.IPv6

// RFC 5952 §4: in hexadecimal only, because ipaddr.js takes ::8.8.8.8 for ::ffff:8.8.8.8, and a socket does not
const withoutDots = (address: string): string => new URL(`https://[${address}]`).hostname.slice(1, -1)

/** An address in a notation that a socket tells, without a zone. One of IPv4 that is mapped into IPv6 is the IPv4 address. */
export const parseAddress = (text: string): Address | undefined => {
  const version = isIP(text)
  if (version === 0 || text.includes('%')) return undefined
  return ipaddr.process(version === 6 ? withoutDots(text) : text)
}
