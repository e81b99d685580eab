// The configuration of the engine. Every default that it would report is set.
import { asymmetricAlgorithms, contentEncryptions, keyManagementAlgorithms } from '@clientele/domain/client'
import { ownScopeValues, permitsIntrospection } from '@clientele/domain/provider'
import { createHmac, timingSafeEqual } from 'node:crypto'
import { type Configuration, type KoaContextWithOIDC, errors, interactionPolicy } from 'oidc-provider'
import {
  allSignatures,
  authMethods,
  claimsByScope,
  codeLifetime,
  endpoints,
  grantLifetime,
  idTokenLifetime,
  interactionLifetime,
  interactionPath,
  responseTypesOf,
  sessionLifetime,
  unservedEndpoints,
} from './abilities.js'
import { adapterOn } from './adapter.js'
import { renderError } from './answers.js'
import { type EngineClient, isPushedByAnyone, isUnapproved, registeredOf } from './clients.js'
import { accountFinder, grantLoader } from './consents.js'
import { presentKnown, presentRequest } from './context.js'
import type { EnginePorts, EngineSettings } from './ports.js'
import { assertSignedAssertion, assertSignedRequest, refuseProofs } from './requests.js'
import { PresentSigningKey, endsWithSession, judgeScope, livesFor, resourceServers } from './tokens.js'

type Signatures = Exclude<NonNullable<NonNullable<Configuration['cookies']>['keys']>, ReadonlyArray<string | Buffer>>

/** By HMAC-SHA-256, in place of the engine's HMAC-SHA-1: the first key signs, and all verify. */
export const cookieSignatures = (keys: ReadonlyArray<string>): Signatures => {
  const signatures = (data: string): ReadonlyArray<string> =>
    keys.map((key) => createHmac('sha256', key).update(data).digest('base64url'))
  const index = (data: string, signature: string): number => {
    const given = Buffer.from(signature)
    const isSame = (each: Buffer): boolean => each.length === given.length && timingSafeEqual(each, given)
    return signatures(data).findIndex((each) => isSame(Buffer.from(each)))
  }
  return {
    sign: (data: string) => signatures(data)[0] ?? '',
    verify: (data: string, signature) => index(data, signature) >= 0,
    index,
  }
}

/**
 * RFC 6265bis §4.1.3: the prefixes stop other hosts and plain http from setting them; without https there are none. The
 * cookies of an interaction are sent to its pages only.
 */
const cookieNames = (baseUrl: string) =>
  baseUrl.startsWith('https:')
    ? {
        session: '__Host-clientele-provider',
        interaction: '__Secure-clientele-interaction',
        resume: '__Secure-clientele-resume',
      }
    : { session: 'clientele-provider', interaction: 'clientele-interaction', resume: 'clientele-resume' }

// When the engine asks the end-user: its rules, and one of OpenID Connect Core that it does not follow after a login. Whether
// a consent counts is a decision of the domain, of which `consents.ts` makes the grant.

// The engine reads the hint of the request, and not again when the request goes on after an interaction.
const readHintAgain = async ({ oidc }: KoaContextWithOIDC): Promise<void> => {
  const { client, entities, params, provider } = oidc
  const hint = params?.['id_token_hint']
  if (client === undefined || entities.IdTokenHint !== undefined || typeof hint !== 'string') return
  oidc.entity('IdTokenHint', await provider.IdToken.validate(hint, client))
}

/**
 * OpenID Core §3.1.2.1: where another end-user than that of the id_token_hint has signed in, the client is answered
 * login_required. To ask again would have no end where a login elsewhere asks the end-user for nothing.
 */
