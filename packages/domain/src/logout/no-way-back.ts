import * as t from 'io-ts'

/** Why an id_token_hint does not count: contract of the logout endpoint, and RP-Initiated Logout §2 and §4. */
export const HintFault = t.keyof(
  {
    hint_too_long: null,
    /** No JWS or JWE in compact serialization, or one whose header or payload is no JSON object. */
    hint_malformed: null,
    /** A JWE that is not for us, of an algorithm that we do not take, or altered: one code, so that nobody learns which. */
    hint_undecryptable: null,
    /** Not an algorithm of a key of ours: none, HS256 and the like. */
    hint_algorithm: null,
    /** No kid, or one that no key of ours has any more. */
    hint_unknown_key: null,
    hint_bad_signature: null,
    /** Signed by us, and something else: an access token, a logout token, a UserInfo response. */
    hint_not_an_id_token: null,
    hint_other_issuer: null,
    hint_not_yet_issued: null,
    /** It expired longer ago than the policy allows. */
    hint_too_old: null,
    /** aud does not name exactly one client that is registered. */
    hint_audience: null,
    /** client_id, or azp, names another client than aud does. */
    hint_other_client: null,
    /** It was issued before the client was registered: to another client, which had the same id. */
    hint_before_registration: null,
  },
  'HintFault',
)
export type HintFault = t.TypeOf<typeof HintFault>

/** Why the end-user will not be sent back: for a sentence on the page and a word in the log. */
export const NoWayBack = t.union(
  [
    HintFault,
    t.keyof({
      /** There is no post_logout_redirect_uri: nothing was asked, and nothing is told. */
      not_asked: null,
      no_hint: null,
      /** A parameter that decides is given twice. */
      repeated_parameter: null,
      /** The hint names another end-user than the one who is signed in here. */
      other_user: null,
      /** The same end-user, but another session. */
      other_session: null,
      /** The URI does not stand, byte for byte, among the client's post_logout_redirect_uris. */
      unregistered_uri: null,
      /** The URI stands there, but would not be registered today. */
      refused_uri: null,
    }),
  ],
  'NoWayBack',
)
export type NoWayBack = t.TypeOf<typeof NoWayBack>
