import { once } from 'node:events'
import {
  type IncomingHttpHeaders,
  type OutgoingHttpHeaders,
  type RequestListener,
  type Server,
  createServer,
  request,
} from 'node:http'
import { type AddressInfo, type Socket, connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { checkAnswer } from './every-route.js'

export type Wire = { readonly server: Server; readonly port: number; readonly base: string }

const portOf = (address: AddressInfo | string | null): number =>
  address === null || typeof address === 'string' ? 0 : address.port

/** Runs a real server on a free port of loopback, and always closes it. */
export const withServer = async (listener: RequestListener, use: (wire: Wire) => Promise<void>): Promise<void> => {
  const server = createServer(listener)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const port = portOf(server.address())
  try {
    await use({ server, port, base: `http://127.0.0.1:${port}` })
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

export type Answer = { readonly status: number; readonly headers: IncomingHttpHeaders; readonly body: Buffer }

export type Sent = {
  readonly headers?: OutgoingHttpHeaders
  readonly token?: string
  readonly json?: unknown
  readonly body?: string | Uint8Array
}

const contentOf = ({ json, body }: Sent): string | Uint8Array | undefined =>
  json === undefined ? body : JSON.stringify(json)

// node:http does not frame the body of a GET or DELETE by itself.
const headersOf = (sent: Sent, content: string | Uint8Array | undefined): OutgoingHttpHeaders => ({
  ...(sent.token === undefined ? {} : { authorization: `Bearer ${sent.token}` }),
  ...(sent.json === undefined ? {} : { 'content-type': 'application/json' }),
  ...(content === undefined || sent.headers?.['transfer-encoding']
    ? {}
    : { 'content-length': Buffer.byteLength(content) }),
  ...sent.headers,
})

/** One request, on a connection of its own, by node:http, which sends requests that fetch refuses. */
export const send = ({ port }: Pick<Wire, 'port'>, method: string, path: string, sent: Sent = {}): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const content = contentOf(sent)
    const options = {
      host: '127.0.0.1',
      port,
      method,
      path,
      headers: headersOf(sent, content),
      agent: false,
      timeout: 10_000,
    }
    const outgoing = request(options, (incoming) => {
      const chunks: Buffer[] = []
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
      incoming.on('error', reject)
      incoming.on('end', () => {
        const answer = { status: incoming.statusCode ?? 0, headers: incoming.headers, body: Buffer.concat(chunks) }
        try {
          const { 'content-type': type } = answer.headers
          checkAnswer(method, path, { status: answer.status, type, text: answer.body.toString() })
          resolve(answer)
        } catch (undescribed) {
          reject(undescribed)
        }
      })
    })
    outgoing.on('timeout', () => outgoing.destroy(new Error('no answer in ten seconds')))
    outgoing.on('error', reject)
    outgoing.end(content)
  })

export const open = async ({ port }: Pick<Wire, 'port'>): Promise<Socket> => {
  const socket = connect(port, '127.0.0.1')
  socket.setTimeout(10_000, () => socket.destroy(new Error('no answer in ten seconds')))
  await once(socket, 'connect')
  return socket
}

/** Sends exactly these bytes and reads until the server closes. */
export const exchange = async (
  wire: Pick<Wire, 'port'>,
  ...parts: ReadonlyArray<string | Uint8Array>
): Promise<string> => {
  const socket = await open(wire)
  for (const part of parts) socket.write(part)
  const received: Buffer[] = []
  for await (const chunk of socket) received.push(Buffer.from(chunk))
  return Buffer.concat(received).toString('latin1')
}

/** Waits until the condition holds, for five seconds at most. */
export const until = async (holds: () => boolean): Promise<void> => {
  for (let left = 500; left > 0; left -= 1) {
    if (holds()) return
    await pause(10)
  }
  throw new Error(`never came true: ${holds.toString()}`)
}
