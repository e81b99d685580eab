// Web applications with libraries in use and their defaults, at another host than the service. Each has /login, and answers
// as JSON what it knows of the end-user who comes back.
import oauth2, { type OAuth2Namespace } from '@fastify/oauth2'
import express from 'express'
import session from 'express-session'
import Fastify from 'fastify'
import { type RequestListener, type Server, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Passport } from 'passport'
import { type Profile, Strategy, type VerifyCallback } from 'passport-openidconnect'
import { register } from '../../support/requests.js'
import { type Json, type Provider, type Registered, endRegistration } from './provider.js'

/** The application of a client, at its base URL. */
type Made = (provider: Provider, base: string, registered: Registered) => Promise<RequestListener> | RequestListener

export type WebApplication = {
  readonly base: string
  readonly registered: Registered
  /** Ends its registration; what it had issued is dead then, and stays so. */
  readonly end: (issued: { readonly accessToken?: unknown; readonly refreshToken: unknown }) => Promise<void>
  readonly stop: () => Promise<void>
}

const listening = (server: Server): Promise<number> =>
  new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port)))

/** Registers the client with the path of its redirection URI, and serves it. */
export const startWebApplication = async (provider: Provider, path: string, make: Made): Promise<WebApplication> => {
  const server = createServer().unref()
  const base = `http://localhost:${await listening(server)}`
  const metadata: Json = {
    redirect_uris: [`${base}${path}`],
    grant_types: ['authorization_code', 'refresh_token'],
  }
  const { json } = await register(provider.service, metadata)
  const registered: Registered = { ...json, client_id: String(json['client_id']) }
  server.on('request', await make(provider, base, registered))
  return {
    base,
    registered,
    end: (issued) => endRegistration(provider, registered, metadata, issued),
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

const secret = 'a secret for the cookies of this application'

// By its name at run time: its types would bring those of browsers into all tests.
const authCore: string = '@auth/core'
const { Auth } = (await import(authCore)) as {
  readonly Auth: (request: Request, config: object) => Promise<Response>
}

export const passport: Made = ({ service: { base: issuer } }, base, { client_id, client_secret }) => {
  const authenticator = new Passport()
  authenticator.use(
    new Strategy(
      {
        issuer,
        authorizationURL: `${issuer}/authorize`,
        tokenURL: `${issuer}/token`,
        userInfoURL: `${issuer}/userinfo`,
        clientID: client_id,
        clientSecret: String(client_secret),
        callbackURL: `${base}/callback`,
        scope: 'profile',
      },
      (_issuer: string, profile: Profile, done: VerifyCallback) => done(null, profile),
    ),
  )
  const authenticate = authenticator.authenticate('openidconnect', { session: false }) as express.RequestHandler
  const app = express()
  app.use(session({ secret, resave: false, saveUninitialized: false }))
  app.get('/login', authenticate)
  app.get('/callback', authenticate, (request, response) => {
    response.json(request.user)
  })
  return app
}

export const fastify: Made = async ({ service: { base: issuer } }, base, { client_id, client_secret }) => {
  const app = Fastify()
  await app.register(oauth2, {
    name: 'provider',
    scope: ['openid', 'profile'],
    credentials: { client: { id: client_id, secret: String(client_secret) } },
    startRedirectPath: '/login',
    callbackUri: `${base}/callback`,
    discovery: { issuer },
  })
  const provider = (): OAuth2Namespace => Reflect.get(app, 'provider') as OAuth2Namespace
  app.get('/callback', async (request) => {
    const { token } = await provider().getAccessTokenFromAuthorizationCodeFlow(request)
    const refreshed = await provider().getNewAccessTokenUsingRefreshToken(token, {})
    const user = (await provider().userinfo(refreshed.token)) as object
    return { ...user, ...refreshed.token }
  })
  app.get('/revoke', async (request) => {
    const { access_token } = request.query as { readonly access_token: string }
    const token = { access_token, token_type: 'Bearer', expires_in: 1, expires_at: new Date() } as const
    await provider().revokeToken(token, 'access_token', {})
    return { revoked: true }
  })
  await app.ready()
  return (request, response) => app.routing(request, response)
}

export const authJs: Made = ({ service: { base: issuer } }, base, { client_id, client_secret }) => {
  const ask = (path: string, init: RequestInit = {}): Promise<Response> =>
    Auth(new Request(`${base}${path}`, init), {
      basePath: '/auth',
      trustHost: true,
      secret,
      providers: [
        {
          id: 'clientele',
          name: 'Clientele',
          type: 'oidc',
          issuer,
          clientId: client_id,
          clientSecret: String(client_secret),
        },
      ],
    })
  // In place of the page with a button.
  const begin = async (): Promise<Response> => {
    const csrf = await ask('/auth/csrf')
    const { csrfToken } = (await csrf.json()) as { readonly csrfToken: string }
    // The answer sets the cookie of the page to come back to anew.
    const [csrfCookie = ''] = csrf.headers.getSetCookie().filter((field) => field.includes('csrf-token='))
    const cookie = csrfCookie.split(';')[0] ?? ''
    const body = new URLSearchParams({ csrfToken, callbackUrl: `${base}/auth/session` })
    const answer = await ask('/auth/signin/clientele', { method: 'POST', headers: { cookie }, body })
    answer.headers.append('Set-Cookie', csrfCookie)
    return answer
  }
  return (request, response) => {
    const { url = '/', headers } = request
    const answered = url === '/login' ? begin() : ask(url, { headers: { cookie: headers.cookie ?? '' } })
    void answered.then(async (answer) => {
      response.statusCode = answer.status
      response.setHeaders(answer.headers)
      response.end(await answer.text())
    })
  }
}
