import type { PostLogoutRedirectRefusal } from '@clientele/domain/logout'
import type { Messages } from './messages/messages.js'

type Reason = keyof Messages['redirectRefusal']

// Pages give less detail than the log: faults of the same kind share a sentence.
const reasons: Readonly<Record<PostLogoutRedirectRefusal, Reason | undefined>> = {
  not_asked: undefined,
  no_hint: 'unidentified',
  hint_audience: 'unidentified',
  client_suspended: 'unidentified',
  hint_too_long: 'unverified',
  hint_malformed: 'unverified',
  hint_undecryptable: 'unverified',
  hint_algorithm: 'unverified',
  hint_unknown_key: 'unverified',
  hint_bad_signature: 'unverified',
  hint_not_an_id_token: 'unverified',
  hint_other_issuer: 'unverified',
  hint_not_yet_issued: 'unverified',
  hint_too_old: 'outdated',
  hint_other_client: 'contradictory',
  hint_before_registration: 'unverified',
  repeated_parameter: 'contradictory',
  other_user: 'otherUser',
  other_session: 'otherSession',
  unregistered_uri: 'address',
  refused_uri: 'address',
}

/** The sentence for the page; undefined where no redirect was requested. */
export const redirectRefusalText = (
  notice: PostLogoutRedirectRefusal | undefined,
  { redirectRefusal }: Messages,
): string | undefined => {
  const reason = notice === undefined ? undefined : reasons[notice]
  return reason === undefined ? undefined : redirectRefusal[reason]
}
