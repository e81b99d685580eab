// What a host of the Model Context Protocol keeps for its SDK: its registration, its tokens, and where it sent the browser.
import * as v1 from '@modelcontextprotocol/sdk/client/auth.js'
import { Client as Client1 } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as Transport1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import * as v2 from '@modelcontextprotocol/client'
import * as assert from 'uvu/assert'
import type { EndUser } from './end-user.js'
import type { Json } from './provider.js'

export const mcpCallback = 'http://127.0.0.1:7777/callback'

export const mcpMetadata = {
  client_name: 'An assistant',
  redirect_uris: [mcpCallback],
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
  token_endpoint_auth_method: 'none',
}

/** For either SDK, whose types of what is stored differ. */
export class McpHost<Information, Tokens> {
  readonly clientMetadata = mcpMetadata
  readonly redirectUrl = mcpCallback
  information: Information | undefined
  stored: Tokens | undefined
  sentTo: URL | undefined
  verifier = ''

  clientInformation(): Information | undefined {
    return this.information
  }

  saveClientInformation(information: Information): void {
    this.information = information
  }

  tokens(): Tokens | undefined {
    return this.stored
  }

  saveTokens(tokens: Tokens): void {
    this.stored = tokens
  }

  invalidateCredentials(which: string): void {
    if (which === 'all' || which === 'client') this.information = undefined
    this.stored = undefined
  }

  redirectToAuthorization(url: URL): void {
    this.sentTo = url
  }

  saveCodeVerifier(verifier: string): void {
    this.verifier = verifier
  }

  codeVerifier(): string {
    return this.verifier
  }

  discovered: unknown

  discoveryState(): unknown {
    return this.discovered
  }

  saveDiscoveryState(discovered: unknown): void {
    this.discovered = discovered
  }
}

export type Stored = { readonly access_token: string; readonly refresh_token?: string | undefined }

export type Sdk = {
  readonly host: McpHost<Json, Stored>
  /** Goes on as far as it can: to the browser, to new tokens by a refresh, or to tokens by the answer of the browser. */
  readonly authorize: (url: URL, answer?: URL) => Promise<string>
  /** Calls the tool of the server with the tokens that the host keeps. */
  readonly whoami: (url: URL) => Promise<object>
}

// The SDKs save what they will read again, whatever it is.
export const withSdk1 = (requested: { readonly scope?: string } = {}): Sdk => {
  const host = new McpHost<Json, Stored>()
  const provider = host as unknown as v1.OAuthClientProvider
  return {
    host,
    authorize: (serverUrl, answer) => {
      const code = answer?.searchParams.get('code')
      return v1.auth(provider, { serverUrl, ...requested, ...(code ? { authorizationCode: code } : {}) })
    },
    whoami: async (url) => {
      const client = new Client1({ name: 'test', version: '1.0.0' })
      await client.connect(new Transport1(url, { authProvider: provider }))
      const result = await client.callTool({ name: 'whoami' })
      await client.close()
      return result
    },
  }
}

export const withSdk2 = (): Sdk => {
  const host = new McpHost<Json, Stored>()
  const provider = host as unknown as v2.OAuthClientProvider
  return {
    host,
    authorize: (serverUrl, answer) => {
      const [code, iss] = ['code', 'iss'].map((name) => answer?.searchParams.get(name))
      return v2.auth(provider, { serverUrl, ...(code && iss ? { authorizationCode: code, iss } : {}) })
    },
    whoami: async (url) => {
      const client = new v2.Client({ name: 'test', version: '1.0.0' })
      await client.connect(new v2.StreamableHTTPClientTransport(url, { authProvider: provider }))
      const result = await client.callTool({ name: 'whoami' })
      await client.close()
      return result
    },
  }
}

/** From the address of a server to tokens for it, by the pages of the service. */
export const signInAt = async (url: URL, { host, authorize }: Sdk, endUser: EndUser): Promise<void> => {
  assert.is(await authorize(url), 'REDIRECT')
  const { end, requested, page } = await endUser.visit(String(host.sentTo))
  assert.equal(requested, ['login', 'consent'], page)
  assert.is(`${end?.origin}${end?.pathname}`, mcpCallback)
  assert.is(await authorize(url, end), 'AUTHORIZED')
}
