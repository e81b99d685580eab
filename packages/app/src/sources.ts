// Whom a connection and a request count for where places are shared.
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { Address } from './remote-address.js'
import { parseAddress, trustedAmong } from './remote-address.js'

export type Sources = {
  readonly ofConnection: (socket: Pick<Socket, 'remoteAddress'>) => string | undefined
  readonly ofRequest: (request: IncomingMessage) => string | undefined
}

// RFC 4291 §2.5.4: the last 64 bits of an IPv6 address are of the subscriber's own choice
const networkOf = (address: Address): string =>
  'parts' in address ? address.toNormalizedString().split(':').slice(0, 4).join(':') : address.toString()

/**
 * An IPv4 address, or the /64 of an IPv6 address. A trusted proxy is no source: it has the connections of everybody, and each
 * request counts for whom the proxy names.
 */
export const createSources = (
  trustedProxies: ReadonlyArray<string>,
  remoteAddress: (request: IncomingMessage) => string | undefined,
): Sources => {
  const isTrusted = trustedAmong(trustedProxies)
  const sourceOf = (text: string): string | undefined => {
    const address = parseAddress(text)
    return address === undefined || isTrusted(address) ? undefined : networkOf(address)
  }
  // A connection has mostly one source, and carries many requests.
  const last = new WeakMap<Socket, { readonly text: string; readonly source: string | undefined }>()
  const sourceAt = (socket: Socket, text: string): string | undefined => {
    const known = last.get(socket)
    if (known?.text === text) return known.source
    const source = sourceOf(text)
    last.set(socket, { text, source })
    return source
  }
  return {
    ofConnection: ({ remoteAddress: text = '' }) => sourceOf(text),
    ofRequest: (request) => sourceAt(request.socket, remoteAddress(request) ?? ''),
  }
}
