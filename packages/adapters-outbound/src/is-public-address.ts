import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

// RFC 4291 §2.4, IANA IPv6 Global Unicast Address Assignments: nothing outside of 2000::/3 is anybody's on the Internet
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3')

// RFC 5952 §4: in hexadecimal only, because ipaddr.js takes ::8.8.8.8 for ::ffff:8.8.8.8, and a socket does not
const withoutDots = (address: string): string => new URL(`https://[${address}]`).hostname.slice(1, -1)

/**
 * Whether an address is one of the Internet, and none that IANA's special-purpose registries list (RFC 6890). An IPv4
 * address mapped into IPv6 counts as the IPv4 address.
 */
export const isPublicAddress = (address: string): boolean => {
  const version = isIP(address)
  // RFC 4007 §11: an address with a zone is never a global one
  if (version === 0 || address.includes('%')) return false
  const ip = ipaddr.process(version === 6 ? withoutDots(address) : address)
  return ip.range() === 'unicast' && (ip instanceof ipaddr.IPv4 || ip.match(globalUnicast))
}
