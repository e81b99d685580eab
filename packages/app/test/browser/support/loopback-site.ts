import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Seen = { readonly method: string; readonly path: string; readonly body: string }
export type Served = {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly html: string
}

/** A site on this machine that answers as configured, and records its requests. */
export type Site = {
  readonly origin: string
  readonly seen: Array<Seen>
  readonly close: () => Promise<void>
}

export const openSite = async (answer: (requested: Seen) => Served): Promise<Site> => {
  const seen: Array<Seen> = []
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString()))
    request.on('end', () => {
      const requested = { method: request.method ?? '', path: request.url ?? '', body }
      seen.push(requested)
      const { status = 200, headers = {}, html } = answer(requested)
      response.writeHead(status, { 'Content-Type': 'text/html; charset=utf-8', ...headers }).end(html)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // Unreferenced, so that a failed test does not keep the process alive.
  server.unref()
  // `address` is a string only for a pipe.
  const { port } = server.address() as AddressInfo
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  return { origin: `http://127.0.0.1:${port}`, seen, close }
}
