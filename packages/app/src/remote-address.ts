import type { IncomingMessage } from 'node:http'
import ipaddr from 'ipaddr.js'

type Address = ipaddr.IPv4 | ipaddr.IPv6

const parseAddress = (text: string): Address | undefined => (ipaddr.isValid(text) ? ipaddr.process(text) : undefined)

const toRange = (text: string): readonly [Address, number] => {
  const [address, bits] = text.includes('/') ? ipaddr.parseCIDR(text) : [ipaddr.process(text), undefined]
  return [address, bits ?? (address.kind() === 'ipv4' ? 32 : 128)]
}

const isWithin = (address: Address, [network, bits]: readonly [Address, number]): boolean =>
  address.kind() === network.kind() && address.match(network, bits)

const forwardedFor = (request: Pick<IncomingMessage, 'headers'>): ReadonlyArray<string> =>
  [request.headers['x-forwarded-for'] ?? []]
    .flat()
    .join(',')
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')

export type RemoteAddress = (request: Pick<IncomingMessage, 'headers' | 'socket'>) => string

/**
 * Who asks: the peer, or when that is a trusted proxy, the last address of X-Forwarded-For that no trusted proxy has.
 * An entry that is not an address ends the search at the proxy that wrote it.
 */
export const remoteAddress = (trustedProxies: ReadonlyArray<string>): RemoteAddress => {
  const ranges = trustedProxies.map(toRange)
  const isTrusted = (address: Address): boolean => ranges.some((range) => isWithin(address, range))
  const beyond = (address: Address, hops: ReadonlyArray<string>): Address => {
    const next = isTrusted(address) ? parseAddress(hops.at(-1) ?? '') : undefined
    return next === undefined ? address : beyond(next, hops.slice(0, -1))
  }
  return (request) => {
    const peer = parseAddress(request.socket.remoteAddress ?? '')
    return peer === undefined ? '' : beyond(peer, forwardedFor(request)).toString()
  }
}
