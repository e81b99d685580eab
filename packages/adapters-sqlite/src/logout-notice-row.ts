import { type LogoutNotice, OutboxEntry, receiverOf } from '@clientele/domain'
import * as O from 'fp-ts/lib/Option.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'

/** A row of the table logout_notices, as it is before the first try. */
export type NewNoticeRow = Omit<LogoutNotice, 'client_id'> & {
  readonly client: unknown
  readonly receiver: string
  readonly due_at: number
}

export const toNoticeRow = ({ id, uri, alg, sub, sid, created_at }: LogoutNotice, client: unknown): NewNoticeRow => ({
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

/** What makes a notice of a row, by the name `notices`. */
export const selectNotices = `
SELECT id, client_id, uri, alg, sub, sid, created_at, attempts, due_at, failed, note
FROM logout_notices AS notices JOIN clients ON clients.ordinal = notices.client`

const WithFailed = t.type({ failed: t.number })

/** The notice of a row, or none: one that cannot be read must not keep the others back. */
const fromNoticeRow = (input: unknown): O.Option<OutboxEntry> =>
  pipe(
    WithFailed.decode(input),
    O.fromEither,
    O.flatMap((row) => O.fromEither(OutboxEntry.decode({ ...row, failed: row.failed !== 0 }))),
  )

/** Rows that cannot be read are left out while they are counted off, so that they never fill the room of the others. */
export const readNotices = (rows: () => Iterable<unknown>, max: number): ReadonlyArray<OutboxEntry> => {
  const entries: Array<OutboxEntry> = []
  if (max <= 0) return entries
  for (const row of rows()) {
    const entry = fromNoticeRow(row)
    if (O.isSome(entry) && entries.push(entry.value) >= max) break
  }
  return entries
}
