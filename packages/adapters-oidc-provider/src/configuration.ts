// The configuration of the engine. Every default that it would report is set.
import { contentEncryptions, keyManagementAlgorithms } from '@clientele/domain/client'
import { ownScopeValues } from '@clientele/domain/provider'
import { createHmac } from 'node:crypto'
import { type Configuration, type KoaContextWithOIDC, errors } from 'oidc-provider'
import { authMethods, claimsByScope, clientSignatures, responseTypes } from './abilities.js'
import { accountFinder } from './accounts.js'
import { adapterOn } from './artefacts/adapter.js'
import { assertSignedAssertion, assertSignedRequest, refuseProofs } from './client-signatures.js'
import { type EngineClient, isUnapproved } from './clients/find-client.js'
import { grantLoader } from './consents.js'
import { presentRequest } from './context.js'
import { cookieNames, cookieSignatures } from './cookies.js'
import { renderError } from './error-page.js'
import { introspectionPolicy } from './introspection.js'
import { promptPolicy } from './interaction-policy.js'
import * as lifetimes from './lifetimes.js'
import type { EnginePorts, EngineSettings } from './ports.js'
import { endpoints, interactionPath, unservedEndpoints } from './routes.js'
import { judgeScope, resourceServers } from './scopes.js'
import { PresentSigningKey } from './signing-key.js'

const on = { enabled: true } as const
const off = { enabled: false } as const

const isOffline = (scope: string | undefined): boolean => scope?.split(' ').includes('offline_access') ?? false

const features = (settings: EngineSettings, ports: EnginePorts): NonNullable<Configuration['features']> => ({
  devInteractions: off,
  rpInitiatedLogout: off,
  backchannelLogout: off,
  registration: off,
  registrationManagement: off,
  clientIdMetadataDocument: off,
  userinfo: on,
  jwtUserinfo: on,
  introspection: { ...on, allowedPolicy: introspectionPolicy(settings) },
  jwtIntrospection: on,
  // RFC 8705 §2: no request has a certificate, so that a client which authenticates by one is refused.
  mTLS: { ...off, getCertificate: () => undefined },
  revocation: { ...on, allowedPolicy: (_request, client, token) => token.clientId === client.clientId },
  clientCredentials: on,
  encryption: on,
  requestObjects: { ...on, assertJwtClaimsAndHeader: assertSignedRequest(ports) },
  jwtResponseModes: on,
  pushedAuthorizationRequests: on,
  dPoP: { ...on, requireNonce: refuseProofs(ports) },
  externalSigningSupport: { ...on, ack: 'experimental-01' },
  resourceIndicators: {
    ...on,
    defaultResource: () => [],
    getResourceServerInfo: resourceServers(settings),
    // A client that requested for one resource gets tokens for it, also where its token request does not name it.
    useGrantedResource: (request) => !isOpenId(request),
  },
})

const isOpenId = ({ oidc }: KoaContextWithOIDC): boolean =>
  oidc.entities.AuthorizationCode?.scopes.has('openid') ?? oidc.entities.RefreshToken?.scopes.has('openid') ?? false

const tokenSettings = (settings: EngineSettings): Configuration => ({
  ttl: {
    AccessToken: settings.accessTokenLifetime,
    ClientCredentials: settings.accessTokenLifetime,
    RefreshToken: settings.refreshTokenLifetime,
    AuthorizationCode: lifetimes.codeLifetime,
    IdToken: lifetimes.idTokenLifetime,
    Interaction: lifetimes.interactionLifetime,
    Grant: lifetimes.grantLifetime,
    Session: lifetimes.sessionLifetime,
  },
  // RFC 9700 §4.14.2
  rotateRefreshToken: true,
  issueRefreshToken: (_request, client) => client.grantTypeAllowed('refresh_token'),
  // OpenID Core §11: offline access does not end with the session.
  expiresWithSession: (_request, token) => settings.tokensEndWithSession && !isOffline(token.scope),
  revokeGrantPolicy: () => true,
  formats: { bitsOfOpaqueRandomness: 256 },
})

// Fetch §3.2: these endpoints take no cookie, so that a page of any origin can do no more than a program can.
const corsOf =
  ({ corsOrigins }: EngineSettings) =>
  (_request: KoaContextWithOIDC, origin: string, client: EngineClient): boolean =>
    corsOrigins.includes('*') ||
    corsOrigins.includes(origin) ||
    (client.redirectUris ?? []).some(
      (uri) => /^https?:/.test(uri) && URL.canParse(uri) && new URL(uri).origin === origin,
    )

const cookiesOf = ({ issuer, cookieKeys }: EngineSettings): NonNullable<Configuration['cookies']> => {
  const attributes = { httpOnly: true, sameSite: 'lax', signed: true } as const
  return { names: cookieNames(issuer), keys: cookieSignatures(cookieKeys), long: attributes, short: attributes }
}

const algorithms = [...clientSignatures.asymmetric, ...clientSignatures.symmetric]
const encryptions = [...keyManagementAlgorithms]
const contents = [...contentEncryptions]

