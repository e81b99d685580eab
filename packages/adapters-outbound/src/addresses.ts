// All questions about IP addresses: which are public, on loopback, or in a network that the operator allows.
import ipaddr from 'ipaddr.js'
import { isIP } from 'node:net'

type Address = ipaddr.IPv4 | ipaddr.IPv6

// RFC 5952 §4: in hexadecimal only, because ipaddr.js reads ::8.8.8.8 as ::ffff:8.8.8.8, and a socket does not
const withoutDots = (address: string): string => new URL(`https://[${address}]`).hostname.slice(1, -1)

/**
 * An address as a socket reports it, without a zone. An IPv4 address that is mapped into IPv6 becomes the IPv4 address.
 */
const parseAddress = (text: string): Address | undefined => {
  const version = isIP(text)
  if (version === 0 || text.includes('%')) return undefined
  return ipaddr.process(version === 6 ? withoutDots(text) : text)
}

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

const networkOf = (text: string): readonly [Address, number] => {
  if (text.includes('/')) return ipaddr.parseCIDR(text)
  const address = ipaddr.process(text)
  return [address, address.kind() === 'ipv4' ? 32 : 128]
}

/** Whether an address is public or in one of the networks, which must be valid CIDRs or addresses. */
export const allowingNetworks = (networks: ReadonlyArray<string>): ((address: string) => boolean) => {
  const allowed = networks.map(networkOf)
  return (text) => {
    const address = parseAddress(text)
    return (
      isPublicAddress(text) ||
      allowed.some(([network, bits]) => address?.kind() === network.kind() && address.match(network, bits))
    )
  }
}
