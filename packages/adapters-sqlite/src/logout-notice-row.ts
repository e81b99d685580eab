import type { LogoutNotice } from '@clientele/domain'
import { OutboxEntry } from '@clientele/domain'
import * as O from 'fp-ts/lib/Option.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'

/** A row of the table logout_notices, as it is before the first try. */
export type NewNoticeRow = Omit<LogoutNotice, 'client_id'> & { readonly client: unknown; readonly due_at: number }

export const toNoticeRow = ({ id, uri, alg, sub, sid, created_at }: LogoutNotice, client: unknown): NewNoticeRow => ({
  id,
  client,
  uri,
  alg,
  sub,
  sid,
  created_at,
  due_at: created_at,
})

const WithFailed = t.type({ failed: t.number })

/** The notice of a row, or none: one that cannot be read must not keep the others back. */
export const fromNoticeRow = (input: unknown): O.Option<OutboxEntry> =>
  pipe(
    WithFailed.decode(input),
    O.fromEither,
    O.flatMap((row) => O.fromEither(OutboxEntry.decode({ ...row, failed: row.failed !== 0 }))),
  )
