import { type LoginRefused, type Unavailable, loginRefused, unavailable } from '@clientele/domain'

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

/** The failure of a request to the upstream provider, or of the judgement of its response. */
export const upstreamFailure = (error: unknown): LoginRefused | Unavailable => {
  const away = causesOf(error).find((cause) => cause instanceof UpstreamAway)
  if (away instanceof UpstreamAway) return unavailable(`the upstream provider: ${away.message}`)
  const answered = codeOf(error, 'error')
  if (answered !== undefined)
    return loginRefused(`the upstream provider answered with the error ${answered}${remedies.get(answered) ?? ''}`)
  const code = codeOf(error, 'code') ?? 'no error code'
  return loginRefused(`the answer of the upstream provider is not valid (${code})`)
}
