import * as t from 'io-ts'

/** What is stored with a session for the logout at the OpenID provider that authenticated the end-user. */
export const LogoutElsewhere = t.readonly(
  t.exact(
    t.type({
      end_session_endpoint: t.string,
      client_id: t.string,
      id_token_hint: t.string,
    }),
  ),
  'LogoutElsewhere',
)
export interface LogoutElsewhere extends t.TypeOf<typeof LogoutElsewhere> {}
