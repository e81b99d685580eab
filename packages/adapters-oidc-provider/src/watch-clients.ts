import type { IncomingMessage } from 'node:http'
import type { KoaContextWithOIDC, Provider } from 'oidc-provider'
import type { RequestingClient } from './requesting-client.js'

/** The endpoints at which a client authenticates itself, or names itself if it has no credentials. */
const byClients = ['token', 'introspection', 'revocation', 'pushed_authorization_request']

/** The client of each request, until the request is finished. */
export const watchClients = (provider: Provider): ((request: IncomingMessage) => RequestingClient | undefined) => {
  const clients = new WeakMap<IncomingMessage, RequestingClient>()
  provider.use(async (request: Partial<KoaContextWithOIDC> & Pick<KoaContextWithOIDC, 'req'>, next) => {
    try {
      await next()
    } finally {
      const { client, route } = request.oidc ?? {}
      if (client !== undefined)
        clients.set(request.req, { client_id: client.clientId, isSender: byClients.includes(route ?? '') })
    }
  })
  return (request) => clients.get(request)
}
