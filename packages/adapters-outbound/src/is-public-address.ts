import ipaddr from 'ipaddr.js'
import { parseAddress } from './ip-address.js'

// RFC 4291 §2.4, IANA IPv6 Global Unicast Address Assignments: no address outside of 2000::/3 is assigned on the
// Internet
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3')

/**
 * Whether an address is public: not in IANA's special-purpose registries (RFC 6890). An IPv4 address mapped into IPv6
 * counts as the IPv4 address; RFC 4007 §11: an address with a zone is never global.
 */
export const isPublicAddress = (address: string): boolean => {
  const ip = parseAddress(address)
  if (ip === undefined) return false
  return ip.range() === 'unicast' && (ip instanceof ipaddr.IPv4 || ip.match(globalUnicast))
}

/** Whether an address is loopback (RFC 1122 §3.2.1.3, RFC 4291 §2.5.3). */
export const isLoopbackAddress = (address: string): boolean => parseAddress(address)?.range() === 'loopback'
