// A web application with express-openid-connect, at another host than the service.
import express from 'express'
import eoc from 'express-openid-connect'
import { type Server, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { register } from '../../support/requests.js'
import type { Provider, Registered } from './provider.js'

export type ExpressApplication = {
  readonly base: string
  readonly registered: Registered
  readonly metadata: Readonly<Record<string, unknown>>
  readonly stop: () => Promise<void>
}

const application = (provider: Provider, base: string, registered: Registered): express.Express => {
  const app = express()
  app.use(
    eoc.auth({
      issuerBaseURL: provider.service.base,
      baseURL: base,
      clientID: registered.client_id,
      clientSecret: String(registered['client_secret']),
      secret: 'a secret for the cookie of this application',
      authRequired: false,
      idpLogout: true,
      authorizationParams: { response_type: 'code', scope: 'openid profile' },
    }),
  )
  app.get('/', ({ oidc }, response) => {
    response.json({ in: oidc.isAuthenticated(), sub: oidc.user?.['sub'] })
  })
  app.get('/user-info', async ({ oidc }, response) => {
    await oidc.fetchUserInfo().then(
      (claims) => response.json(claims),
      () => response.status(401).end(),
    )
  })
  app.get('/tokens', ({ oidc }, response) => {
    response.json({ access_token: oidc.accessToken?.access_token, refresh_token: oidc.refreshToken })
  })
  app.get('/refresh', async ({ oidc }, response) => {
    await oidc.accessToken?.refresh()
    response.redirect('/tokens')
  })
  return app
}

const listening = (server: Server): Promise<number> =>
  new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port)))

export const startExpressApplication = async (provider: Provider): Promise<ExpressApplication> => {
  const server = createServer().unref()
  const base = `http://localhost:${await listening(server)}`
  const metadata = {
    client_name: 'Express',
    redirect_uris: [`${base}/callback`],
    post_logout_redirect_uris: [base],
    grant_types: ['authorization_code', 'refresh_token'],
  }
  const { json } = await register(provider.service, metadata)
  const registered: Registered = { ...json, client_id: String(json['client_id']) }
  server.on('request', application(provider, base, registered))
  const stop = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  return { base, registered, metadata, stop }
}
