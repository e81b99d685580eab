// An OpenID provider on loopback, at which alice signs in without a question.
import type { RequestListener } from 'node:http'
import { exportJWK, generateKeyPair } from 'jose'
import { Provider } from 'oidc-provider'
import { startTlsServer, type TlsServer } from './tls-server.js'

export const redirectUri = 'https://id.example/login/callback'
export const clientSecret = 'a secret of the upstream provider'

const { privateKey } = await generateKeyPair('RS256', { extractable: true })
const keys = [{ ...(await exportJWK(privateKey)), alg: 'RS256', use: 'sig', kid: 'one' }]

const alice = { sub: 'alice', email: 'alice@upstream.example', email_verified: true, name: 'Alice', role: 'admin' }

/** The redirect URIs of its one client. */
export type ClientUris = {
  readonly redirect_uris: Array<string>
  readonly post_logout_redirect_uris?: Array<string>
}

const providerAt = (issuer: string, uris: ClientUris, claims: object): Provider => {
  const provider: Provider = new Provider(issuer, {
    clients: [{ client_id: 'clientele', client_secret: clientSecret, ...uris }],
    jwks: { keys },
    cookies: { keys: ['a key for cookies'] },
    features: { devInteractions: { enabled: false }, rpInitiatedLogout: { enabled: true } },
    claims: {
      openid: ['sub', 'acr', 'amr', 'auth_time'],
      email: ['email', 'email_verified'],
      profile: ['name', 'role', 'groups'],
    },
    acrValues: ['urn:example:gold'],
    findAccount: (_, accountId) => ({ accountId, claims: () => Promise.resolve({ ...alice, ...claims }) }),
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    loadExistingGrant: async ({ oidc }) => {
      const { client, account } = oidc
      if (client === undefined || account === undefined) throw new Error('nobody is signed in')
      const grant = new oidc.provider.Grant({ clientId: client.clientId, accountId: account.accountId })
      grant.addOIDCScope('openid email profile')
      await grant.save()
      return grant
    },
  })
  provider.use(async (ctx, next) => {
    if (!ctx.path.startsWith('/interaction/')) return next()
    const login = { accountId: 'alice', acr: 'urn:example:gold', amr: ['pwd', 'otp'] }
    return provider.interactionFinished(ctx.req, ctx.res, { login })
  })
  return provider
}

/** The provider, which can be stopped and started anew at its port; the claims are those of alice beside the usual ones. */
export const startOpenIdProvider = (
  port = 0,
  wrap = (listener: RequestListener) => listener,
  uris: ClientUris = { redirect_uris: [redirectUri] },
  { claims = {}, isPlain = false }: { readonly claims?: object; readonly isPlain?: boolean } = {},
): Promise<TlsServer> =>
  startTlsServer(
    (origin) => {
      const callback = providerAt(origin, uris, claims).callback()
      return wrap((request, response) => void callback(request, response))
    },
    port,
    isPlain,
  )
