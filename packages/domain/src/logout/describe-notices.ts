import * as t from 'io-ts'
import { ClientId } from '../client/client-id.js'
import { EpochSeconds } from '../codec/epoch-seconds.js'
import type { OutboxEntry } from './logout-notice.js'

/** A notice as operators see it: never whose logout it tells of. */
export const NoticeDescription = t.readonly(
  t.exact(
    t.intersection([
      t.type({
        id: t.string,
        client_id: ClientId,
        /** Where logout tokens are sent. */
        uri: t.string,
        state: t.keyof({ waits: null, failed: null }),
        created_at: EpochSeconds,
        attempts: t.number,
        /** Why it is not delivered yet; empty before the first try. */
        note: t.string,
      }),
      /** When it is tried next, if it is. */
      t.partial({ due_at: EpochSeconds }),
    ]),
  ),
  'NoticeDescription',
)
export interface NoticeDescription extends t.TypeOf<typeof NoticeDescription> {}

/** Why nothing is delivered, where nothing is. */
export const deliveryIsOff = 'outbound-fetches is off'

export const describeNotice =
  ({ delivers }: { readonly delivers: boolean }) =>
  ({ id, client_id, uri, created_at, attempts, note, failed, due_at }: OutboxEntry): NoticeDescription => {
    const told = { id, client_id, uri, created_at, attempts }
    if (failed) return { ...told, state: 'failed', note }
    return delivers ? { ...told, state: 'waits', note, due_at } : { ...told, state: 'waits', note: deliveryIsOff }
  }