const enabledAlgorithms = ({ signingAlgorithms }: EngineSettings): NonNullable<Configuration['enabledJWA']> => {
  const signing = algorithms.filter((each) => signingAlgorithms.includes(each) || each.startsWith('HS'))
  return {
    clientAuthSigningAlgValues: algorithms,
    requestObjectSigningAlgValues: algorithms,
    dPoPSigningAlgValues: [...clientSignatures.asymmetric],
    idTokenSigningAlgValues: signing,
    userinfoSigningAlgValues: signing,
    introspectionSigningAlgValues: signing,
    authorizationSigningAlgValues: signing,
    idTokenEncryptionAlgValues: encryptions,
    idTokenEncryptionEncValues: contents,
    userinfoEncryptionAlgValues: encryptions,
    userinfoEncryptionEncValues: contents,
    introspectionEncryptionAlgValues: encryptions,
    introspectionEncryptionEncValues: contents,
    authorizationEncryptionAlgValues: encryptions,
    authorizationEncryptionEncValues: contents,
    requestObjectEncryptionAlgValues: encryptions,
    requestObjectEncryptionEncValues: contents,
  }
}

// OpenID Core §8.1: no client of another sector can find the identifier out. The sector is a host, without port.
const pairwise =
  ({ pairwiseSalt }: EngineSettings) =>
  (_request: KoaContextWithOIDC, accountId: string, client: EngineClient): string =>
    createHmac('sha256', pairwiseSalt)
      .update(JSON.stringify([sectorOf(client), accountId]))
      .digest('base64url')

const sectorOf = ({ sectorIdentifierUri, redirectUris = [] }: EngineClient): string =>
  [sectorIdentifierUri, ...redirectUris]
    .map((uri) => (uri === undefined ? '' : hostOf(uri)))
    .find((host) => host !== '') ?? ''

const hostOf = (uri: string): string => (URL.canParse(uri) ? new URL(uri).hostname : '')

// RFC 9700 §2.1.1, OAuth 2.1 §4.1.1: the engine asks about requests for a code without a code_challenge.
const pkceOf =
  ({ requirePkce }: EngineSettings) =>
  (_request: KoaContextWithOIDC, client: EngineClient): boolean => {
    if (requirePkce === 'public' && client.clientAuthMethod !== 'none') return false
    throw new errors.InvalidRequest(
      'PKCE is required: send code_challenge with code_challenge_method S256 (RFC 7636 4.3)',
    )
  }

// The defaults of the standards name RS256, by which this service need not sign, and which a policy need not allow.
const signedBy = (
  { signingAlgorithms }: EngineSettings,
  { listedAlgorithms }: EnginePorts,
): NonNullable<Configuration['clientDefaults']> =>
  Object.fromEntries(
    (['id_token', 'authorization', 'introspection'] as const).map((name) => {
      const listed = listedAlgorithms(`${name}_signed_response_alg`)
      return [
        `${name}_signed_response_alg`,
        signingAlgorithms.find((alg) => listed.includes(alg)) ?? signingAlgorithms[0],
      ]
    }),
  )

type Fetch = NonNullable<EnginePorts['fetch']>

// The engine keeps the keys of a client with the client, and that of a document is made anew for each request.
const fetchKeySet =
  ({ fetch = refuseFetch, fetchForDocument = refuseFetch }: EnginePorts): Fetch =>
  (url, init) => {
    const client = presentRequest()?.oidc.client
    return (client !== undefined && isUnapproved(client) ? fetchForDocument : fetch)(url, init)
  }

const refuseFetch = (): Promise<never> =>
  Promise.reject(new Error('outbound-fetches is off: the service sends no requests'))

export const configurationOf = (settings: EngineSettings, ports: EnginePorts): Configuration => ({
  adapter: adapterOn(ports, settings),
  jwks: { keys: settings.signingAlgorithms.map((alg) => new PresentSigningKey(alg, ports)) },
  routes: { ...endpoints, ...unservedEndpoints },
  cookies: cookiesOf(settings),
  features: features(settings, ports),
  assertJwtClientAuthClaimsAndHeader: assertSignedAssertion(ports),
  ...tokenSettings(settings),
  clientDefaults: signedBy(settings, ports),
  responseTypes: [...responseTypes],
  clientAuthMethods: [...authMethods],
  enabledJWA: enabledAlgorithms(settings),
  scopes: [...ownScopeValues, ...settings.scopes],
  extraParams: { scope: judgeScope(settings) },
  claims: { openid: ['sub'], acr: null, sid: null, auth_time: null, iss: null, ...claimsByScope },
  subjectTypes: ['public', 'pairwise'],
  pairwiseIdentifier: pairwise(settings),
  sectorIdentifierUriValidate: () => false,
  // RFC 7636, RFC 9700 §2.1.1: a client without a secret must prove that it made the request.
  pkce: { required: pkceOf(settings) },
  allowOmittingSingleRegisteredRedirectUri: false,
  interactions: {
    policy: promptPolicy(),
    url: (_request, interaction) => new URL(`${settings.issuer}${interactionPath(interaction.uid)}`).pathname,
  },
  findAccount: accountFinder(ports),
  loadExistingGrant: grantLoader(settings.consentPolicy, ports),
  clientBasedCORS: corsOf(settings),
  renderError: renderError(ports),
  fetch: fetchKeySet(ports) as NonNullable<Configuration['fetch']>,
})