const promptPolicy = () => {
  const policy = interactionPolicy.base()
  // OpenID Core §3.1.2.1: the end-user chooses the account by signing in.
  policy.add(new interactionPolicy.Prompt({ name: 'select_account', requestable: true }), 1)
  const comparison = policy.get('login')?.checks.get('id_token_hint')
  if (comparison === undefined) throw new Error('the engine compares id_token_hint in another way')
  // RFC 8252 §8.6 is about clients without authentication, for which the domain asks; the engine asks for every native one.
  const consent = policy.get('consent')?.checks
  if (consent?.get('native_client_prompt') === undefined) throw new Error('the engine asks for consent in another way')
  consent.remove('native_client_prompt')
  const { check } = comparison
  comparison.check = async (request) => {
    await readHintAgain(request)
    const asks = await check(request)
    if (asks && request.oidc.result?.login !== undefined)
      throw new errors.LoginRequired(
        'another end-user than that of id_token_hint signed in: leave id_token_hint out to let any end-user sign in',
      )
    return asks
  }
  return policy
}

/** An access token of a client or of an end-user, or a refresh token. */
type Token = {
  readonly kind?: string
  readonly clientId?: string | undefined
  readonly aud?: string | ReadonlyArray<string> | undefined
}

/** RFC 7662 §4: whether the token is shown to the client; to others it is not active. */
const introspectionPolicy = (settings: EngineSettings) => {
  const permits = permitsIntrospection(settings)
  return (
    _request: KoaContextWithOIDC,
    client: EngineClient,
    { kind, clientId: client_id = '', aud = [] }: Token,
  ): boolean =>
    permits({
      client: registeredOf(client),
      token: {
        kind: kind === 'RefreshToken' ? 'refresh_token' : 'access_token',
        client_id,
        audience: typeof aud === 'string' ? [aud] : aud,
      },
    })
}

// RFC 7009 §2.1: a client is told of the token of another one; one that anybody registered does not learn which tokens there are.
const mayRevoke = (_request: KoaContextWithOIDC, client: EngineClient, token: Token): boolean => {
  const isOwn = token.clientId === client.clientId
  if (!isOwn && !isPushedByAnyone(client))
    throw new errors.InvalidRequest('client is not authorized to revoke the presented token')
  return isOwn
}

const on = { enabled: true } as const
const off = { enabled: false } as const

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
  revocation: { ...on, allowedPolicy: mayRevoke },
  clientCredentials: on,
  encryption: on,
  requestObjects: { ...on, assertJwtClaimsAndHeader: assertSignedRequest(ports) },
  jwtResponseModes: on,
  pushedAuthorizationRequests: { ...on, requirePushedAuthorizationRequests: settings.requirePar },
  dPoP: { ...on, requireNonce: refuseProofs(ports) },
  externalSigningSupport: { ...on, ack: 'experimental-01' },
  resourceIndicators: {
    ...on,
    // The engine asks which of several a token is for; where there is none, the token is for none.
    defaultResource: (_request, _client, several) => (several?.length === 0 ? undefined : (several ?? [])),
    getResourceServerInfo: resourceServers(settings, ports),
    // A client that requested for one resource gets tokens for it, also where its token request does not name it.
    useGrantedResource: (request) => !isOpenId(request),
  },
})

const isOpenId = ({ oidc }: KoaContextWithOIDC): boolean =>
  oidc.entities.AuthorizationCode?.scopes.has('openid') ?? oidc.entities.RefreshToken?.scopes.has('openid') ?? false

// RFC 9700 §4.14.2: without rotation, a refresh token is protected by the authentication of its client, or by a key. One
// that was rotated before is judged as a replay.
const rotates =
  ({ rotateRefreshTokens }: EngineSettings) =>
  ({ oidc: { client, entities } }: KoaContextWithOIDC): boolean =>
    rotateRefreshTokens ||
    presentKnown()?.refreshToken?.consumed_at !== undefined ||
    (client?.clientAuthMethod === 'none' && entities.RefreshToken?.isSenderConstrained() !== true)

