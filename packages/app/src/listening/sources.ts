// The sources of connections and requests, among which places are shared.
import { type Source, sourceOf, sourcesOfNetwork } from '@clientele/domain/kernel'
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { parseAddress, trustedAmong } from './remote-address.js'

/** A limited number of places that sources share. */
export type Places = {
  /** Whether the source gets a place; a source without a name is limited by the total only. */
  readonly take: (source: Source | undefined) => boolean
  readonly leave: (source: Source | undefined) => void
}

/**
 * A source gets a place while it has fewer than are free, and its network fewer than four times as many: one source alone
 * takes half of them at most, two a third each; one network takes four fifths, so that others find a place.
 */
export const createPlaces = (most: number): Places => {
  const taken = { all: 0, by: new Map<string, number>() }
  const takenBy = (name: string): number => taken.by.get(name) ?? 0
  const forgetIdle = (): void => {
    for (const [name, own] of taken.by) if (own === 0) taken.by.delete(name)
  }
  // Sources without places are removed only when there are many: V8 makes a new table for a Map when its last entry is
  // removed, which would happen with nearly each request, and an old table retains all later ones in the heap.
  const count = (name: string, more: number): void => {
    if (taken.by.size >= 4 * most && !taken.by.has(name)) forgetIdle()
    taken.by.set(name, takenBy(name) + more)
  }
  const countBoth = (source: Source | undefined, more: number): void => {
    taken.all += more
    if (source === undefined) return
    count(source.name, more)
    count(source.network, more)
  }
  return {
    take: (source) => {
      const free = most - taken.all
      if (free <= 0) return false
      if (source !== undefined && (takenBy(source.name) >= free || takenBy(source.network) >= sourcesOfNetwork * free))
        return false
      countBoth(source, 1)
      return true
    },
    leave: (source) => countBoth(source, -1),
  }
}

export type Sources = {
  readonly ofConnection: (socket: Pick<Socket, 'remoteAddress'>) => Source | undefined
  readonly ofRequest: (request: IncomingMessage) => Source | undefined
}

/**
 * A trusted proxy is not a source, because it has the connections of many clients: each of its requests counts for the
 * address that the proxy names.
 */
export const createSources = (
  trustedProxies: ReadonlyArray<string>,
  remoteAddress: (request: IncomingMessage) => string | undefined,
): Sources => {
  const isTrusted = trustedAmong(trustedProxies)
  const ofAddress = (text: string): Source | undefined => {
    const address = parseAddress(text)
    return address === undefined || isTrusted(address) ? undefined : sourceOf(text)
  }
  const ofConnection: Sources['ofConnection'] = ({ remoteAddress: text = '' }) => ofAddress(text)
  // A connection carries many requests, mostly of the same source.
  const own = new WeakMap<Socket, Source>()
  const named = new WeakMap<Socket, { readonly text: string; readonly source: Source | undefined }>()
  const sourceOn = (request: IncomingMessage): Source | undefined => {
    const { socket } = request
    const last = named.get(socket)
    const source = last === undefined ? ofConnection(socket) : undefined
    if (source !== undefined) {
      own.set(socket, source)
      return source
    }
    const text = remoteAddress(request) ?? ''
    if (last?.text === text) return last.source
    const next = { text, source: ofAddress(text) }
    named.set(socket, next)
    return next.source
  }
  return { ofConnection, ofRequest: (request) => own.get(request.socket) ?? sourceOn(request) }
}
