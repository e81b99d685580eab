// The sources of connections and requests, among which places are shared.
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { type Address, parseAddress, trustedAmong } from './remote-address.js'

/** A limited number of places that sources share. */
export type Places = {
  /** Whether the source gets a place; a source without a name is limited by the total only. */
  readonly take: (source: string | undefined) => boolean
  readonly leave: (source: string | undefined) => void
}

/**
 * A source gets a place while it has fewer than are free: one source alone takes half of them at most, two a third
 * each. So a source without a place finds one, unless as many sources as there are places have taken them.
 */
export const createPlaces = (most: number): Places => {
  const taken = { all: 0, by: new Map<string, number>() }
  const takenBy = (source: string | undefined): number => (source === undefined ? 0 : (taken.by.get(source) ?? 0))
  const forgetIdle = (): void => {
    for (const [source, own] of taken.by) if (own === 0) taken.by.delete(source)
  }
  // Sources without places are removed only when there are many: V8 makes a new table for a Map when its last entry is
  // removed, which would happen with nearly each request, and an old table retains all later ones in the heap.
  const count = (source: string | undefined, own: number): void => {
    if (source === undefined) return
    if (taken.by.size >= 2 * most && !taken.by.has(source)) forgetIdle()
    taken.by.set(source, own)
  }
  return {
    take: (source) => {
      const own = takenBy(source)
      if (own >= most - taken.all) return false
      taken.all += 1
      count(source, own + 1)
      return true
    },
    leave: (source) => {
      taken.all -= 1
      count(source, takenBy(source) - 1)
    },
  }
}

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
