import type { IncomingMessage } from 'node:http'
import { type Socket, isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

export type Address = ipaddr.IPv4 | ipaddr.IPv6

/** As a socket writes it: ipaddr.js also reads `1`, `10.1` and `0x7f000001`. */
export const parseAddress = (text: string): Address | undefined => (isIP(text) === 0 ? undefined : ipaddr.process(text))

const toRange = (text: string): readonly [Address, number] => {
  const [address, bits] = text.includes('/') ? ipaddr.parseCIDR(text) : [ipaddr.process(text), undefined]
  return [address, bits ?? (address.kind() === 'ipv4' ? 32 : 128)]
}

const isInside = (address: Address, [network, bits]: readonly [Address, number]): boolean =>
  address.kind() === network.kind() && address.match(network, bits)

/** Whether an address is in one of the ranges. */
export const trustedAmong = (trustedProxies: ReadonlyArray<string>): ((address: Address) => boolean) => {
  const ranges = trustedProxies.map(toRange)
  return (address) => ranges.some((range) => isInside(address, range))
}

const forwardedFor = (request: Pick<IncomingMessage, 'headers'>): ReadonlyArray<string> =>
  [request.headers['x-forwarded-for'] ?? []]
    .flat()
    .join(',')
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')

export type RemoteAddress = (request: Pick<IncomingMessage, 'headers' | 'socket'>) => string

type Peer = { readonly address: Address | undefined; readonly text: string; readonly trusted: boolean }

/**
 * The address of the client: the peer, or when that is a trusted proxy, the last address of X-Forwarded-For that is not
 * a trusted proxy. An entry that is not an address ends the search at the proxy that wrote it.
 */
export const remoteAddress = (trustedProxies: ReadonlyArray<string>): RemoteAddress => {
  const isTrusted = trustedAmong(trustedProxies)
  const clientBehind = (address: Address, hops: ReadonlyArray<string>): Address => {
    const next = isTrusted(address) ? parseAddress(hops.at(-1) ?? '') : undefined
    return next === undefined ? address : clientBehind(next, hops.slice(0, -1))
  }
  const peerOf = ({ remoteAddress: reported = '' }: Socket): Peer => {
    const address = parseAddress(reported)
    return { address, text: address?.toString() ?? '', trusted: address !== undefined && isTrusted(address) }
  }
  // A connection has one peer and carries many requests.
  const peers = new WeakMap<Socket, Peer>()
  const peerAt = (socket: Socket): Peer => {
    const known = peers.get(socket)
    if (known !== undefined) return known
    const peer = peerOf(socket)
    // A closed connection has no address any more; this absence is not cached.
    if (peer.address !== undefined) peers.set(socket, peer)
    return peer
  }
  return (request) => {
    const { address, text, trusted } = peerAt(request.socket)
    return address !== undefined && trusted ? clientBehind(address, forwardedFor(request)).toString() : text
  }
}

/** Whether the peer of a request is a trusted proxy. */
export const isFromTrusted = (
  trustedProxies: ReadonlyArray<string>,
): ((request: Pick<IncomingMessage, 'socket'>) => boolean) => {
  if (trustedProxies.length === 0) return () => false
  const isTrusted = trustedAmong(trustedProxies)
  return ({ socket }) => {
    const address = parseAddress(socket.remoteAddress ?? '')
    return address !== undefined && isTrusted(address)
  }
}
