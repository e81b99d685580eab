// The parameters of the end-session endpoint: OpenID RP-Initiated Logout §2.
const decisive = ['id_token_hint', 'post_logout_redirect_uri', 'state', 'client_id'] as const

/** Each parameter with all of its values. */
export type LogoutParameters = Readonly<Record<string, ReadonlyArray<string>>>

export type LogoutRequest = {
  readonly idTokenHint: string | undefined
  readonly postLogoutRedirectUri: string | undefined
  readonly state: string | undefined
  readonly clientId: string | undefined
  /** Whether a decisive parameter has two values: the service does not guess between them. */
  readonly repeated: boolean
}

/** The maximum length of state as encoded in the redirect; a longer one is left out. */
const maxState = 4_096

// RFC 6749 §3.1: a parameter without a value counts as absent
const valuesOf = (parameters: LogoutParameters, name: string): ReadonlyArray<string> =>
  (Object.hasOwn(parameters, name) ? (parameters[name] ?? []) : []).filter((value) => value !== '')

/** The only value of a parameter; undefined when it has several. */
export const singleValue = (parameters: LogoutParameters, name: string): string | undefined => {
  const [value, ...more] = valuesOf(parameters, name)
  return more.length === 0 ? value : undefined
}

// A URL cannot encode an unpaired surrogate.
const permittedState = (state: string | undefined): string | undefined =>
  state !== undefined && state.isWellFormed() && encodeURIComponent(state).length <= maxState ? state : undefined

/** The parsed request. logout_hint is ignored: the session names the end-user. */
export const readLogoutRequest = (parameters: LogoutParameters): LogoutRequest => ({
  idTokenHint: singleValue(parameters, 'id_token_hint'),
  postLogoutRedirectUri: singleValue(parameters, 'post_logout_redirect_uri'),
  state: permittedState(singleValue(parameters, 'state')),
  clientId: singleValue(parameters, 'client_id'),
  repeated: decisive.some((name) => valuesOf(parameters, name).length > 1),
})
