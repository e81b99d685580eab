// The queries and bulk requests of operators, as they are sent.
import * as E from 'fp-ts/lib/Either.js'
import { getSemigroup, traverse } from 'fp-ts/lib/ReadonlyArray.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { HashText, TokenHash } from '../authorization/credential.js'
import { isPlainObject, ownMember } from '../kernel/json-object.js'
import { type InvalidRequest, invalidRequest } from '../kernel/refusals.js'
import { RefusalReason } from '../life-cycle/states.js'
import { type ClientFilter, type FieldName, type Read, fieldsOf, filterNames, filters, positionOf } from './filters.js'

// The query of GET /manage/v1/clients, and the filter of an operation on several clients.

export type Parameters = Readonly<Record<string, ReadonlyArray<string> | undefined>>

/** A page of the list: the clients after the position, in the order of registration. */
type ClientQuery = {
  readonly filter: ClientFilter
  readonly after: number
  readonly limit: number
  /** Undefined for all. */
  readonly fields: ReadonlyArray<FieldName> | undefined
}

const maxLimit = 500
const defaultLimit = 100

const limitIn: Read<number> = (text) => {
  const limit = /^\d{1,4}$/.test(text) ? Number(text) : 0
  return limit >= 1 && limit <= maxLimit ? limit : undefined
}

/** What each parameter must be: for the error, and for the documents. */
export const parameterTexts: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.entries(filters).map(([name, { text }]) => [name, text])),
  fields: 'names of members such as client_name,state, separated by commas, and none of a credential',
  limit: `a number from 1 to ${maxLimit}`,
  after: 'next of a former page',
}

