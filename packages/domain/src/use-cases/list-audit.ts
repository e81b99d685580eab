// The rows of the audit log, for the operator: the latest first, page by page.
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import { AuditEntry, readAuditEntry } from '../audit/audit-entry.js'
import type { ForOperator } from '../authorization/operator.js'
import { timeOfText } from '../codec/time-of-text.js'
import { type InvalidRequest, type Unavailable, invalidRequest } from '../errors.js'
import type { StoredAuditRow } from '../audit/stored-audit.js'
import type { AuditLog, AuditQuery } from '../ports/audit-log.js'

/** A row of the log; without an entry, it is not as it was written. */
export const ListedAudit = t.readonly(
  t.intersection([t.type({ ordinal: t.number }), t.partial({ entry: AuditEntry })]),
  'ListedAudit',
)

export const AuditList = t.readonly(
  t.intersection([
    t.type({ rows: t.readonlyArray(ListedAudit) }),
    /** The value of `before` for the next page; left out on the last one. */
    t.partial({ next: t.number }),
  ]),
  'AuditList',
)
export type AuditList = t.TypeOf<typeof AuditList>

/** The maximum number of rows of a page. */
export const maxListedAudit = 1000
const defaultListed = 100

/** The parameters of a request, as text. */
export type AuditParameters = Partial<Readonly<Record<'client_id' | 'actor' | 'since' | 'before' | 'limit', string>>>

const whole = (text: string): number | undefined => (/^\d{1,15}$/.test(text) ? Number(text) : undefined)

const maxOf = (text: string): number | undefined => {
  const max = whole(text)
  return max !== undefined && max >= 1 && max <= maxListedAudit ? max : undefined
}

/** The value of a parameter; none where it is left out. */
const read = <Value>(
  text: string | undefined,
  parse: (text: string) => Value | undefined,
  rule: string,
): E.Either<InvalidRequest, Value | undefined> =>
  text === undefined ? E.right(undefined) : pipe(parse(text), E.fromNullable(invalidRequest(rule)))

/** The query of the parameters, or the first that is not valid. */
export const auditQuery = (given: AuditParameters): E.Either<InvalidRequest, AuditQuery> =>
  pipe(
    E.Do,
    E.bind('max', () => read(given.limit, maxOf, `limit must be a number from 1 to ${maxListedAudit}`)),
    E.bind('before', () => read(given.before, whole, 'before must be the next of an earlier page')),
    E.bind('since', () =>
      read(
        given.since,
        timeOfText,
        'since must be a date such as 2026-01-31, a time of RFC 3339, or seconds since 1970',
      ),
    ),
    E.map(({ max = defaultListed, before, since }) => ({
      client_id: given.client_id,
      actor: given.actor,
      before,
      since,
      max,
    })),
  )

const listed = ({ ordinal, entry }: StoredAuditRow): t.TypeOf<typeof ListedAudit> =>
  pipe(
    readAuditEntry(entry),
    O.match(
      () => ({ ordinal }),
      (written) => ({ ordinal, entry: written }),
    ),
  )

export const listAudit =
  ({
    listAudit: list,
  }: Pick<AuditLog, 'listAudit'>): ForOperator<
    'audit',
    (parameters: AuditParameters) => TE.TaskEither<InvalidRequest | Unavailable, AuditList>
  > =>
  () =>
  (parameters) =>
    pipe(
      TE.fromEither(auditQuery(parameters)),
      TE.flatMap((query) =>
        pipe(
          list({ ...query, max: query.max + 1 }),
          TE.map((found): AuditList => {
            const rows = found.slice(0, query.max)
            const last = rows.at(-1)
            const next = found.length > query.max && last !== undefined ? { next: last.ordinal } : {}
            return { rows: rows.map(listed), ...next }
          }),
        ),
      ),
    )
