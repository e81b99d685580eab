// What an application is told when a session ends, and what has become of telling it: OpenID Back-Channel Logout §2.
import * as t from 'io-ts'
import { ClientId } from '../client/client-id.js'
import { originOf } from '../client/uri.js'
import { EpochSeconds } from '../codec/epoch-seconds.js'
import { Subject } from '../sessions/end-user-session.js'

/** One logout token that is owed to one client. The token itself is made anew for each try. */
export const LogoutNotice = t.readonly(
  t.exact(
    t.type({
      /** Random; names the notice to the operator. */
      id: t.string,
      client_id: ClientId,
      /** The backchannel_logout_uri as it was when the session ended. */
      uri: t.string,
      /** What the client's ID tokens are signed with, and therefore its logout tokens. */
      alg: t.string,
      sub: Subject,
      sid: Subject,
      created_at: EpochSeconds,
    }),
  ),
  'LogoutNotice',
)
export interface LogoutNotice extends t.TypeOf<typeof LogoutNotice> {}

/** Who answers: one scheme, host and port, however many clients and paths there are. */
export const receiverOf = ({ uri }: Pick<LogoutNotice, 'uri'>): string => originOf(uri)

/** A notice that is not delivered yet. */
export const OutboxEntry = t.readonly(
  t.intersection([
    LogoutNotice,
    t.exact(
      t.type({
        attempts: t.number,
        /** When it is tried next; of no use once it has failed. */
        due_at: EpochSeconds,
        /** Given up: it is tried again only when the operator asks for it. */
        failed: t.boolean,
        /** Why the last try did not succeed; empty before the first. */
        note: t.string,
      }),
    ),
  ]),
  'OutboxEntry',
)
export interface OutboxEntry extends t.TypeOf<typeof OutboxEntry> {}
