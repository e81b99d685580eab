// The requests to a provider, and why one failed.
import { type Unavailable, unavailable } from '@clientele/domain/kernel'
import { type LoginRefused, loginRefused } from '@clientele/domain/provider'

/** The upstream provider gives no answer that counts: its end-users can sign in later. */
class UpstreamAway extends Error {}

const causesOf = (error: unknown, depth = 5): ReadonlyArray<unknown> =>
  error instanceof Error && depth > 0 ? [error, ...causesOf(error.cause, depth - 1)] : [error]

// RFC 6749 §5.2: the characters of error codes; descriptions are texts of the other party
const codeOf = (error: unknown, member: 'error' | 'code'): string | undefined => {
  const code: unknown = error instanceof Error ? Reflect.get(error, member) : undefined
  return typeof code === 'string' && /^[A-Za-z_]{1,60}$/.test(code) ? code : undefined
}

/** How messages name a provider, and what an operator corrects where it refuses the client. */
type Names = { readonly party: string; readonly credentials: string; readonly client: string }

const namesOf = (id: string | undefined): Names =>
  id === undefined
    ? {
        party: 'the upstream provider',
        credentials: 'upstream-client-id, upstream-client-secret or upstream-client-authentication',
        client: 'upstream-client-id',
      }
    : {
        party: `the upstream provider ${id}`,
        credentials: 'its client_id, client_secret_file or client_authentication in upstreams',
        client: 'its client_id',
      }

const remediesOf = ({ credentials, client }: Names): ReadonlyMap<string, string> =>
  new Map([
    ['invalid_client', `: correct ${credentials}`],
    // https://docs.github.com/apps/oauth-apps/maintaining-oauth-apps/troubleshooting-oauth-app-access-token-request-errors
    ['incorrect_client_credentials', `: correct ${credentials}`],
    ['unauthorized_client', `: correct the registration of ${client}`],
  ])

/**
 * RFC 6749 §5.2: the refusals of a request whose client is authenticated; the last is GitHub's, from the page above. A
 * server may answer invalid_request before it looks at the client.
 */
export const isGrantRefused = (error: unknown): boolean =>
  ['invalid_grant', 'bad_verification_code'].includes(codeOf(error, 'error') ?? '')

/** The failure of a request to the upstream provider, or of the judgement of its response. */
export const upstreamFailure =
  (id: string | undefined) =>
  (error: unknown): LoginRefused | Unavailable => {
    const names = namesOf(id)
    const remedies = remediesOf(names)
    const away = causesOf(error).find((cause) => cause instanceof UpstreamAway)
    if (away instanceof UpstreamAway) return unavailable(`${names.party}: ${away.message}`)
    const code = codeOf(error, 'code')
    const answered = codeOf(error, 'error')
    if (answered === undefined)
      return loginRefused(`the answer of ${names.party} is not valid (${code ?? 'no error code'})`)
    const said = `${names.party} answered with the error ${answered}`
    // RFC 6749 §5.2; in an authorization response, which a browser brings, an error says nothing of the settings.
    const remedy = code === 'OAUTH_RESPONSE_BODY_ERROR' ? remedies.get(answered) : undefined
    return remedy === undefined ? loginRefused(said) : loginRefused(`${said}${remedy}`, 'misconfigured')
  }

/** A fetch with the limits of the service; a rejection has a short message, for the log. */
export type UpstreamFetch = (
  url: string,
  request: {
    readonly method: string
    readonly headers: Readonly<Record<string, string>>
    readonly body?: unknown
  },
) => Promise<Response>

/** The fetch for the library: a failure of the server counts as one to be retried. */
export const fetchForUpstream =
  (fetch: UpstreamFetch): UpstreamFetch =>
  async (url, request) => {
    const response = await fetch(url, request).catch((error: unknown) => {
      throw new UpstreamAway(error instanceof Error ? error.message : 'unknown')
    })
    if (response.status >= 500 || response.status === 429) throw new UpstreamAway(`the status is ${response.status}`)
    return response
  }
