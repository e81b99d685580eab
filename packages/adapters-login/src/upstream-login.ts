// The login at a provider that the operator names.
import type { EpochSeconds, Unavailable } from '@clientele/domain/kernel'
import type { LoginRefused } from '@clientele/domain/provider'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { identity, pipe } from 'fp-ts/lib/function.js'
import { loadingWhenAsked } from './loading-when-asked.js'
import type { LoginMethod } from './login-elsewhere.js'
import { openIdProtocol } from './openid-protocol.js'
import { plainProtocol } from './plain-protocol.js'
import { type UpstreamFetch, fetchForUpstream, isGrantRefused, upstreamFailure } from './upstream-failure.js'
import { type Upstream, type UpstreamSettings, loadLibrary } from './upstream-protocol.js'

export type UpstreamPorts = { readonly fetch: UpstreamFetch; readonly now: () => EpochSeconds }

export type UpstreamLogin = LoginMethod & {
  /** Whether the provider can be reached, and is the one of the settings; of plain OAuth 2.0, only credentials can tell. */
  readonly check: TE.TaskEither<LoginRefused | Unavailable, void>
  /** Whether the provider takes the credentials of the settings, as far as a code that it never issued can tell. */
  readonly checkCredentials: (redirectUri: string) => TE.TaskEither<LoginRefused | Unavailable, void>
}

// RFC 6749 §5.2: the client authenticates before the code is looked at, so that invalid_grant says that it did.
const redeemNothing = async ({ library, configuration }: Upstream, redirectUri: string): Promise<void> => {
  const url = new URL(redirectUri)
  url.searchParams.set('code', 'a-code-that-nobody-issued')
  // RFC 9207 §2.4: the response would name the issuer.
  url.searchParams.set('iss', configuration.serverMetadata().issuer)
  const verifier = library.randomPKCECodeVerifier()
  await library.authorizationCodeGrant(configuration, url, { pkceCodeVerifier: verifier }).catch((error: unknown) => {
    if (!isGrantRefused(error)) throw error
  })
}

// A login that began with another provider of the settings is refused by this name, also where two have one issuer
// (RFC 9700 §4.4.2: the response must come to the redirect URI of the provider to which the request went).
const nameOf = ({ id, issuer, clientId }: UpstreamSettings): string =>
  id === undefined ? `upstream ${issuer} ${clientId}` : `upstream ${issuer} ${clientId} ${id}`

/** The login at a provider of the settings. */
export const createUpstreamLogin = (settings: UpstreamSettings, { fetch, now }: UpstreamPorts): UpstreamLogin => {
  const protocol = settings.plain === undefined ? openIdProtocol(settings) : plainProtocol(settings, settings.plain)
  const loading = loadLibrary()
  // Each login reports the failure; without a handler, it would be an unhandled rejection before the first login.
  loading.catch(() => undefined)
  const upstream = loadingWhenAsked(async (): Promise<Upstream> => {
    const library = await loading
    return { library, configuration: await protocol.configure(library, fetchForUpstream(fetch)) }
  }, now)
  const atUpstream = <A>(use: (known: Upstream) => Promise<A>): TE.TaskEither<LoginRefused | Unavailable, A> =>
    TE.tryCatch(async () => use(await upstream()), upstreamFailure(settings.id))
  return {
    name: nameOf(settings),
    offersAccounts: true,
    begin: (request) =>
      pipe(
        atUpstream((known) => protocol.begin(known, request)),
        TE.flatMapEither(identity),
      ),
    complete: (returned) =>
      pipe(
        atUpstream((known) => protocol.complete(known, returned, now())),
        TE.flatMapEither(identity),
      ),
    check: atUpstream(() => Promise.resolve()),
    checkCredentials: (redirectUri) => atUpstream((known) => redeemNothing(known, redirectUri)),
  }
}
