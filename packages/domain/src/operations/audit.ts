// Writing, listing and linking rows of the audit log.
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import { maxLinked, nextCheckpoint, storedCheckpoint } from '../audit/checkpoints.js'
import {
  type AuditAction,
  type AuditOrigin,
  type AuditRow,
  type StoredAuditRow,
  type StoredCheckpoint,
  AuditEntry,
  actorOfOperator,
  auditActions,
  changedMembers,
  isAuditAction,
  readAuditEntry,
} from '../audit/entries.js'
import {
  type ForOperator,
  type ManagementPrivilege,
  type Operator,
  TokenHash,
  fingerprintOf,
} from '../authorization/credential.js'
import { type InvalidRequest, type Unavailable, invalidRequest } from '../kernel/refusals.js'
import { type EpochSeconds, timeOfText } from '../kernel/time.js'
import type { Answer, CheckpointSigner, Clock, Hashing } from '../ports/outside.js'
import type { AuditLog, AuditPlace, AuditQuery } from '../ports/store.js'
import type { RegisteredClient } from '../registration/registered-client.js'

/** Makes the row of an entry; none where there is no audit log (`unaudited`). */
export type AuditPorts = { readonly auditRow: (entry: AuditEntry) => AuditRow | undefined }

/** For operations whose row has no change in the store beside it. */
export type AuditWriting = AuditPorts & Pick<AuditLog, 'addAuditRow'>

/** For a host without an audit log: what changes is written nowhere. */
export const unaudited: AuditWriting = { auditRow: () => undefined, addAuditRow: () => TE.right(undefined) }

/** Where a request came from. */
export type WithOrigin = { readonly origin: AuditOrigin }

/** A request of an operator with the privilege. */
export type OperatorRequest<Needed extends ManagementPrivilege> = WithOrigin & { readonly operator: Operator<Needed> }

/** The body of a request as JSON, or its syntax fault, which only an authorized requester learns. */
export type WithBody = { readonly body: E.Either<InvalidRequest, unknown> }

/** Operations for an operator with the privilege, by a request. */
export type ByRequest<Needed extends ManagementPrivilege, Operations> = (
  operator: Operator<Needed>,
  request: WithOrigin,
) => Operations

/** The row that is to be written with a change; none where there is no audit log. */
export const audited = (
  { auditRow }: AuditPorts,
  { origin }: WithOrigin,
  change: Omit<AuditEntry, 'origin' | 'members'> & Partial<Pick<AuditEntry, 'members'>>,
): AuditRow | undefined => auditRow(Object.assign({ origin }, change, { members: change.members ?? [] }))

/** The row of a client that is registered or changed, with the members in which it differs from the one before. */
export const auditedClient = (
  ports: AuditPorts,
  request: WithOrigin,
  { at, action, actor }: Pick<AuditEntry, 'at' | 'action' | 'actor'>,
  client: RegisteredClient,
  before?: RegisteredClient,
): AuditRow | undefined =>
  audited(ports, request, {
    at,
    action,
    client_id: client.client_id,
    actor,
    members: changedMembers(before, client),
  })

export type AuditOperation = (
  at: EpochSeconds,
  action: AuditAction,
  facts?: Partial<Pick<AuditEntry, 'client_id' | 'subject' | 'kids' | 'members'>>,
) => AuditRow | undefined

/** The rows of the operations of an operator. */
export const auditedBy = (ports: AuditPorts, operator: Operator, request: WithOrigin): AuditOperation => {
  const actor = actorOfOperator(operator)
  return (at, action, facts) => audited(ports, request, { at, action, actor, ...facts })
}

/** Writes a row by itself; before the answer, so that nothing is shown without its row. */
export const writeAudited = ({ addAuditRow }: AuditWriting, row: AuditRow | undefined): Answer<void> =>
  row === undefined ? TE.right(undefined) : addAuditRow(row)

/** The same for a reading that goes on while the store cannot write: then only the log of the service has the request. */
export const writeAuditedIfPossible = (ports: AuditWriting, row: AuditRow | undefined): TE.TaskEither<never, void> =>
  TE.orElse((): TE.TaskEither<never, void> => TE.right(undefined))(writeAudited(ports, row))

// The rows of the audit log, for the operator: the latest first, page by page.

