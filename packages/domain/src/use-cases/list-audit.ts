// The rows of the audit log, for the operator: the latest first, page by page.
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import { AuditEntry, auditActions, isAuditAction, readAuditEntry } from '../audit/audit-entry.js'
import type { ForOperator } from '../authorization/operator.js'
import { timeOfText } from '../codec/time-of-text.js'
import { type InvalidRequest, type Unavailable, invalidRequest } from '../errors.js'
import type { StoredAuditRow } from '../audit/stored-audit.js'
import type { AuditLog, AuditPlace, AuditQuery } from '../ports/audit-log.js'

/** A row of the log; without an entry, it is not as it was written. */
export const ListedAudit = t.readonly(
  t.intersection([t.type({ ordinal: t.number }), t.partial({ entry: AuditEntry })]),
  'ListedAudit',
)

export const AuditList = t.readonly(
  t.intersection([
    t.type({ rows: t.readonlyArray(ListedAudit) }),
    /**
     * The value of `before` for the next page; left out at the beginning of the log. A page may have fewer rows than asked
     * for, also none, and a next one.
     */
    t.partial({ next: t.string }),
  ]),
  'AuditList',
)
export type AuditList = t.TypeOf<typeof AuditList>

/** The maximum number of rows of a page. */
export const maxListedAudit = 1000
export const defaultListedAudit = 100
/** The number of times that a request looks for rows: each takes a store some milliseconds. */
const maxLooks = 50

/** The names of the parameters of a request. */
export const auditParameters = ['client_id', 'actor', 'action', 'since', 'until', 'before', 'limit'] as const

/** The parameters of a request, as text. */
export type AuditParameters = Partial<Readonly<Record<(typeof auditParameters)[number], string>>>

const whole = (text: string): number | undefined => (/^\d{1,15}$/.test(text) ? Number(text) : undefined)

const maxOf = (text: string): number | undefined => {
  const max = whole(text)
  return max !== undefined && max >= 1 && max <= maxListedAudit ? max : undefined
}

// Any number may stand in a row that was changed by hand.
const placeOf = (text: string): AuditPlace | undefined => {
  const [, at, ordinal] = /^(-?\d{1,16})-(-?\d{1,16})$/.exec(text) ?? []
  return at === undefined || ordinal === undefined ? undefined : { at: Number(at), ordinal: Number(ordinal) }
}

const textOf = ({ at, ordinal }: AuditPlace): string => `${at}-${ordinal}`

const time = 'must be a date such as 2026-01-31, a time of RFC 3339, or seconds since 1970'

const rules = {
  limit: `limit must be a number from 1 to ${maxListedAudit}`,
  before: 'before must be the next of an earlier page',
  since: `since ${time}`,
  until: `until ${time}`,
  action: `action must be one of ${Object.keys(auditActions).join(', ')}`,
} as const

type Values = { readonly [Name in keyof typeof rules]: unknown }

/** The rules of the parameters that are given and have no value. */
const faultsOf = (given: AuditParameters, values: Values): ReadonlyArray<string> =>
  (['limit', 'before', 'since', 'until', 'action'] as const)
    .filter((name) => given[name] !== undefined && values[name] === undefined)
    .map((name) => rules[name])

const valueOf = <Value>(read: (text: string) => Value | undefined, text: string | undefined): Value | undefined =>
  text === undefined ? undefined : read(text)

/** The query of the parameters, or all of their faults. */
export const auditQuery = ({ client_id, actor, ...given }: AuditParameters): E.Either<InvalidRequest, AuditQuery> => {
  const before = valueOf(placeOf, given.before)
  const since = valueOf(timeOfText, given.since)
  const until = valueOf(timeOfText, given.until)
  const action = valueOf((text) => (isAuditAction(text) ? text : undefined), given.action)
  const limit = given.limit === undefined ? defaultListedAudit : maxOf(given.limit)
  const faults = faultsOf(given, { limit, before, since, until, action })
  return limit === undefined || faults.length > 0
    ? E.left(invalidRequest(faults.join('; ')))
    : E.right({ client_id, actor, action, before, since, until, max: limit })
}

const listed = ({ ordinal, entry }: StoredAuditRow): t.TypeOf<typeof ListedAudit> =>
  pipe(
    readAuditEntry(entry),
    O.match(
      () => ({ ordinal }),
      (written) => ({ ordinal, entry: written }),
    ),
  )

const pageOf = (rows: ReadonlyArray<StoredAuditRow>, max: number, reached: AuditPlace | undefined): AuditList => {
  const page = rows.slice(0, max)
  const next = rows.length > max ? page.at(-1) : reached
  return { rows: page.map(listed), ...(next === undefined ? {} : { next: textOf(next) }) }
}

export const listAudit =
  ({
    listAudit: list,
  }: Pick<AuditLog, 'listAudit'>): ForOperator<
    'audit',
    (parameters: AuditParameters) => TE.TaskEither<InvalidRequest | Unavailable, AuditList>
  > =>
  () =>
  (parameters) => {
    // One more row than a page has tells whether there is a next one.
    const look = (
      query: AuditQuery,
      rows: ReadonlyArray<StoredAuditRow>,
      looks: number,
    ): TE.TaskEither<Unavailable, AuditList> =>
      pipe(
        list({ ...query, max: query.max + 1 - rows.length }),
        TE.flatMap((found) => {
          const all = [...rows, ...found.rows]
          const { reached: before } = found
          return before === undefined || all.length > query.max || looks === maxLooks
            ? TE.right(pageOf(all, query.max, before))
            : look({ ...query, before }, all, looks + 1)
        }),
      )
    return pipe(
      TE.fromEither(auditQuery(parameters)),
      TE.flatMap((query) => look(query, [], 1)),
    )
  }
