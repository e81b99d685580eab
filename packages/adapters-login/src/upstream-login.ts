// Another OpenID provider authenticates the end-user: OpenID Connect Core §3.1, RFC 7636, RFC 9207.
import {
  type EpochSeconds,
  type JsonObject,
  type Unavailable,
  isJsonObject,
  maxDepth,
  unavailable,
} from '@clientele/domain/kernel'
import {
  type AuthenticatedEndUser,
  type LoginRefused,
  type LogoutElsewhere,
  type RequiredClaims,
  type UpstreamMapping,
  admitEndUser,
  loginRefused,
  mapUpstreamClaims,
  readEndUser,
} from '@clientele/domain/provider'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import { createHash } from 'node:crypto'
import type { Configuration } from 'openid-client'
import type { LoginMethod, LoginRequest, ReturnedLogin } from './login-elsewhere.js'

export type UpstreamSettings = UpstreamMapping & {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  readonly clientAuthentication: 'client_secret_basic' | 'client_secret_post'
  readonly scope: ReadonlyArray<string>
  /** What the claims must be for the end-user to sign in here. */
  readonly required: RequiredClaims
}

/** The upstream provider gives no answer that counts: its end-users can sign in later. */
class UpstreamAway extends Error {}

const causesOf = (error: unknown, depth = 5): ReadonlyArray<unknown> =>
  error instanceof Error && depth > 0 ? [error, ...causesOf(error.cause, depth - 1)] : [error]

// RFC 6749 §5.2: the characters of error codes; descriptions are texts of the other party
const codeOf = (error: unknown, member: 'error' | 'code'): string | undefined => {
  const code: unknown = error instanceof Error ? Reflect.get(error, member) : undefined
  return typeof code === 'string' && /^[A-Za-z_]{1,60}$/.test(code) ? code : undefined
}

const remedies: ReadonlyMap<string, string> = new Map([
  ['invalid_client', ': correct upstream-client-id, upstream-client-secret or upstream-client-authentication'],
  ['unauthorized_client', ': correct the registration of upstream-client-id'],
])

/** RFC 6749 §5.2: the refusals of a request whose client is authenticated. */
const isGrantRefused = (error: unknown): boolean =>
  ['invalid_grant', 'invalid_request'].includes(codeOf(error, 'error') ?? '')

const clientRefused = (code: string): LoginRefused =>
  loginRefused(`the upstream provider answered with the error ${code}${remedies.get(code) ?? ''}`, 'misconfigured')

// RFC 6749 §5.2: a provider may refuse a client by a challenge; that of the UserInfo endpoint has the scheme Bearer.
const isClientChallenge = (error: unknown): boolean =>
  error instanceof Error &&
  Array.isArray(error.cause) &&
  error.cause.some((each: unknown) => t.type({ scheme: t.literal('basic') }).is(each))

/** The failure of a request to the upstream provider, or of the judgement of its response. */
const upstreamFailure = (error: unknown): LoginRefused | Unavailable => {
  const away = causesOf(error).find((cause) => cause instanceof UpstreamAway)
  if (away instanceof UpstreamAway) return unavailable(`the upstream provider: ${away.message}`)
  const code = codeOf(error, 'code')
  if (code === 'OAUTH_WWW_AUTHENTICATE_CHALLENGE' && isClientChallenge(error)) return clientRefused('invalid_client')
  const answered = codeOf(error, 'error')
  // RFC 6749 §5.2; in an authorization response, which a browser brings, an error says nothing of the settings.
  if (answered !== undefined && remedies.has(answered) && code === 'OAUTH_RESPONSE_BODY_ERROR')
    return clientRefused(answered)
  if (answered !== undefined) return loginRefused(`the upstream provider answered with the error ${answered}`)
  return loginRefused(`the answer of the upstream provider is not valid (${code ?? 'no error code'})`)
}

/** A fetch with the limits of the service; a rejection has a short message, for the log. */
type UpstreamFetch = (
  url: string,
  request: {
    readonly method: string
    readonly headers: Readonly<Record<string, string>>
    readonly body?: unknown
  },
) => Promise<Response>

/** The fetch for the library: a failure of the server counts as one to be retried. */
const fetchForUpstream =
  (fetch: UpstreamFetch): UpstreamFetch =>
  async (url, request) => {
    const response = await fetch(url, request).catch((error: unknown) => {
      throw new UpstreamAway(error instanceof Error ? error.message : 'unknown')
    })
    if (response.status >= 500 || response.status === 429) throw new UpstreamAway(`the status is ${response.status}`)
    return response
  }

/** Seconds in which the metadata of a provider is used without a request. */
const currentFor = 3_600
/** Seconds in which it is used while the provider cannot be reached. */
const usableFor = 86_400
/** Seconds without a request after one that failed. */
const pauseAfterFailure = 5

