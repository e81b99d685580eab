// What the login at an OpenID provider and that at another OAuth 2.0 server have in common.
import type { EpochSeconds, JsonObject } from '@clientele/domain/kernel'
import {
  type AuthenticatedEndUser,
  type ClientAuthentication,
  type LoginRefused,
  type PlainOAuth,
  type RequiredClaims,
  type UpstreamMapping,
  admitEndUser,
  loginRefused,
  mapUpstreamClaims,
  readEndUser,
} from '@clientele/domain/provider'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { pipe } from 'fp-ts/lib/function.js'
import type * as t from 'io-ts'
import { createHash } from 'node:crypto'
import type * as OpenIdClient from 'openid-client'
import type { ClientAuth, Configuration } from 'openid-client'
import type { LoginRequest, ReturnedLogin } from './login-elsewhere.js'
import type { UpstreamFetch } from './upstream-failure.js'

export type UpstreamSettings = UpstreamMapping & {
  /** Its member of the setting upstreams; undefined for the provider of the settings upstream-… */
  readonly id: string | undefined
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  readonly clientAuthentication: ClientAuthentication
  readonly scope: ReadonlyArray<string>
  /** What the claims must be for the end-user to sign in here. */
  readonly required: RequiredClaims
  /** Of an OAuth 2.0 server that is no OpenID provider. */
  readonly plain: PlainOAuth | undefined
}

// Only services with an upstream provider load the library. They load it at start, because a new build removes the file
// of a running service.
type Library = typeof OpenIdClient

export const loadLibrary = async (): Promise<Library> => import('openid-client')

/** A provider as the library knows it. */
export type Upstream = { readonly library: Library; readonly configuration: Configuration }

/** How a login at a provider goes, by its kind. A rejection is a failure of the provider. */
export type Protocol = {
  readonly configure: (library: Library, fetch: UpstreamFetch) => Promise<Configuration>
  readonly begin: (
    known: Upstream,
    request: LoginRequest,
  ) => Promise<E.Either<LoginRefused, { readonly location: string; readonly memo: string }>>
  readonly complete: (
    known: Upstream,
    returned: ReturnedLogin,
    at: EpochSeconds,
  ) => Promise<E.Either<LoginRefused, AuthenticatedEndUser>>
}

export const authenticationOf = (
  library: Library,
  { clientAuthentication, clientSecret }: UpstreamSettings,
): ClientAuth => {
  const authenticate =
    clientAuthentication === 'client_secret_basic' ? library.ClientSecretBasic : library.ClientSecretPost
  return authenticate(clientSecret)
}

/** What the method noted at the beginning of the login. */
export const memoOf = <A>(codec: t.Type<A>, text: string): E.Either<LoginRefused, A> =>
  pipe(
    O.tryCatch((): unknown => JSON.parse(text)),
    O.filter(codec.is),
    E.fromOption(() => loginRefused('the state of the browser is not that of a login at this upstream provider')),
  )

/** The URL to which the browser returned. */
export const returnUrl = ({ redirectUri, parameters }: ReturnedLogin): URL => {
  const url = new URL(redirectUri)
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
  return url
}

/** OpenID Core §5.7: iss and sub together; as JSON, so that two pairs never give one text. */
const digestOf = (iss: string, sub: string): string =>
  createHash('sha256')
    .update(JSON.stringify([iss, sub]))
    .digest('base64url')

/** The end-user whom the provider calls `sub`, with its claims, if the settings admit it. */
export const readUser = (
  settings: UpstreamSettings,
  { iss, sub, claims }: { readonly iss: string; readonly sub: string; readonly claims: JsonObject },
  at: EpochSeconds,
): E.Either<LoginRefused, AuthenticatedEndUser> =>
  pipe(
    E.right(claims),
    E.flatMap(
      admitEndUser(
        settings.required,
        settings.id === undefined ? 'upstream-required-claims' : `required_claims of ${settings.id} in upstreams`,
      ),
    ),
    E.flatMap(mapUpstreamClaims(settings, digestOf(iss, sub))),
    E.flatMap((mapped) => readEndUser(mapped, at)),
  )
