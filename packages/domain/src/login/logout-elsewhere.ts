/** What is stored with a session for the logout at the OpenID provider that authenticated the end-user. */
export type LogoutElsewhere = {
  readonly end_session_endpoint: string
  readonly client_id: string
  readonly id_token_hint: string
}
