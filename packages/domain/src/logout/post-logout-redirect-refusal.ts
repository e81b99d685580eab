import * as t from 'io-ts'

/** Why an id_token_hint is refused: contract of the logout endpoint, and RP-Initiated Logout §2 and §4. */
export const HintFault = t.keyof(
  {
    hint_too_long: null,
    /** Not a JWS or JWE in compact serialization, or its header or payload is not a JSON object. */
    hint_malformed: null,
    /**
     * A JWE for another recipient, of an unsupported algorithm, or altered: one code, so that an attacker cannot
     * distinguish them.
     */
    hint_undecryptable: null,
    /** The algorithm is not one of this service's keys, for example none or HS256. */
    hint_algorithm: null,
    /** No kid, or a kid that no key has any more. */
    hint_unknown_key: null,
    hint_bad_signature: null,
    /** Signed by this service, but an access token, a logout token or a UserInfo response. */
    hint_not_an_id_token: null,
    hint_other_issuer: null,
    hint_not_yet_issued: null,
    /** Expired for longer than the policy allows. */
    hint_too_old: null,
    /** aud does not name exactly one registered client. */
    hint_audience: null,
    /** client_id or azp names another client than aud. */
    hint_other_client: null,
    /** Issued before the client was registered, to another client with the same id. */
    hint_before_registration: null,
  },
  'HintFault',
)
export type HintFault = t.TypeOf<typeof HintFault>

/** Why there is no post-logout redirect: for a sentence on the page and a code in the log. */
export const PostLogoutRedirectRefusal = t.union(
  [
    HintFault,
    t.keyof({
      /** There is no post_logout_redirect_uri, and the page gives no reason. */
      not_asked: null,
      no_hint: null,
      /** A decisive parameter has several values. */
      repeated_parameter: null,
      /** The hint names another end-user than the session. */
      other_user: null,
      /** The hint names the end-user of the session, but another session. */
      other_session: null,
      /** The operator has suspended the client. */
      client_suspended: null,
      /** No post_logout_redirect_uri of the client has the same bytes. */
      unregistered_uri: null,
      /** The URI is registered, but violates the present rules. */
      refused_uri: null,
    }),
  ],
  'PostLogoutRedirectRefusal',
)
export type PostLogoutRedirectRefusal = t.TypeOf<typeof PostLogoutRedirectRefusal>