/** Loads a value when it is asked for: one request at a time, however many ask. */
const loadingWhenAsked = <A>(load: () => Promise<A>, now: () => EpochSeconds): (() => Promise<A>) => {
  let loaded: { readonly value: A; readonly at: number } | undefined
  let failed: { readonly error: unknown; readonly at: number } | undefined
  let loading: Promise<A> | undefined
  const start = async (): Promise<A> => {
    try {
      const value = await load()
      loaded = { value, at: now() }
      failed = undefined
      return value
    } catch (error) {
      failed = { error, at: now() }
      throw error
    } finally {
      loading = undefined
    }
  }
  return async () => {
    if (loaded !== undefined && now() < loaded.at + currentFor) return loaded.value
    try {
      if (failed !== undefined && now() < failed.at + pauseAfterFailure) throw failed.error
      return await (loading ??= start())
    } catch (error) {
      if (loaded === undefined || now() >= loaded.at + usableFor) throw error
      return loaded.value
    }
  }
}

/** What the upstream provider answered, after all checks of the standards. */
type Redeemed = {
  readonly idToken: { readonly iss: string; readonly sub: string } | undefined
  readonly id_token: string | undefined
  readonly userInfo: object
  readonly end_session_endpoint: string | undefined
}

/** OpenID Core §5.7: iss and sub together; as JSON, so that two pairs never give one text. */
const digestOf = (iss: string, sub: string): string =>
  createHash('sha256')
    .update(JSON.stringify([iss, sub]))
    .digest('base64url')

const verification = new Set(['email', 'email_verified'])

// The ID token is signed, so that its claims precede those of the UserInfo response. An address is verified by what stands
// beside it (OpenID Connect Core §5.1): the two are never of different documents.
const claimsOf = ({ idToken, userInfo }: Redeemed): E.Either<LoginRefused, JsonObject> => {
  const hasAddress = Object.hasOwn(idToken ?? {}, 'email')
  const without = (claims: object): object =>
    Object.fromEntries(Object.entries(claims).filter(([name]) => !verification.has(name)))
  const claims = hasAddress ? { ...without(userInfo), ...idToken } : { ...userInfo, ...without(idToken ?? {}) }
  return isJsonObject(maxDepth)(claims)
    ? E.right(claims)
    : E.left(loginRefused('the claims of the upstream provider are not exact JSON'))
}

export const readUpstreamEndUser = (
  settings: UpstreamSettings,
  redeemed: Redeemed,
  { needsAuthTime, at }: { readonly needsAuthTime: boolean; readonly at: EpochSeconds },
): E.Either<LoginRefused, AuthenticatedEndUser> => {
  const { idToken, id_token, end_session_endpoint } = redeemed
  if (idToken === undefined) return E.left(loginRefused('the upstream provider gave no ID token'))
  return pipe(
    claimsOf(redeemed),
    // OpenID Core §2: auth_time is required when max_age was sent
    E.filterOrElse(
      (claims) => !needsAuthTime || typeof claims['auth_time'] === 'number',
      () => loginRefused('the upstream provider did not assert auth_time, which max_age requires'),
    ),
    E.flatMap(admitEndUser(settings.required)),
    E.flatMap(mapUpstreamClaims(settings, digestOf(idToken.iss, idToken.sub))),
    E.flatMap((claims) => readEndUser(claims, at)),
    E.map((endUser) =>
      id_token === undefined || end_session_endpoint === undefined
        ? endUser
        : {
            ...endUser,
            logoutElsewhere: { end_session_endpoint, client_id: settings.clientId, id_token_hint: id_token },
          },
    ),
  )
}

const loopback = /^(?:(?:.+\.)?localhost|127(?:\.\d+){3}|\[::1\])$/

/**
 * OpenID RP-Initiated Logout §2: the logout request at the provider that authenticated the end-user. None for an
 * endpoint that is neither an https URL nor an http URL on loopback.
 */
export const logoutElsewhereUrl = (
  { end_session_endpoint, client_id, id_token_hint }: LogoutElsewhere,
  postLogoutRedirectUri: string | undefined,
): string | undefined => {
  if (!URL.canParse(end_session_endpoint)) return undefined
  const url = new URL(end_session_endpoint)
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && loopback.test(url.hostname))) return undefined
  url.searchParams.set('client_id', client_id)
  url.searchParams.set('id_token_hint', id_token_hint)
  if (postLogoutRedirectUri !== undefined) url.searchParams.set('post_logout_redirect_uri', postLogoutRedirectUri)
  return url.href
}

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
    O.tryCatch((): unknown => JSON.parse(text)),
    O.filter(Memo.is),
    E.fromOption(() => loginRefused('the state of the browser is not that of a login at an upstream provider')),
  )

// OpenID Connect Discovery §4
const discover = async (
  settings: UpstreamSettings,
  fetch: UpstreamFetch,
  loading: ReturnType<typeof loadLibrary>,
): Promise<Upstream> => {
  const library = await loading
  const { clientId, clientSecret, clientAuthentication } = settings
  const isPlain = settings.issuer.startsWith('http:')
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
      execute: [library.enableNonRepudiationChecks, ...(isPlain ? [library.allowInsecureRequests] : [])],
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
  const upstream = loadingWhenAsked(() => discover(settings, fetch, loading), now)
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