/** A row of the log; without an entry, it is not as it was written. */
const ListedAudit = t.readonly(
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
const maxListedAudit = 1000
export const defaultListedAudit = 100
/** The number of times that a request looks for rows: each takes a store some milliseconds. */
const maxLooks = 50

/** The names of the parameters of a request. */
export const auditParameters = ['client_id', 'actor', 'action', 'since', 'until', 'before', 'limit'] as const

/** The parameters of a request, as text. */
export type AuditParameters = Partial<Readonly<Record<(typeof auditParameters)[number], string>>>

const maxOf = (text: string): number | undefined => {
  const max = /^\d{1,15}$/.test(text) ? Number(text) : 0
  return max >= 1 && max <= maxListedAudit ? max : undefined
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

/** Lists of tokens show whole ids, and rows the fingerprint. */
const actorNamed = (actor: string | undefined): string | undefined =>
  TokenHash.is(actor) ? fingerprintOf(actor) : actor

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
    : E.right({ client_id, actor: actorNamed(actor), action, before, since, until, max: limit })
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
  }: AuditLog): ForOperator<'audit', (parameters: AuditParameters) => Answer<AuditList, InvalidRequest>> =>
  () =>
  (parameters) => {
    // One more row than a page has tells whether there is a next one.
    const look = (query: AuditQuery, rows: ReadonlyArray<StoredAuditRow>, looks: number): Answer<AuditList> =>
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

// Lists the latest rows of the audit log in a signed checkpoint, and removes rows by age.

type LinkedAudit = {
  readonly checkpoint: StoredCheckpoint | undefined
  /** Whether rows may wait for another one. */
  readonly more: boolean
}

const nothing: LinkedAudit = { checkpoint: undefined, more: false }

// Without new rows, a checkpoint is due where the key of the last one does not sign any more, so that a verifier has it.
const isDue = (
  { isByPresentKey }: CheckpointSigner,
  last: O.Option<StoredCheckpoint>,
  rows: ReadonlyArray<unknown>,
): boolean => rows.length > 0 || (O.isSome(last) && !isByPresentKey(last.value.jws))

type NextRows = { readonly rows: ReadonlyArray<StoredAuditRow>; readonly more: boolean }

/** The rows of the next checkpoint. A copy is in none: it is among the rows of one that does not list it. */
const nextRows = async (ports: AuditLog, after = Number.MIN_SAFE_INTEGER): Promise<E.Either<Unavailable, NextRows>> => {
  const listed = await ports.listUnlinked(after, maxLinked)()
  if (E.isLeft(listed)) return listed
  const rows = listed.right.filter(({ copied }) => !copied)
  const more = listed.right.length === maxLinked
  const last = listed.right.at(-1)
  return rows.length > 0 || !more || last === undefined ? E.right({ rows, more }) : nextRows(ports, last.ordinal)
}

/**
 * One checkpoint. Instances may make checkpoints at the same time: the store takes one with each number.
 */
export const linkAudit =
  (ports: AuditLog & CheckpointSigner & Clock & Hashing): Answer<LinkedAudit> =>
  async () => {
    const last = await ports.lastCheckpoint()
    if (E.isLeft(last)) return last
    const listed = await nextRows(ports)
    if (E.isLeft(listed)) return listed
    const { rows, more } = listed.right
    if (!isDue(ports, last.right, rows)) return E.right(nothing)
    const claims = nextCheckpoint(ports.hashToken, last.right, rows, ports.now())
    const jws = await ports.signCheckpoint(claims)()
    if (E.isLeft(jws)) return jws
    const checkpoint = storedCheckpoint(claims, jws.right)
    const added = await ports.addCheckpoint(checkpoint)()
    if (E.isLeft(added)) return added
    return E.right({ checkpoint: added.right ? checkpoint : undefined, more })
  }

/**
 * Removes the rows of the earliest checkpoint, if it was made before the time; returns its number, or undefined where it
 * was not. The checkpoint itself stays, so that the chain begins with it, and so do all later ones.
 */
export const forgetAudit =
  (ports: AuditLog, before: EpochSeconds, from: number): Answer<number | undefined> =>
  async () => {
    const found = await ports.checkpointsAfter(from, 2)()
    if (E.isLeft(found)) return found
    const [earliest, next] = found.right
    if (earliest === undefined || next === undefined || earliest.at >= before) return E.right(undefined)
    const forgotten = await ports.forgetAudit(earliest)()
    return E.isLeft(forgotten) ? forgotten : E.right(earliest.number)
  }
