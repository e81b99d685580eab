import { type LogoutNotification, PendingNotification, receiverOf } from '@clientele/domain'
import * as O from 'fp-ts/lib/Option.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'

/** A row of the table logout_notices before the first attempt. */
export type NewNotificationRow = Omit<LogoutNotification, 'client_id' | 'registration_id'> & {
  readonly client: unknown
  readonly receiver: string
  readonly due_at: number
}

export const toNotificationRow = (
  { id, uri, alg, sub, sid, created_at }: LogoutNotification,
  client: unknown,
): NewNotificationRow => ({
  id,
  client,
  uri,
  receiver: receiverOf({ uri }),
  alg,
  sub,
  sid,
  created_at,
  due_at: created_at,
})

const WithFailed = t.type({ failed: t.number })

/** The notification of a row; none for an unreadable row, which must not block the others. */
export const fromNotificationRow = (input: unknown): O.Option<PendingNotification> =>
  pipe(
    WithFailed.decode(input),
    O.fromEither,
    O.flatMap((row) => O.fromEither(PendingNotification.decode({ ...row, failed: row.failed !== 0 }))),
  )
