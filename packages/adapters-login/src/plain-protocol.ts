// An OAuth 2.0 server that is no OpenID provider says who the end-user is: RFC 6749 §4.1, RFC 7636, RFC 9207.
import { type LoginRefused, type PlainOAuth, loginRefused, readPlainUser } from '@clientele/domain/provider'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import type { LoginRequest, ReturnedLogin } from './login-elsewhere.js'
import type { UpstreamFetch } from './upstream-failure.js'
import {
  type Protocol,
  type Upstream,
  type UpstreamSettings,
  authenticationOf,
  memoOf,
  readUser,
  returnUrl,
} from './upstream-protocol.js'

const Memo = t.type({ verifier: t.string })

const begin = async (
  { library, configuration }: Upstream,
  scope: ReadonlyArray<string>,
  { redirectUri, handle, otherAccount }: LoginRequest,
) => {
  const verifier = library.randomPKCECodeVerifier()
  const location = library.buildAuthorizationUrl(configuration, {
    ...(scope.length === 0 ? {} : { scope: scope.join(' ') }),
    // RFC 6749 §3.1: a server that does not know the parameter ignores it.
    ...(otherAccount ? { prompt: 'select_account' } : {}),
    redirect_uri: redirectUri,
    state: handle,
    code_challenge: await library.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  })
  return { location: location.href, memo: JSON.stringify({ verifier }) }
}

// RFC 6749 §5.2: an error has the status 400. GitHub's has 200, which the library would take for a broken answer.
const withErrorStatus =
  (fetch: UpstreamFetch): UpstreamFetch =>
  async (url, request) => {
    const response = await fetch(url, request)
    if (request.method !== 'POST' || response.status !== 200) return response
    const body: unknown = await response
      .clone()
      .json()
      .catch(() => undefined)
    return t.type({ error: t.string }).is(body)
      ? new Response(JSON.stringify(body), { status: 400, headers: { 'Content-Type': 'application/json' } })
      : response
  }

type Answered = E.Either<LoginRefused, unknown>

const ask = async ({ library, configuration }: Upstream, token: string, url: string): Promise<Answered> => {
  const headers = new Headers({ Accept: 'application/json' })
  const response = await library.fetchProtectedResource(configuration, token, new URL(url), 'GET', undefined, headers)
  const { hostname, pathname } = new URL(url)
  return response.status === 200
    ? E.right(await response.json().catch(() => undefined))
    : E.left(loginRefused(`${hostname}${pathname} answered with the status ${response.status}: see scope in upstreams`))
}

/** What both endpoints say of the end-user whom the code is of; the iss of the response is checked (RFC 9207 §2.4). */
const redeem = async (
  known: Upstream,
  { user_endpoint, emails_endpoint }: PlainOAuth,
  returned: ReturnedLogin,
  verifier: string,
) => {
  const { access_token } = await known.library.authorizationCodeGrant(known.configuration, returnUrl(returned), {
    expectedState: returned.handle,
    pkceCodeVerifier: verifier,
  })
  const user = await ask(known, access_token, user_endpoint)
  const emails = emails_endpoint === undefined ? E.right(undefined) : await ask(known, access_token, emails_endpoint)
  return pipe(E.Do, E.apS('user', user), E.apS('emails', emails))
}

/** The protocol of such a server. */
export const plainProtocol = (settings: UpstreamSettings, plain: PlainOAuth): Protocol => ({
  configure: (library, fetch) => {
    const { issuer, clientId, clientSecret } = settings
    const { authorization_endpoint, token_endpoint } = plain
    const configuration = new library.Configuration(
      { issuer, authorization_endpoint, token_endpoint },
      clientId,
      { client_secret: clientSecret },
      authenticationOf(library, settings),
    )
    configuration[library.customFetch] = withErrorStatus(fetch)
    // The fetch permits http to the issuer on loopback alone.
    if (issuer.startsWith('http:')) library.allowInsecureRequests(configuration)
    return Promise.resolve(configuration)
  },
  // OpenID Connect Core §3.1.2.1: only an ID token tells when the end-user was authenticated.
  begin: async (known, request) =>
    request.maxAge === undefined
      ? E.right(await begin(known, settings.scope, request))
      : E.left(
          loginRefused('the application demands a new authentication, of which this upstream provider tells nothing'),
        ),
  complete: async (known, returned, at) => {
    const memo = memoOf(Memo, returned.memo)
    if (E.isLeft(memo)) return memo
    return pipe(
      await redeem(known, plain, returned, memo.right.verifier),
      E.flatMap((answered) => readPlainUser(plain, answered)),
      E.flatMap(({ sub, ...claims }) => readUser(settings, { iss: settings.issuer, sub, claims }, at)),
    )
  },
})
