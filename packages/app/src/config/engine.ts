// The authorization server, and what the metadata documents tell of it.
import type { EngineSettings } from '@clientele/adapters-oidc-provider'
import { type JsonObject, isJsonObject, maxDepth } from '@clientele/domain/kernel'
import { ownMembers } from '@clientele/domain/operations'
import { type ResourcePolicy, decodeResourcePolicy } from '@clientele/domain/provider'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import { decodeJson, jsonOf } from './files.js'
import type { signingSection } from './keys.js'
import type { logoutSection } from './logout.js'
import { consentPolicy, type pageSection, type webSection } from './pages.js'
import {
  type Parse,
  type Values,
  choice,
  clientId,
  day,
  flag,
  list,
  optional,
  range,
  several,
  spaces,
  tenYears,
} from './values.js'

/** A JSON object to merge into the metadata, without the members that this service determines. */
const providerMetadata: Parse<JsonObject> = (path) =>
  pipe(
    jsonOf(path),
    E.mapLeft((fault) => `a file with one JSON object: ${fault}`),
    E.filterOrElse(isJsonObject(maxDepth), () => 'a file with one JSON object'),
    E.filterOrElse(
      (json) => !ownMembers.some((name) => Object.hasOwn(json, name)),
      () => `a file without ${ownMembers.join(', ')}: the service knows these itself`,
    ),
  )

export const metadataSection = {
  'provider-metadata': optional(
    'Members that the service adds to its metadata documents, such as the endpoints of a provider beside it. If they contain a list of algorithms, registration accepts those',
    { values: 'path of a JSON file', parse: providerMetadata, forms: { '-file': providerMetadata } },
  ),
} as const

const resourcePolicy: Parse<ResourcePolicy> = (path) =>
  pipe(
    decodeJson(jsonOf(path), decodeResourcePolicy),
    E.mapLeft((faults) => `a JSON file with a policy of resources, which this is not: ${faults.join('; ')}`),
  )

export const engineSection = {
  engine: choice(
    'The authorization server in this process: oidc-provider, or none. With none, another program beside this service may be the authorization server',
    ['oidc-provider', 'none'],
    'oidc-provider',
    ' or ',
  ),
  'access-token-lifetime': range('After how many seconds an access token expires', {
    from: 10,
    to: tenYears,
    fallback: 3600,
  }),
  'refresh-token-lifetime': range(
    'After how many seconds a refresh token expires. Each use issues a new one, unless rotate-refresh-tokens is false',
    {
      from: 10,
      to: 365 * day,
      fallback: 30 * day,
    },
  ),
  'rotate-refresh-tokens': flag(
    'Whether each use of a refresh token issues a new one. With false, a refresh token stays valid until it expires, unless its client neither authenticates nor uses DPoP: the token of such a client is replaced at each use all the same',
    true,
  ),
  'refresh-token-grace': range(
    'For how many seconds a used refresh token is accepted again, because an answer may be lost. This ends earlier when its successor is used; 0 refuses every second use',
    { from: 0, to: day, fallback: 0 },
  ),
  'tokens-end-with-session': flag(
    'Whether access and refresh tokens end with the session in which they were issued, except those for offline access',
    true,
  ),
  'resource-policy': optional(
    'The resources for which clients may get access tokens (RFC 8707), each with its scope values. It may also name the clients that get tokens for a resource, and those that introspect them',
    { values: 'path of a JSON file', fallbackText: 'none: every resource, for every client', parse: resourcePolicy },
  ),
  'require-pkce': choice(
    'The clients that must use PKCE (RFC 7636) when they ask for a code: public clients, which do not authenticate, or all',
    ['public', 'all'],
    'public',
    ' or ',
  ),
  'implicit-access-tokens': flag(
    'Whether clients may have the response type "id_token token": an access token in the authorization response, which passes through the browser. RFC 9700 section 2.1.2 advises against it. If require-dpop is true, no client has it, because such a token is bound to no key',
    false,
  ),
  'request-uris': flag(
    'Whether a client may send a request_uri that it registered in request_uris, in place of an authorization request (OpenID Connect Core section 6.2). The service fetches the request from there, so that outbound-fetches must be true',
    false,
  ),
  'require-par': flag(
    'Whether every client must push its authorization requests (RFC 9126). With false, only clients that registered require_pushed_authorization_requests must do so',
    false,
  ),
  'require-dpop': flag(
    'Whether every access token must be bound to a key of its client by DPoP (RFC 9449). With false, only those of clients that registered dpop_bound_access_tokens must be',
    false,
  ),
  'assertion-audience': choice(
    'What a client assertion (RFC 7523) may name as its audience. endpoints: the issuer or one of its endpoints; issuer: only the issuer, as a text and not in a list',
    ['endpoints', 'issuer'],
    'endpoints',
    ' or ',
  ),
  'claims-in-id-token': flag(
    'Whether an ID token has the claims of the granted scope values even if an access token is issued with it, for applications that do not ask UserInfo. OpenID Connect Core section 5.4 leaves these claims out',
    false,
  ),
  'introspection-clients': several(
    'The clients that may introspect every access token, such as resource servers of the operator. Only clients that the master token registered count; * names all of these. Other clients may introspect their own tokens, and those for a resource whose introspected_by in resource-policy names them',
    'client_id separated by spaces, or *',
    list(spaces, clientId),
  ),
} as const

type Described = Pick<
  EngineSettings,
  'issuer' | 'signingAlgorithms' | 'scopes' | 'offersImplicitTokens' | 'requestUris' | 'requirePar'
>

/** What the authorization server both is set to and tells of itself. */
export const describedSettings = (
  config: Values<typeof metadataSection & typeof signingSection & typeof engineSection>,
  issuer: string,
): Described => {
  // Scope values that the operator declares are for access tokens without a resource.
  const scopes = config['provider-metadata']?.['scopes_supported']
  return {
    issuer,
    signingAlgorithms: config['signing-algorithms'],
    // RFC 9449 §5: an authorization response has no bound token.
    offersImplicitTokens: config['implicit-access-tokens'] && !config['require-dpop'],
    requestUris: config['request-uris'],
    scopes: Array.isArray(scopes) ? scopes.filter((each): each is string => typeof each === 'string') : [],
    requirePar: config['require-par'],
  }
}

/** What instances of the authorization server have in common, and must not show. */
export type EngineSecrets = Pick<EngineSettings, 'cookieKeys' | 'pairwiseSalt'>

type Sections = typeof engineSection & typeof metadataSection & typeof signingSection & typeof logoutSection

export const engineSettings = (
  config: Values<Sections & typeof pageSection & typeof webSection>,
  issuer: string,
  secrets: EngineSecrets,
): EngineSettings => ({
  ...describedSettings(config, issuer),
  ...secrets,
  accessTokenLifetime: config['access-token-lifetime'],
  refreshTokenLifetime: config['refresh-token-lifetime'],
  refreshTokenGrace: config['refresh-token-grace'],
  rotateRefreshTokens: config['rotate-refresh-tokens'],
  tokensEndWithSession: config['tokens-end-with-session'],
  logoutEndsOfflineAccess: config['logout-ends-offline-access'],
  resources: config['resource-policy'],
  requirePkce: config['require-pkce'],
  requireDpop: config['require-dpop'],
  claimsInIdToken: config['claims-in-id-token'],
  assertionAudience: config['assertion-audience'],
  introspectionClients: config['introspection-clients'],
  consentPolicy: consentPolicy(config),
  corsOrigins: config['cors-origins'],
})
