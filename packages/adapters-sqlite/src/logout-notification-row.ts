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

/** The columns of a notification, by the name `notices`. */
export const selectNotifications = `
SELECT id, client_id, registration_id, uri, alg, sub, sid, created_at, attempts, due_at, failed, note
FROM logout_notices AS notices JOIN clients ON clients.ordinal = notices.client`

const WithFailed = t.type({ failed: t.number })

/** The notification of a row; none for an unreadable row, which must not block the others. */
const fromNotificationRow = (input: unknown): O.Option<PendingNotification> =>
  pipe(
    WithFailed.decode(input),
    O.fromEither,
    O.flatMap((row) => O.fromEither(PendingNotification.decode({ ...row, failed: row.failed !== 0 }))),
  )

/** Unreadable rows do not count towards the maximum. */
export const readNotifications = (rows: () => Iterable<unknown>, max: number): ReadonlyArray<PendingNotification> => {
  const entries: Array<PendingNotification> = []
  if (max <= 0) return entries
  for (const row of rows()) {
    const entry = fromNotificationRow(row)
    if (O.isSome(entry) && entries.push(entry.value) >= max) break
  }
  return entries
}