// Descriptions are ASCII, and short.
const shown = (name: string): string => name.slice(0, 80).replace(/[^\x21-\x7e]|["\\]/g, '?')

const unknownOf = (name: string, known: ReadonlyArray<string>): InvalidRequest =>
  invalidRequest(`The query parameter ${shown(name)} is unknown: known are ${known.join(', ')}`)

/** The refusal of a query with a parameter that is not among the known ones. */
export const unknownParameter = (query: Parameters, known: ReadonlyArray<string>): InvalidRequest | undefined => {
  const name = Object.keys(query).find((each) => !known.includes(each))
  if (name === undefined) return undefined
  return known.length === 0
    ? invalidRequest(
        `The query parameter ${shown(name)} is unknown: there is none here, and GET /manage/v1/clients has filters`,
      )
    : unknownOf(name, known)
}

const faultText = (name: string): string =>
  `The query parameter ${name} must be there once at most, and be ${parameterTexts[name] ?? 'valid'}`

type Faults = ReadonlyArray<string>

/** Undefined where the parameter is not there. */
const readParameter = <A>(query: Parameters, name: string, read: Read<A>): E.Either<Faults, A | undefined> => {
  const [text, ...more] = (Object.hasOwn(query, name) ? query[name] : undefined) ?? []
  if (text === undefined) return E.right(undefined)
  const value = more.length === 0 ? read(text) : undefined
  return value === undefined ? E.left([faultText(name)]) : E.right(value)
}

const readMember = (query: Parameters, name: keyof ClientFilter): E.Either<Faults, ClientFilter> =>
  pipe(
    readParameter<unknown>(query, name, filters[name].read),
    E.map((value) => (value === undefined ? {} : { [name]: value })),
  )

// All faults are reported at once.
const validation = E.getApplicativeValidation(getSemigroup<string>())

const readFilter = (query: Parameters): E.Either<Faults, ClientFilter> =>
  pipe(
    filterNames,
    traverse(validation)((name) => readMember(query, name)),
    E.map((members) => members.reduce<ClientFilter>((filter, member) => ({ ...filter, ...member }), {})),
  )

const refused = (faults: Faults): InvalidRequest => invalidRequest(faults.join('; '))

/** The members of a filter among the parameters; others are not looked at. */
const decodeFilter = (query: Parameters): E.Either<InvalidRequest, ClientFilter> =>
  E.mapLeft(refused)(readFilter(query))

export const queryParameters: ReadonlyArray<string> = [...filterNames, 'fields', 'limit', 'after']

/** Total for any query. */
export const decodeClientQuery = (query: Parameters): E.Either<InvalidRequest, ClientQuery> => {
  const unknown = unknownParameter(query, queryParameters)
  if (unknown !== undefined) return E.left(unknown)
  const filter = readFilter(query)
  const after = readParameter(query, 'after', positionOf)
  const limit = readParameter(query, 'limit', limitIn)
  const fields = readParameter(query, 'fields', fieldsOf)
  return E.isRight(filter) && E.isRight(after) && E.isRight(limit) && E.isRight(fields)
    ? E.right({
        filter: filter.right,
        after: after.right ?? 0,
        limit: limit.right ?? defaultLimit,
        fields: fields.right,
      })
    : E.left(refused([filter, after, limit, fields].flatMap((each) => (E.isLeft(each) ? each.left : []))))
}

const pageParameters = ['limit', 'after'] as const

/** A page without a filter. Total for any query. */
export const decodePage = (query: Parameters): E.Either<InvalidRequest, Pick<ClientQuery, 'after' | 'limit'>> => {
  const unknown = Object.keys(query).find((name) => !pageParameters.some((each) => each === name))
  if (unknown !== undefined) return E.left(unknownOf(unknown, pageParameters))
  const after = readParameter(query, 'after', positionOf)
  const limit = readParameter(query, 'limit', limitIn)
  return E.isRight(after) && E.isRight(limit)
    ? E.right({ after: after.right ?? 0, limit: limit.right ?? defaultLimit })
    : E.left(refused([after, limit].flatMap((each) => (E.isLeft(each) ? each.left : []))))
}

// The body of an operation on all clients that a filter selects.

export type BulkChange = 'suspension' | 'resumption' | 'removal' | 'approval' | 'refusal'

/** A change, with what it needs to know. */
export type BulkAct =
  { readonly change: Exclude<BulkChange, 'refusal'> } | { readonly change: 'refusal'; readonly reason: RefusalReason }

/** What is left of a change of so many confirmed clients: those after one position, up to another. */
export type Rest = { readonly count: number; readonly after: number; readonly until: number }

/** Counts, or begins, or goes on after the clients of the batches before. */
export type BulkRequest = { readonly filter: ClientFilter } & (
  | { readonly kind: 'count' }
  | { readonly kind: 'begin'; readonly act: BulkAct; readonly count: number }
  | ({ readonly kind: 'go_on'; readonly act: BulkAct } & Rest)
)

const badReason = invalidRequest(
  'reason must be a line of 1 to 500 characters, which the developer of the client reads: say what is missing',
)

/** The reason in the body of a refusal, of one client or of many. Total for any body. */
export const readRefusalReason = (body: unknown): E.Either<InvalidRequest, RefusalReason> => {
  const reason = isPlainObject(body) ? ownMember(body, 'reason') : undefined
  return RefusalReason.is(reason) ? E.right(reason) : E.left(badReason)
}

const actOf = (change: BulkChange, body: object): E.Either<InvalidRequest, BulkAct> =>
  change === 'refusal'
    ? pipe(
        readRefusalReason(body),
        E.map((reason) => ({ change, reason })),
      )
    : E.right({ change })

const members = ['filter', 'dry_run', 'count', 'next']
const pattern = /^b2-([0-9a-z]{1,11})-([0-9a-z]{1,11})-([0-9a-z]{1,11})-(.+)$/

// No token has a space (RFC 6750 §2.1), so that the digest of none is a seal.
const sealOf = (hash: HashText, change: BulkChange, filter: ClientFilter, { count, after, until }: Rest): TokenHash =>
  hash(
    `rest of a bulk ${JSON.stringify([change, filterNames.map((name) => filter[name] ?? null), count, after, until])}`,
  )

/** `next` of an answer, which counts for this change, filter and confirmed number alone. */
export const restText =
  (hash: HashText, change: BulkChange) =>
  (filter: ClientFilter, rest: Rest): string => {
    const { count, after, until } = rest
    const seal = sealOf(hash, change, filter, rest)
    return `b2-${[count, after, until].map((each) => each.toString(36)).join('-')}-${seal}`
  }

const restOf = (hash: HashText, change: BulkChange, filter: ClientFilter, text: string): Rest | undefined => {
  const [, confirmed = '', from = '', to = '', seal = ''] = pattern.exec(text) ?? []
  const rest = { count: parseInt(confirmed, 36), after: parseInt(from, 36), until: parseInt(to, 36) }
  if (!Object.values(rest).every(Number.isSafeInteger)) return undefined
  // The digests of both are compared, so that the time says nothing of the seal.
  return hash(`presented ${seal}`) === hash(`presented ${sealOf(hash, change, filter, rest)}`) ? rest : undefined
}

// The members of a filter are texts, as in a query; numbers and true and false stand for their texts.
const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined

const parametersOf = (filter: object): Parameters =>
  Object.fromEntries(Object.entries(filter).map(([name, value]) => [name, [textOf(value) ?? '']]))

const filterOfBody = (filter: unknown): E.Either<InvalidRequest, ClientFilter> => {
  if (!isPlainObject(filter) || Object.keys(filter).length === 0)
    return E.left(invalidRequest(`filter must be an object with at least one of ${filterNames.join(', ')}`))
  const parameters = parametersOf(filter)
  const unknown = unknownParameter(parameters, filterNames)
  return unknown === undefined ? decodeFilter(parameters) : E.left(unknown)
}

const isCount = (value: unknown): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0

const oneOfThree = invalidRequest(
  'The body must have, beside filter, one of: dry_run true; count, the number of clients that dry_run answered; next of the answer before',
)

const otherNext = invalidRequest(
  'next must be that of the answer before, sent to the same path with the same filter: begin anew with dry_run',
)

/** Total for any body. */
export const readBulkRequest =
  (hash: HashText, change: BulkChange) =>
  (body: unknown): E.Either<InvalidRequest, BulkRequest> => {
    const known = change === 'refusal' ? [...members, 'reason'] : members
    if (!isPlainObject(body) || Object.keys(body).some((name) => !known.includes(name)))
      return E.left(invalidRequest(`The body must be an object with members among ${known.join(', ')}`))
    const filter = filterOfBody(ownMember(body, 'filter'))
    if (E.isLeft(filter)) return filter
    const dryRun = ownMember(body, 'dry_run')
    const count = ownMember(body, 'count')
    const next = ownMember(body, 'next')
    if ([dryRun, count, next].filter((each) => each !== undefined).length !== 1) return E.left(oneOfThree)
    if (dryRun === true) return E.right({ kind: 'count', filter: filter.right })
    const act = actOf(change, body)
    if (E.isLeft(act)) return act
    if (isCount(count)) return E.right({ kind: 'begin', act: act.right, count, filter: filter.right })
    if (typeof next !== 'string') return E.left(oneOfThree)
    const rest = restOf(hash, change, filter.right, next)
    return rest === undefined
      ? E.left(otherNext)
      : E.right({ kind: 'go_on', act: act.right, ...rest, filter: filter.right })
  }
