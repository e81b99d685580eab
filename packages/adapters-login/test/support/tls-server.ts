// Servers with TLS on loopback, and requests to them as a browser sends them.
import { readFileSync } from 'node:fs'
import {
  type IncomingHttpHeaders,
  type RequestListener,
  createServer as createPlainServer,
  request as httpRequest,
} from 'node:http'
import { createServer, request as httpsRequest } from 'node:https'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { allowingNetworks, createGuardedFetch } from '@clientele/adapters-outbound'

const read = (name: string): string =>
  readFileSync(new URL(`../../../adapters-outbound/test/support/${name}`, import.meta.url), 'utf8')

export const certificate = read('certificate.pem')

/** The fetch of the service, with a network of the settings. */
export const guardedFetch = (timeLimit = 10_000) =>
  createGuardedFetch('login', { ca: certificate, allowsAddress: allowingNetworks(['127.0.0.0/8']), timeLimit })

/** The fetch of the service for an issuer on loopback. */
export const loopbackFetch = (loopbackOrigin: string) =>
  createGuardedFetch('login', { ca: certificate, loopbackOrigin })

export type TlsServer = { readonly origin: string; readonly stop: () => Promise<void> }

/** The listener can name the origin of its own server, which speaks http where `isPlain`. */
export const startTlsServer = async (
  listenerAt: (origin: string) => RequestListener | Promise<RequestListener>,
  port = 0,
  isPlain = false,
): Promise<TlsServer> => {
  const server = isPlain ? createPlainServer() : createServer({ cert: certificate, key: read('key.pem') })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const origin = `${isPlain ? 'http' : 'https'}://localhost:${(server.address() as AddressInfo).port}`
  server.on('request', await listenerAt(origin))
  const stop = async (): Promise<void> => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  return { origin, stop }
}

export type Page = { readonly status: number; readonly headers: IncomingHttpHeaders; readonly body: string }

/** A browser with cookies of its own, which follows redirects until one leads to another origin. */
export const createBrowser = () => {
  const cookies = new Map<string, string>()
  const get = (url: string): Promise<Page> =>
    new Promise((resolve, reject) => {
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
      const send = url.startsWith('http:') ? httpRequest : httpsRequest
      const request = send(url, { ca: certificate, headers: { cookie }, agent: false }, (response) => {
        for (const line of response.headers['set-cookie'] ?? []) {
          const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
          cookies.set(name, value)
        }
        text(response).then(
          (body) => resolve({ status: response.statusCode ?? 0, headers: response.headers, body }),
          reject,
        )
      })
      request.on('error', reject).end()
    })
  const visit = async (url: string): Promise<string> => {
    const { status, headers, body } = await get(url)
    if (headers.location === undefined) throw new Error(`${status} at ${url}: ${body.slice(0, 500)}`)
    const next = new URL(headers.location, url)
    return next.origin === new URL(url).origin ? visit(next.href) : next.href
  }
  return { visit, get }
}

/** The parameters of a URL. */
export const parametersOf = (url: string): Readonly<Record<string, string>> =>
  Object.fromEntries(new URL(url).searchParams)
