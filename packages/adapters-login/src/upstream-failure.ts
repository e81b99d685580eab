import { type Unavailable, unavailable } from '@clientele/domain/kernel'
import { type LoginRefused, loginRefused } from '@clientele/domain/provider'
import * as t from 'io-ts'

/** The upstream provider gives no answer that counts: its end-users can sign in later. */
export class UpstreamAway extends Error {}

const maxCauses = 5

const causesOf = (error: unknown, depth = maxCauses): ReadonlyArray<unknown> =>
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
export const isGrantRefused = (error: unknown): boolean =>
  ['invalid_grant', 'invalid_request'].includes(codeOf(error, 'error') ?? '')

const clientRefused = (code: string): LoginRefused =>
  loginRefused(`the upstream provider answered with the error ${code}${remedies.get(code) ?? ''}`, 'misconfigured')

// RFC 6749 §5.2: a provider may refuse a client by a challenge; that of the UserInfo endpoint has the scheme Bearer.
const isClientChallenge = (error: unknown): boolean =>
  error instanceof Error &&
  Array.isArray(error.cause) &&
  error.cause.some((each: unknown) => t.type({ scheme: t.literal('basic') }).is(each))

/** The failure of a request to the upstream provider, or of the judgement of its response. */
export const upstreamFailure = (error: unknown): LoginRefused | Unavailable => {
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
