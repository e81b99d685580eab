// The parameters of the end-session endpoint: OpenID RP-Initiated Logout §2.
const decisive = ['id_token_hint', 'post_logout_redirect_uri', 'state', 'client_id'] as const

/** Each parameter with every value that it was given. */
export type LogoutParameters = Readonly<Record<string, ReadonlyArray<string>>>

export type LogoutRequest = {
  readonly idTokenHint: string | undefined
  readonly postLogoutRedirectUri: string | undefined
  readonly state: string | undefined
  readonly clientId: string | undefined
  /** Whether one of these was given twice: which of the two is meant is not guessed. */
  readonly repeated: boolean
}

/** A longer state, as it would stand in the URL that it comes back in, is left out. */
const longestState = 4_096

// RFC 6749 §3.1: a parameter without a value counts as left out
const valuesOf = (parameters: LogoutParameters, name: string): ReadonlyArray<string> =>
  (Object.hasOwn(parameters, name) ? (parameters[name] ?? []) : []).filter((value) => value !== '')

/** The one value of a parameter; none when it is given twice. */
export const singleValue = (parameters: LogoutParameters, name: string): string | undefined => {
  const [value, ...more] = valuesOf(parameters, name)
  return more.length === 0 ? value : undefined
}

// Half a character cannot be told in a URL.
const permittedState = (state: string | undefined): string | undefined =>
  state !== undefined && state.isWellFormed() && encodeURIComponent(state).length <= longestState ? state : undefined

/** What is asked for. logout_hint is taken and not needed: who is signed in is known by the session. */
export const readLogoutRequest = (parameters: LogoutParameters): LogoutRequest => ({
  idTokenHint: singleValue(parameters, 'id_token_hint'),
  postLogoutRedirectUri: singleValue(parameters, 'post_logout_redirect_uri'),
  state: permittedState(singleValue(parameters, 'state')),
  clientId: singleValue(parameters, 'client_id'),
  repeated: decisive.some((name) => valuesOf(parameters, name).length > 1),
})
