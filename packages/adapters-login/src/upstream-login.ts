// Another OpenID provider authenticates the end-user: OpenID Connect Core §3.1, RFC 7636, RFC 9207.
import type { EpochSeconds, Unavailable } from '@clientele/domain/kernel'
import { type LoginRefused, loginRefused } from '@clientele/domain/provider'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import type { Configuration } from 'openid-client'
import { createCachedDiscovery } from './cached-discovery.js'
import type { LoginMethod, LoginRequest, ReturnedLogin } from './login-method.js'
import { type UpstreamFetch, fetchForUpstream } from './upstream-fetch.js'
import { isGrantRefused, upstreamFailure } from './upstream-failure.js'
import { readUpstreamEndUser } from './upstream-end-user.js'
import type { UpstreamSettings } from './upstream-settings.js'

export type UpstreamPorts = { readonly fetch: UpstreamFetch; readonly now: () => EpochSeconds }

export type UpstreamLogin = LoginMethod & {
  /** Whether the provider can be reached, and is the one of the settings. */
  readonly check: TE.TaskEither<LoginRefused | Unavailable, void>
  /** Whether the provider takes the credentials of the settings, as far as a code that it never issued can tell. */
  readonly checkCredentials: TE.TaskEither<LoginRefused | Unavailable, void>
}

// Only services with an upstream provider load the library. They load it at start, because a new build removes the file
// of a running service.
const loadLibrary = async () => import('openid-client')

type Upstream = {
  readonly library: Awaited<ReturnType<typeof loadLibrary>>
  readonly configuration: Configuration
}

const Memo = t.type({ nonce: t.string, verifier: t.string, needs_auth_time: t.boolean })

const memoOf = (text: string): E.Either<LoginRefused, t.TypeOf<typeof Memo>> =>
  pipe(
    E.tryCatch((): unknown => JSON.parse(text), String),
    E.flatMapNullable(
      (json) => (Memo.is(json) ? json : undefined),
      () => '',
    ),
    E.mapLeft(() => loginRefused('the state of the browser is not that of a login at an upstream provider')),
  )

const isPlain = ({ issuer }: UpstreamSettings): boolean => issuer.startsWith('http:')

// OpenID Connect Discovery §4
const discover = async (
  settings: UpstreamSettings,
  fetch: UpstreamFetch,
  loading: ReturnType<typeof loadLibrary>,
): Promise<Upstream> => {
  const library = await loading
  const { clientId, clientSecret, clientAuthentication } = settings
  const authenticate =
    clientAuthentication === 'client_secret_basic' ? library.ClientSecretBasic : library.ClientSecretPost
  const configuration = await library.discovery(
    new URL(settings.issuer),
    clientId,
    { client_secret: clientSecret },
    authenticate(clientSecret),
    // The signatures of ID tokens are verified, also of those that come by TLS from the token endpoint.
    {
      [library.customFetch]: fetchForUpstream(fetch),
      // The fetch permits http to the issuer on loopback alone.
      execute: [library.enableNonRepudiationChecks, ...(isPlain(settings) ? [library.allowInsecureRequests] : [])],
    },
  )
  return { library, configuration }
}

// Google's metadata list no values of prompt, and it knows no login:
// https://developers.google.com/identity/openid-connect/openid-connect#authenticationuriparameters
const google = 'https://accounts.google.com'

// OpenID Core §3.1.2.1; Initiating User Registration 1.0 §4.1 defines the list.
const otherAccountPrompt = (configuration: Configuration): string => {
  const { issuer, prompt_values_supported: values } = configuration.serverMetadata()
  return issuer === google || (Array.isArray(values) && values.includes('select_account')) ? 'select_account' : 'login'
}

