import * as openid from 'openid-client'
import { type Provider, type Registered, callback, insecure, signedOut } from './provider.js'
import { type LibraryClient, type Refreshed, metadata } from './journey.js'

const refreshed = ({ access_token, refresh_token = '' }: openid.TokenEndpointResponse): Refreshed => ({
  access_token,
  refresh_token,
})

/** Registers with the initial access token, or openly. */
export const openidClient6 = async (
  { service }: Provider,
  token?: string,
  more: Readonly<Record<string, unknown>> = {},
): Promise<LibraryClient> => {
  const sent = { ...metadata, ...more }
  const config = await openid.dynamicClientRegistration(new URL(service.base), sent, undefined, {
    ...insecure,
    ...(token === undefined ? {} : { initialAccessToken: token }),
  })
  const registered: Registered = config.clientMetadata()
  return {
    metadata: sent,
    registered,
    begin: async (parameters) => {
      const pkceCodeVerifier = openid.randomPKCECodeVerifier()
      const expectedState = openid.randomState()
      const expectedNonce = openid.randomNonce()
      const url = openid.buildAuthorizationUrl(config, {
        redirect_uri: callback,
        code_challenge: await openid.calculatePKCECodeChallenge(pkceCodeVerifier),
        code_challenge_method: 'S256',
        state: expectedState,
        nonce: expectedNonce,
        ...parameters,
      })
      const checks = { pkceCodeVerifier, expectedState, expectedNonce }
      const finish = async (answer: URL) => {
        const tokens = await openid.authorizationCodeGrant(config, answer, checks)
        return { ...refreshed(tokens), id_token: tokens.id_token ?? '', sub: tokens.claims()?.sub ?? '' }
      }
      return { url, finish }
    },
    subOf: async ({ access_token, sub }) => (await openid.fetchUserInfo(config, access_token, sub)).sub,
    refresh: async ({ refresh_token }) => refreshed(await openid.refreshTokenGrant(config, refresh_token)),
    logoutUrl: async ({ id_token }, state) =>
      openid.buildEndSessionUrl(config, { id_token_hint: id_token, post_logout_redirect_uri: signedOut, state }),
  }
}
