// An application with openid-client, registered at a service.
import * as client from 'openid-client'
import * as assert from 'uvu/assert'
import type { Service } from '../../../src/compose.js'
import { post } from '../../cli/run.js'
import { type Registered, masterToken } from '../../support/two-services.js'
import { type Answers, type Browser, goThrough } from './browser.js'

export const callback = 'https://rp.example/cb'

export const confidential = {
  redirect_uris: [callback],
  grant_types: ['authorization_code', 'refresh_token', 'client_credentials'],
  post_logout_redirect_uris: ['https://rp.example/bye'],
}

export type AuthorizationRequest = { readonly url: string; readonly checks: client.AuthorizationCodeGrantChecks }

export type Application = {
  readonly registered: Registered
  readonly config: client.Configuration
  /** An authorization request, with PKCE, state and nonce. */
  readonly request: (parameters?: Readonly<Record<string, string>>) => Promise<AuthorizationRequest>
}

export const configured = (service: Service, metadata: Readonly<Record<string, unknown>>): Promise<Application> =>
  configuredAs(service, metadata, masterToken)

/** Registered with this token, or with none. */
export const configuredAs = async (
  service: Service,
  metadata: Readonly<Record<string, unknown>>,
  token = '',
): Promise<Application> => {
  const answer = await post(`${service.url}/clients`, token, metadata)
  assert.is(answer.status, 201, await answer.clone().text())
  return configuredFor(service, metadata, (await answer.json()) as Registered)
}

/** Registered before. */
export const configuredFor = async (
  service: Service,
  metadata: Readonly<Record<string, unknown>>,
  registered: Registered,
): Promise<Application> => {
  const execute = [client.allowInsecureRequests]
  const config = await client.discovery(
    new URL(service.url),
    registered.client_id,
    { ...registered },
    metadata['token_endpoint_auth_method'] === 'none'
      ? client.None()
      : client.ClientSecretBasic(registered.client_secret),
    { execute },
  )
  const request = async (parameters: Readonly<Record<string, string>> = {}): Promise<AuthorizationRequest> => {
    const pkceCodeVerifier = client.randomPKCECodeVerifier()
    const expectedState = client.randomState()
    const expectedNonce = client.randomNonce()
    const { scope = 'openid email' } = parameters
    // OpenID Core §3.1.2.1: for an ID token only
    const isOpenId = scope.split(' ').includes('openid')
    const url = client.buildAuthorizationUrl(config, {
      redirect_uri: callback,
      code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
      code_challenge_method: 'S256',
      state: expectedState,
      ...(isOpenId ? { nonce: expectedNonce } : {}),
      ...parameters,
      scope,
    })
    return { url: url.href, checks: { pkceCodeVerifier, expectedState, ...(isOpenId ? { expectedNonce } : {}) } }
  }
  return { registered, config, request }
}

export type SignedIn = {
  readonly tokens: Awaited<ReturnType<typeof client.authorizationCodeGrant>>
  readonly prompts: ReadonlyArray<string>
  readonly end: URL
}

/** The whole way of a sign-in, from the request to the tokens. */
export const signIn = async (
  service: Service,
  { config, request }: Application,
  browser: Browser,
  parameters: Readonly<Record<string, string>> = {},
  answers?: Answers,
  sent?: Readonly<Record<string, string>>,
): Promise<SignedIn> => {
  const { url, checks } = await request(parameters)
  const { end, page, prompts } = await goThrough(browser, service, url, answers)
  if (end === undefined) throw new Error(`${browser.sent.join('\n')}\n${String(await page?.text())}`)
  const tokens = await client.authorizationCodeGrant(config, end, checks, sent && { ...sent })
  return { tokens, prompts, end }
}

export const introspected = ({ config }: Application, token: string): Promise<client.IntrospectionResponse> =>
  client.tokenIntrospection(config, token)

/** The error code of the refusal. */
export const refused = async (request: Promise<unknown>): Promise<string> => {
  try {
    await request
  } catch (cause) {
    if (cause instanceof client.ResponseBodyError || cause instanceof client.AuthorizationResponseError)
      return cause.error
    throw cause
  }
  throw new Error('the request was not refused')
}
