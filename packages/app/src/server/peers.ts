// Who asks: the peer of a connection, or behind a trusted proxy whom the proxy names, with what the proxy says of the request.
import { type ListenerPorts, parseRequestId, parseTraceParent } from '@clientele/adapters-http'
import { type Source, sourceOf } from '@clientele/domain/kernel'
import ipaddr from 'ipaddr.js'
import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { type Socket, isIP } from 'node:net'
import { beginTrace } from '../observing/log.js'

type Address = ipaddr.IPv4 | ipaddr.IPv6

/** As a socket writes it: ipaddr.js also reads `1`, `10.1` and `0x7f000001`. */
const parseAddress = (text: string): Address | undefined => (isIP(text) === 0 ? undefined : ipaddr.process(text))

const toRange = (text: string): readonly [Address, number] => {
  const [address, bits] = text.includes('/') ? ipaddr.parseCIDR(text) : [ipaddr.process(text), undefined]
  return [address, bits ?? (address.kind() === 'ipv4' ? 32 : 128)]
}

const isInside = (address: Address, [network, bits]: readonly [Address, number]): boolean =>
  address.kind() === network.kind() && address.match(network, bits)

const forwardedFor = (request: Pick<IncomingMessage, 'headers'>): ReadonlyArray<string> =>
  [request.headers['x-forwarded-for'] ?? []]
    .flat()
    .join(',')
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')

type Asking = Pick<IncomingMessage, 'headers' | 'socket'>

/** The other end of a connection. A trusted proxy is no source, because it has the connections of many clients. */
type Peer = {
  readonly address: Address
  readonly text: string
  readonly isTrusted: boolean
  readonly source: Source | undefined
  /** Whom the last request counted for: a connection carries many requests, mostly of the same client. */
  last: { readonly text: string; readonly source: Source | undefined } | undefined
}

/** Among whom the places for connections and requests are shared. */
export type Sources = {
  readonly ofConnection: (socket: Socket) => Source | undefined
  /** Each request of a trusted proxy counts for the address that the proxy names. */
  readonly ofRequest: (request: IncomingMessage) => Source | undefined
}

export type Peers = Required<Pick<ListenerPorts, 'requestId' | 'trace'>> & {
  /**
   * The address of the client: the peer, or when that is a trusted proxy, the last address of X-Forwarded-For that is
   * not a trusted proxy. An entry that is not an address ends the search at the proxy that wrote it.
   */
  readonly remoteAddress: (request: Asking) => string
  readonly sources: Sources
}

/** Of peers that are no trusted proxies, no field is believed: they could make their requests pass for those of others. */
export const createPeers = (trustedProxies: ReadonlyArray<string>): Peers => {
  const ranges = trustedProxies.map(toRange)
  const isTrusted = (address: Address): boolean => ranges.some((range) => isInside(address, range))

  const peers = new WeakMap<Socket, Peer>()
  // A closed connection has no address any more; this absence is not remembered.
  const peerOf = (socket: Socket): Peer | undefined => {
    const known = peers.get(socket)
    if (known !== undefined) return known
    const { remoteAddress: reported = '' } = socket
    const address = parseAddress(reported)
    if (address === undefined) return undefined
    const isProxy = isTrusted(address)
    const source = isProxy ? undefined : sourceOf(reported)
    const peer = { address, text: address.toString(), isTrusted: isProxy, source, last: undefined }
    peers.set(socket, peer)
    return peer
  }

  const clientBehind = (address: Address, hops: ReadonlyArray<string>): Address => {
    const next = isTrusted(address) ? parseAddress(hops.at(-1) ?? '') : undefined
    return next === undefined ? address : clientBehind(next, hops.slice(0, -1))
  }

  const sourceBehind = (peer: Peer, request: Asking): Source | undefined => {
    const client = clientBehind(peer.address, forwardedFor(request))
    const text = client.toString()
    if (peer.last?.text !== text) peer.last = { text, source: isTrusted(client) ? undefined : sourceOf(text) }
    return peer.last.source
  }

  const isFromProxy = ({ socket }: Asking): boolean => ranges.length > 0 && peerOf(socket)?.isTrusted === true

  return {
    remoteAddress: (request) => {
      const peer = peerOf(request.socket)
      if (peer?.isTrusted !== true) return peer?.text ?? ''
      return clientBehind(peer.address, forwardedFor(request)).toString()
    },
    sources: {
      ofConnection: (socket) => peerOf(socket)?.source,
      ofRequest: (request) => {
        const peer = peerOf(request.socket)
        return peer?.isTrusted === true ? sourceBehind(peer, request) : peer?.source
      },
    },
    requestId: (request) => {
      const field = request.headers['x-request-id']
      return (field !== undefined && isFromProxy(request) ? parseRequestId(field) : undefined) ?? randomUUID()
    },
    // W3C Trace Context §3.2
    trace: (request, method) => {
      const { traceparent } = request.headers
      return beginTrace(
        method,
        traceparent !== undefined && isFromProxy(request) ? parseTraceParent(traceparent) : undefined,
      )
    },
  }
}
