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

const rules = {
  limit: `limit must be a number from 1 to ${maxListedAudit}`,
  before: 'before must be the next of an earlier page',
  since: 'since must be a date such as 2026-01-31, a time of RFC 3339, or seconds since 1970',
} as const

const ruled = ['limit', 'before', 'since'] as const

type Ruled = (typeof ruled)[number]

/** The rules of the parameters that are given and have no value. */
const faultsOf = (given: AuditParameters, values: Readonly<Record<Ruled, number | undefined>>): ReadonlyArray<string> =>
  ruled.filter((name) => given[name] !== undefined && values[name] === undefined).map((name) => rules[name])

/** The query of the parameters, or all of their faults. */
export const auditQuery = ({ client_id, actor, ...given }: AuditParameters): E.Either<InvalidRequest, AuditQuery> => {
  const before = whole(given.before ?? '')
  const since = given.since === undefined ? undefined : timeOfText(given.since)
  const max = given.limit === undefined ? defaultListed : maxOf(given.limit)
  const faults = faultsOf(given, { limit: max, before, since })
  return max === undefined || faults.length > 0
    ? E.left(invalidRequest(faults.join('; ')))
    : E.right({ client_id, actor, before, since, max })
}

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
