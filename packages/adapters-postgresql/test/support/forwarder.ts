// Forwards connections to the first target that accepts them. It sends nothing a second time.
import { once } from 'node:events'
import { type Socket, connect, createServer } from 'node:net'

export type Forwarder = {
  readonly port: number
  /** Breaks all connections. */
  readonly cut: () => void
  readonly close: () => Promise<void>
}

/** A connection to the first of the ports that accepts one. */
const connectFirst = async (ports: ReadonlyArray<number>): Promise<Socket | undefined> => {
  for (const port of ports) {
    const socket = connect(port, '127.0.0.1')
    const isConnected = await once(socket, 'connect').then(
      () => true,
      () => false,
    )
    if (isConnected) return socket
  }
  return undefined
}

const join = (client: Socket, target: Socket): void => {
  for (const [from, to] of [
    [client, target],
    [target, client],
  ] as const) {
    from.pipe(to)
    from.on('error', () => to.destroy()).on('close', () => to.destroy())
  }
}

/** `targets` are the ports on loopback to try for the next connection, in this order. */
export const startForwarder = async (targets: () => ReadonlyArray<number>): Promise<Forwarder> => {
  const sockets = new Set<Socket>()
  const track = (socket: Socket): void => {
    sockets.add(socket.setNoDelay())
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket))
  }
  const server = createServer((client) => {
    track(client)
    void connectFirst(targets()).then((target) => {
      if (target === undefined) return client.destroy()
      track(target)
      if (client.destroyed) return target.destroy()
      return join(client, target)
    })
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  const cut = (): void => sockets.forEach((socket) => socket.destroy())
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    cut,
    close: async () => {
      cut()
      server.close()
      await once(server, 'close')
    },
  }
}