const tokenSettings = (settings: EngineSettings, lives: ReturnType<typeof livesFor>): Configuration => ({
  ttl: {
    AccessToken: lives('access_token'),
    ClientCredentials: lives('access_token'),
    RefreshToken: lives('refresh_token'),
    AuthorizationCode: codeLifetime,
    IdToken: idTokenLifetime,
    Interaction: interactionLifetime,
    Grant: grantLifetime,
    Session: sessionLifetime,
  },
  rotateRefreshToken: rotates(settings),
  issueRefreshToken: (_request, client) => client.grantTypeAllowed('refresh_token'),
  expiresWithSession: (_request, token) => endsWithSession(settings, token.scope),
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

const encryptions = [...keyManagementAlgorithms]
const contents = [...contentEncryptions]

const enabledAlgorithms = ({ signingAlgorithms }: EngineSettings): NonNullable<Configuration['enabledJWA']> => {
  const signing = allSignatures.filter((each) => signingAlgorithms.includes(each) || each.startsWith('HS'))
  return {
    clientAuthSigningAlgValues: allSignatures,
    requestObjectSigningAlgValues: allSignatures,
    dPoPSigningAlgValues: [...asymmetricAlgorithms],
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

const sectorOf = ({ sectorIdentifierUri = '', redirectUris = [] }: EngineClient): string =>
  [sectorIdentifierUri, ...redirectUris]
    .map((uri) => (URL.canParse(uri) ? new URL(uri).hostname : ''))
    .find((host) => host !== '') ?? ''

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

// The engine keeps the keys of a client with the client, and that of a document is made anew for each request.
const fetchKeySet =
  ({ fetch = refuseFetch, fetchForDocument = refuseFetch }: EnginePorts): NonNullable<EnginePorts['fetch']> =>
  (url, init) => {
    const client = presentRequest()?.oidc.client
    return (client !== undefined && isUnapproved(client) ? fetchForDocument : fetch)(url, init)
  }

const refuseFetch = (): Promise<never> =>
  Promise.reject(new Error('outbound-fetches is off: the service sends no requests'))

// extraParams are judged when a request comes; the policy may have changed while it waited for the end-user.
const grantFor = (settings: EngineSettings, ports: EnginePorts): NonNullable<Configuration['loadExistingGrant']> => {
  const judge = judgeScope(settings, ports)
  const load = grantLoader(settings.consentPolicy, ports)
  return (request) => {
    const { route, client, params } = request.oidc
    const scope = params?.['scope']
    if (route === 'resume' && client !== undefined) judge(request, typeof scope === 'string' ? scope : '', client)
    return load(request)
  }
}

export const configurationOf = (settings: EngineSettings, ports: EnginePorts): Configuration => ({
  adapter: adapterOn(ports, settings),
  jwks: { keys: settings.signingAlgorithms.map((alg) => new PresentSigningKey(alg, ports)) },
  routes: { ...endpoints, ...unservedEndpoints },
  cookies: cookiesOf(settings),
  features: features(settings, ports),
  assertJwtClientAuthClaimsAndHeader: assertSignedAssertion(settings, ports),
  ...tokenSettings(settings, livesFor(settings, ports)),
  clientDefaults: { ...signedBy(settings, ports), dpop_bound_access_tokens: settings.requireDpop },
  responseTypes: [...responseTypesOf(settings)],
  clientAuthMethods: [...authMethods],
  enabledJWA: enabledAlgorithms(settings),
  scopes: [...ownScopeValues, ...settings.scopes],
  extraParams: { scope: judgeScope(settings, ports) },
  claims: { openid: ['sub'], acr: null, sid: null, auth_time: null, iss: null, ...claimsByScope },
  conformIdTokenClaims: !settings.claimsInIdToken,
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
  loadExistingGrant: grantFor(settings, ports),
  clientBasedCORS: corsOf(settings),
  renderError: renderError(ports),
  fetch: fetchKeySet(ports) as NonNullable<Configuration['fetch']>,
})
