// Another OpenID provider authenticates the end-user: OpenID Connect Core §3.1, RFC 7636, RFC 9207.
import { type EpochSeconds, type JsonObject, isJsonObject, maxDepth } from '@clientele/domain/kernel'
import { type AuthenticatedEndUser, type LoginRefused, loginRefused } from '@clientele/domain/provider'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import type { Configuration } from 'openid-client'
import type { LoginRequest, ReturnedLogin } from './login-elsewhere.js'
import {
  type Protocol,
  type Upstream,
  type UpstreamSettings,
  authenticationOf,
  memoOf,
  readUser,
  returnUrl,
} from './upstream-protocol.js'

/** What the upstream provider answered, after all checks of the standards. */
type Redeemed = {
  readonly idToken: { readonly iss: string; readonly sub: string } | undefined
  readonly id_token: string | undefined
  readonly userInfo: object
  readonly end_session_endpoint: string | undefined
}

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
  const { iss, sub } = idToken
  return pipe(
    claimsOf(redeemed),
    // OpenID Core §2: auth_time is required when max_age was sent
    E.filterOrElse(
      (claims) => !needsAuthTime || typeof claims['auth_time'] === 'number',
      () => loginRefused('the upstream provider did not assert auth_time, which max_age requires'),
    ),
    E.flatMap((claims) => readUser(settings, { iss, sub, claims }, at)),
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

// Google's metadata list no values of prompt, and it knows no login:
// https://developers.google.com/identity/openid-connect/openid-connect#authenticationuriparameters
const google = 'https://accounts.google.com'

// OpenID Core §3.1.2.1; Initiating User Registration 1.0 §4.1 defines the list.
const otherAccountPrompt = (configuration: Configuration): string => {
  const { issuer, prompt_values_supported: values } = configuration.serverMetadata()
  return issuer === google || (Array.isArray(values) && values.includes('select_account')) ? 'select_account' : 'login'
}

// A provider that knows no max_age=0 knows prompt=login.
const promptOf = (configuration: Configuration, { maxAge, otherAccount }: LoginRequest): ReadonlyArray<string> => [
  ...(maxAge === 0 && configuration.serverMetadata().issuer !== google ? ['login'] : []),
  ...(otherAccount ? [otherAccountPrompt(configuration)] : []),
]

// OpenID Core §3.1.2.1
const hintsOf = (configuration: Configuration, request: LoginRequest): Readonly<Record<string, string>> => {
  const { loginHint, uiLocales, maxAge, otherAccount } = request
  const prompt = promptOf(configuration, request)
  return {
    ...(loginHint === undefined || otherAccount ? {} : { login_hint: loginHint }),
    ...(uiLocales === undefined ? {} : { ui_locales: uiLocales }),
    ...(maxAge === undefined ? {} : { max_age: String(maxAge) }),
    ...(prompt.length === 0 ? {} : { prompt: [...new Set(prompt)].join(' ') }),
  }
}

const Memo = t.type({ nonce: t.string, verifier: t.string, needs_auth_time: t.boolean })

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
  return E.right({ location: location.href, memo: JSON.stringify(memo) })
}

/** The tokens and claims after all checks of the standards; the iss of the response too (RFC 9207 §2.4). */
const redeem = async (
  { library, configuration }: Upstream,
  returned: ReturnedLogin,
  { nonce, verifier }: t.TypeOf<typeof Memo>,
): Promise<Redeemed> => {
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

/** The protocol of an OpenID provider. */
export const openIdProtocol = (settings: UpstreamSettings): Protocol => ({
  // OpenID Connect Discovery §4
  configure: (library, fetch) => {
    const isHttp = settings.issuer.startsWith('http:')
    return library.discovery(
      new URL(settings.issuer),
      settings.clientId,
      { client_secret: settings.clientSecret },
      authenticationOf(library, settings),
      // The signatures of ID tokens are verified, also of those that come by TLS from the token endpoint.
      {
        [library.customFetch]: fetch,
        // The fetch permits http to the issuer on loopback alone.
        execute: [library.enableNonRepudiationChecks, ...(isHttp ? [library.allowInsecureRequests] : [])],
      },
    )
  },
  begin: (known, request) => begin(known, settings.scope.join(' '), request),
  complete: async (known, returned, at) => {
    const memo = memoOf(Memo, returned.memo)
    if (E.isLeft(memo)) return memo
    const redeemed = await redeem(known, returned, memo.right)
    return readUpstreamEndUser(settings, redeemed, { needsAuthTime: memo.right.needs_auth_time, at })
  },
})
