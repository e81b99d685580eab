// A proxy in front of a server, which cuts a connection at a statement.
import { once } from 'node:events'
import { type Socket, connect, createServer } from 'node:net'

/**
 * Before the server has the statement, when it has it, and when it has answered; or nothing arrives any more; or the server
 * gets what is sent, and its answers are lost.
 */
export type Cut = 'before' | 'during' | 'after' | 'silence' | 'mute'

export type Proxy = {
  /** The URL of the server, through the proxy. */
  readonly url: string
  /** Cuts the connection on which the statement of this name comes next, once one with the text `after` was sent on it. */
  readonly cutAt: (statement: string, cut: Cut, after?: string) => void
  /** The number of connections that were cut. */
  readonly cuts: () => number
  /** From now on, what arrives goes nowhere. */
  readonly swallow: (swallows: boolean) => void
  /** Breaks the connections whose answers were lost; those of new ones arrive. */
  readonly endMute: () => void
  readonly close: () => Promise<void>
}

type Armed = { readonly statement: string; readonly cut: Cut; readonly after: string }
type State = { armed: Armed | undefined; cuts: number; swallows: boolean; isMute: boolean }

const relay = (state: State, client: Socket, server: Socket): void => {
  const end = (): void => {
    client.destroy()
    server.destroy()
  }
  let cutsAnswer = false
  let isMeant = false
  client.on('data', (chunk: Buffer) => {
    if (state.swallows) return
    const { armed } = state
    isMeant ||= armed !== undefined && chunk.includes(armed.after)
    if (armed === undefined || !isMeant || !chunk.includes(`${armed.statement}\0`)) return void server.write(chunk)
    state.armed = undefined
    state.cuts += 1
    if (armed.cut === 'before') return end()
    state.swallows = armed.cut === 'silence'
    state.isMute = armed.cut === 'mute'
    if (state.swallows) return
    if (state.isMute) return void server.write(chunk)
    cutsAnswer = true
    server.write(chunk, () => {
      if (armed.cut === 'during') client.destroy()
    })
  })
  server.on('data', (chunk: Buffer) => {
    if (cutsAnswer) return end()
    if (!state.swallows && !state.isMute) client.write(chunk)
  })
  client.on('error', end).on('close', () => {
    // A server that runs a statement does not notice the cut.
    if (!cutsAnswer) server.destroy()
  })
  server.on('error', end).on('close', end)
}

export const startProxy = async (url: string): Promise<Proxy> => {
  const target = new URL(url)
  const state: State = { armed: undefined, cuts: 0, swallows: false, isMute: false }
  const sockets = new Set<Socket>()
  const proxy = createServer((client) => {
    const server = connect(Number(target.port), target.hostname)
    sockets.add(client).add(server)
    relay(state, client, server)
  })
  await once(proxy.listen(0, '127.0.0.1'), 'listening')
  const cutAll = (): void => sockets.forEach((socket) => socket.destroy())
  const address = proxy.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return {
    url: Object.assign(new URL(url), { hostname: '127.0.0.1', port: `${port}` }).href,
    cutAt: (statement, cut, after = '') => {
      state.armed = { statement, cut, after }
    },
    cuts: () => state.cuts,
    swallow: (swallows) => {
      state.swallows = swallows
    },
    endMute: () => {
      state.isMute = false
      cutAll()
    },
    close: async () => {
      cutAll()
      proxy.close()
      await once(proxy, 'close')
    },
  }
}
