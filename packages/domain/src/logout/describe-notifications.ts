import * as t from 'io-ts'
import { ClientId } from '../client/client-id.js'
import { EpochSeconds } from '../codec/epoch-seconds.js'
import type { PendingNotification } from './logout-notification.js'

/** A logout notification for operators, without the end-user. */
export const NotificationDescription = t.readonly(
  t.exact(
    t.intersection([
      t.type({
        id: t.string,
        client_id: ClientId,
        /** The backchannel_logout_uri. */
        uri: t.string,
        state: t.keyof({ waits: null, failed: null }),
        created_at: EpochSeconds,
        attempts: t.number,
        /** Why it is not delivered yet; empty before the first attempt. */
        note: t.string,
      }),
      /** The time of the next attempt, if there is one. */
      t.partial({ due_at: EpochSeconds }),
    ]),
  ),
  'NotificationDescription',
)
export interface NotificationDescription extends t.TypeOf<typeof NotificationDescription> {}

/** The reason when no notification is delivered. */
export const deliveryIsOff = 'outbound-fetches is off'

export const describeNotification =
  ({ delivers }: { readonly delivers: boolean }) =>
  ({
    id,
    client_id,
    uri,
    created_at,
    attempts,
    note,
    failed,
    due_at,
  }: PendingNotification): NotificationDescription => {
    const reported = { id, client_id, uri, created_at, attempts }
    if (failed) return { ...reported, state: 'failed', note }
    return delivers
      ? { ...reported, state: 'waits', note, due_at }
      : { ...reported, state: 'waits', note: deliveryIsOff }
  }
