import ipaddr from 'ipaddr.js'
import { type Address, parseAddress } from './ip-address.js'
import { isPublicAddress } from './is-public-address.js'

type Network = readonly [Address, number]

const networkOf = (text: string): Network => {
  if (text.includes('/')) return ipaddr.parseCIDR(text)
  const address = ipaddr.process(text)
  return [address, address.kind() === 'ipv4' ? 32 : 128]
}

const isInside = (address: Address, [network, bits]: Network): boolean =>
  address.kind() === network.kind() && address.match(network, bits)

/** Whether an address is public or in one of the networks, which must be valid CIDRs or addresses. */
export const allowingNetworks = (networks: ReadonlyArray<string>): ((address: string) => boolean) => {
  const allowed = networks.map(networkOf)
  return (text) => {
    const address = parseAddress(text)
    return isPublicAddress(text) || (address !== undefined && allowed.some((network) => isInside(address, network)))
  }
}
