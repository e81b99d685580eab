import * as oauth from 'oauth4webapi'
import * as assert from 'uvu/assert'
import { type Provider, type Registered, callback, signedOut } from './provider.js'
import { type LibraryClient, type Refreshed, metadata } from './journey.js'

const insecure = { [oauth.allowInsecureRequests]: true }

const refreshed = ({ access_token, refresh_token = '' }: oauth.TokenEndpointResponse): Refreshed => ({
  access_token,
  refresh_token,
})

/** Discovers by RFC 8414 or by OpenID Connect Discovery, registers openly, and authenticates with its secret. */
export const oauth4webapi = async ({ service }: Provider, algorithm: 'oidc' | 'oauth2'): Promise<LibraryClient> => {
  const issuer = new URL(service.base)
  const discovered = await oauth.discoveryRequest(issuer, { algorithm, ...insecure })
  const server = await oauth.processDiscoveryResponse(issuer, discovered)
  const answer = await oauth.dynamicClientRegistrationRequest(server, metadata, insecure)
  const registered: Registered = await oauth.processDynamicClientRegistrationResponse(answer)
  const client: oauth.Client = { client_id: registered.client_id }
  const authentication = oauth.ClientSecretBasic(String(registered['client_secret']))
  return {
    metadata,
    registered,
    begin: async (parameters) => {
      const verifier = oauth.generateRandomCodeVerifier()
      const state = oauth.generateRandomState()
      const nonce = oauth.generateRandomNonce()
      const url = new URL(String(server.authorization_endpoint))
      url.search = new URLSearchParams({
        client_id: client.client_id,
        response_type: 'code',
        redirect_uri: callback,
        code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        state,
        nonce,
        ...parameters,
      }).toString()
      const finish = async (back: URL) => {
        const checked = oauth.validateAuthResponse(server, client, back, state)
        const request = oauth.authorizationCodeGrantRequest
        const response = await request(server, client, authentication, checked, callback, verifier, insecure)
        const expected = { expectedNonce: nonce, requireIdToken: true }
        const tokens = await oauth.processAuthorizationCodeResponse(server, client, response, expected)
        await oauth.validateApplicationLevelSignature(server, response, insecure)
        const sub = oauth.getValidatedIdTokenClaims(tokens)?.sub ?? ''
        return { ...refreshed(tokens), id_token: tokens.id_token ?? '', sub }
      }
      return { url, finish }
    },
    subOf: async ({ access_token, sub }) => {
      const response = await oauth.userInfoRequest(server, client, access_token, insecure)
      return (await oauth.processUserInfoResponse(server, client, sub, response)).sub
    },
    refresh: async ({ refresh_token }) => {
      const request = oauth.refreshTokenGrantRequest
      const response = await request(server, client, authentication, refresh_token, insecure)
      return refreshed(await oauth.processRefreshTokenResponse(server, client, response))
    },
    logoutUrl: async ({ id_token }, state) => {
      assert.type(server.end_session_endpoint, 'string')
      const url = new URL(String(server.end_session_endpoint))
      url.search = new URLSearchParams({
        id_token_hint: id_token,
        post_logout_redirect_uri: signedOut,
        state,
      }).toString()
      return url
    },
  }
}
