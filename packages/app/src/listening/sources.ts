// The sources of connections and requests, among which places are shared.
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { type Address, parseAddress, trustedAmong } from './remote-address.js'

export type Sources = {
  readonly ofConnection: (socket: Pick<Socket, 'remoteAddress'>) => string | undefined
  readonly ofRequest: (request: IncomingMessage) => string | undefined
}

// RFC 4291 §2.5.4: the subscriber chooses the last 64 bits of an IPv6 address
const networkOf = (address: Address): string =>
  'parts' in address ? address.toNormalizedString().split(':').slice(0, 4).join(':') : address.toString()

/**
 * An IPv4 address, or the /64 of an IPv6 address. A trusted proxy is not a source, because it has the connections of
 * many clients: each of its requests counts for the address that the proxy names.
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
  const ofConnection: Sources['ofConnection'] = ({ remoteAddress: text = '' }) => sourceOf(text)
  // A connection carries many requests, mostly of the same source.
  const own = new WeakMap<Socket, string>()
  const named = new WeakMap<Socket, { readonly text: string; readonly source: string | undefined }>()
  const sourceOn = (request: IncomingMessage): string | undefined => {
    const { socket } = request
    const last = named.get(socket)
    const source = last === undefined ? ofConnection(socket) : undefined
    if (source !== undefined) {
      own.set(socket, source)
      return source
    }
    const text = remoteAddress(request) ?? ''
    if (last?.text === text) return last.source
    const next = { text, source: sourceOf(text) }
    named.set(socket, next)
    return next.source
  }
  return { ofConnection, ofRequest: (request) => own.get(request.socket) ?? sourceOn(request) }
}
