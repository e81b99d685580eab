import { type Client, Issuer, type TokenSet, generators } from 'openid-client-5'
import { type Provider, type Registered, callback, signedOut } from './provider.js'
import { type LibraryClient, type Refreshed, metadata } from './journey.js'

const refreshed = ({ access_token = '', refresh_token = '' }: TokenSet): Refreshed => ({ access_token, refresh_token })

/** Registers with the initial access token, and reads the registration again by its URI. */
export const openidClient5 = async ({ service }: Provider, initialAccessToken: string): Promise<LibraryClient> => {
  const issuer = await Issuer.discover(service.base)
  // The library has this method; its types have it on instances only.
  const { Client } = issuer
  const made = await (Client as unknown as Registrar).register(metadata, { initialAccessToken })
  const token = String(made.metadata['registration_access_token'])
  const read = await (Client as unknown as Registrar).fromUri(String(made.metadata['registration_client_uri']), token)
  const registered: Registered = { ...made.metadata, ...read.metadata }
  return {
    metadata,
    registered,
    begin: async (parameters) => {
      const verifier = generators.codeVerifier()
      const state = generators.state()
      const nonce = generators.nonce()
      const url = made.authorizationUrl({
        redirect_uri: callback,
        code_challenge: generators.codeChallenge(verifier),
        code_challenge_method: 'S256',
        state,
        nonce,
        ...parameters,
      })
      const finish = async (answer: URL) => {
        const tokens = await made.callback(callback, made.callbackParams(answer.href), {
          code_verifier: verifier,
          state,
          nonce,
        })
        return { ...refreshed(tokens), id_token: tokens.id_token ?? '', sub: tokens.claims().sub }
      }
      return { url: new URL(url), finish }
    },
    subOf: async ({ access_token }) => (await made.userinfo(access_token)).sub,
    refresh: async ({ refresh_token }) => refreshed(await made.refresh(refresh_token)),
    logoutUrl: async ({ id_token }, state) =>
      new URL(made.endSessionUrl({ id_token_hint: id_token, post_logout_redirect_uri: signedOut, state })),
  }
}

type Registrar = {
  readonly register: (sent: object, options: { readonly initialAccessToken: string }) => Promise<Client>
  readonly fromUri: (uri: string, token: string) => Promise<Client>
}