// OpenID Core §3.1.2.1. A provider that knows no max_age=0 knows prompt=login.
const hintsOf = (
  configuration: Configuration,
  { loginHint, uiLocales, maxAge, otherAccount }: LoginRequest,
): Readonly<Record<string, string>> => ({
  ...(loginHint === undefined || otherAccount ? {} : { login_hint: loginHint }),
  ...(uiLocales === undefined ? {} : { ui_locales: uiLocales }),
  ...(maxAge === undefined ? {} : { max_age: String(maxAge) }),
  ...(maxAge === 0 ? { prompt: 'login' } : {}),
  ...(otherAccount ? { prompt: otherAccountPrompt(configuration) } : {}),
})

const begin = async ({ library, configuration }: Upstream, scope: string, request: LoginRequest) => {
  const nonce = library.randomNonce()
  const verifier = library.randomPKCECodeVerifier()
  const location = library.buildAuthorizationUrl(configuration, {
    ...hintsOf(configuration, request),
    scope,
    nonce,
    redirect_uri: request.redirectUri,
    state: request.handle,
    code_challenge: await library.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  })
  const memo = { nonce, verifier, needs_auth_time: request.maxAge !== undefined }
  return { location: location.href, memo: JSON.stringify(memo) }
}

const returnUrl = ({ redirectUri, parameters }: ReturnedLogin): URL => {
  const url = new URL(redirectUri)
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
  return url
}

/** The tokens and claims after all checks of the standards; the iss of the response too (RFC 9207 §2.4). */
const redeem = async (
  { library, configuration }: Upstream,
  returned: ReturnedLogin,
  { nonce, verifier }: t.TypeOf<typeof Memo>,
) => {
  const tokens = await library.authorizationCodeGrant(configuration, returnUrl(returned), {
    expectedState: returned.handle,
    expectedNonce: nonce,
    pkceCodeVerifier: verifier,
    idTokenExpected: true,
  })
  const idToken = tokens.claims()
  const metadata = configuration.serverMetadata()
  const userInfo =
    idToken === undefined || metadata.userinfo_endpoint === undefined
      ? {}
      : await library.fetchUserInfo(configuration, tokens.access_token, idToken.sub)
  return { idToken, id_token: tokens.id_token, userInfo, end_session_endpoint: metadata.end_session_endpoint }
}

// RFC 6749 §5.2: the client authenticates before the code is looked at, so that invalid_grant says that it did.
const redeemNothing = async ({ library, configuration }: Upstream): Promise<void> => {
  const url = new URL('https://client.example/callback?code=a-code-that-nobody-issued')
  // RFC 9207 §2.4: the response would name the issuer.
  url.searchParams.set('iss', configuration.serverMetadata().issuer)
  const verifier = library.randomPKCECodeVerifier()
  await library
    .authorizationCodeGrant(configuration, url, { pkceCodeVerifier: verifier, expectedNonce: verifier })
    .catch((error: unknown) => {
      if (!isGrantRefused(error)) throw error
    })
}

/** The login at an OpenID provider of the settings. */
export const createUpstreamLogin = (settings: UpstreamSettings, { fetch, now }: UpstreamPorts): UpstreamLogin => {
  const loading = loadLibrary()
  // Each login reports the failure; without a handler, it would be an unhandled rejection before the first login.
  loading.catch(() => undefined)
  const upstream = createCachedDiscovery(() => discover(settings, fetch, loading), now)
  const atUpstream = <A>(use: (known: Upstream) => Promise<A>): TE.TaskEither<LoginRefused | Unavailable, A> =>
    TE.tryCatch(async () => use(await upstream()), upstreamFailure)
  return {
    name: `upstream ${settings.issuer} ${settings.clientId}`,
    begin: (request) => atUpstream((known) => begin(known, settings.scope.join(' '), request)),
    complete: (returned) =>
      pipe(
        TE.fromEither(memoOf(returned.memo)),
        TE.flatMap((memo) =>
          pipe(
            atUpstream((known) => redeem(known, returned, memo)),
            TE.flatMapEither((redeemed) =>
              readUpstreamEndUser(settings, redeemed, { needsAuthTime: memo.needs_auth_time, at: now() }),
            ),
          ),
        ),
      ),
    check: atUpstream(() => Promise.resolve()),
    checkCredentials: atUpstream(redeemNothing),
  }
}
