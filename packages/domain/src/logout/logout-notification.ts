// A logout notification and the result of its delivery: OpenID Back-Channel Logout §2.
import * as t from 'io-ts'
import { ClientId } from '../client/client-id.js'
import { RegistrationId } from '../client/registration-id.js'
import { originOf } from '../client/uri.js'
import { EpochSeconds } from '../codec/epoch-seconds.js'
import { Subject } from '../sessions/end-user-session.js'

/** One logout token for one client, to be delivered. The token itself is made for each attempt. */
export const LogoutNotification = t.readonly(
  t.exact(
    t.type({
      /** Random; names the notification to the operator. */
      id: t.string,
      client_id: ClientId,
      registration_id: RegistrationId,
      /** The backchannel_logout_uri at the time when the session ended. */
      uri: t.string,
      /** The algorithm of the client's ID tokens, and therefore of its logout tokens. */
      alg: t.string,
      sub: Subject,
      sid: Subject,
      created_at: EpochSeconds,
    }),
  ),
  'LogoutNotification',
)
export interface LogoutNotification extends t.TypeOf<typeof LogoutNotification> {}

/** The receiver: one scheme, host and port, for all clients and paths. */
export const receiverOf = ({ uri }: Pick<LogoutNotification, 'uri'>): string => originOf(uri)

/** A notification that is not delivered yet. */
export const PendingNotification = t.readonly(
  t.intersection([
    LogoutNotification,
    t.exact(
      t.type({
        attempts: t.number,
        /** The time of the next attempt; unused after it has failed. */
        due_at: EpochSeconds,
        /** Given up: only a request of the operator repeats it. */
        failed: t.boolean,
        /** Why the last attempt failed; empty before the first. */
        note: t.string,
      }),
    ),
  ]),
  'PendingNotification',
)
export interface PendingNotification extends t.TypeOf<typeof PendingNotification> {}
