// What every response of the engine has.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { KoaContextWithOIDC, Provider } from 'oidc-provider'
import { methodsOf, routeOf } from './routes.js'

// Fetch §4.8: a preflight request has an origin.
const isPreflight = ({ method, headers }: IncomingMessage): boolean =>
  method === 'OPTIONS' && headers.origin !== undefined

/** RFC 9110 §15.5.6: answers a request whose method the route does not have. */
export const refuseMethod = (request: IncomingMessage, response: ServerResponse): boolean => {
  const [path = ''] = (request.url ?? '').split(/[?#]/)
  const allowed = methodsOf(routeOf(path) ?? path)
  if (allowed.includes(request.method ?? 'GET') || isPreflight(request)) return false
  response.writeHead(405, { Allow: allowed.join(', ') }).end()
  return true
}

/**
 * RFC 6749 §5.1; CSP3 §6.1: a page of the engine loads nothing, stands in no frame, and runs only the script whose hash
 * the engine adds.
 */
export const setHeaders = (response: ServerResponse): void => {
  response.setHeader('Pragma', 'no-cache')
  response.setHeader('Content-Security-Policy', "default-src 'none';base-uri 'none';frame-ancestors 'none';script-src")
}

/** RFC 7009 §2.2: the content of a revocation does not count. Clients in use read it as JSON nevertheless. */
export const answerRevocations = (provider: Provider): void => {
  provider.use(async (request: Pick<KoaContextWithOIDC, 'status' | 'body'> & Partial<KoaContextWithOIDC>, next) => {
    await next()
    if (request.oidc?.route === 'revocation' && request.status === 200) request.body = {}
  })
}
