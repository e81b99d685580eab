// The queries and bulk requests of operators, as they are sent.
import * as E from 'fp-ts/lib/Either.js'
import { separate } from 'fp-ts/lib/ReadonlyArray.js'
import type { HashText, TokenHash } from '../authorization/credential.js'
import { isPlainObject, ownMember } from '../kernel/json-object.js'
import { type InvalidRequest, invalidRequest } from '../kernel/refusals.js'
import { isCount } from '../kernel/values.js'
import { RefusalReason } from '../life-cycle/states.js'
import { type ClientFilter, type FieldName, type Read, fieldsOf, filterNames, filters, positionOf } from './filters.js'

// The query of GET /manage/v1/clients, and the filter of an operation on several clients.

export type Parameters = Readonly<Record<string, ReadonlyArray<string> | undefined>>

/** A page of the list: the clients after the position, in the order of registration. */
type ClientQuery = ListQuery<ClientFilter> & {
  /** Undefined for all. */
  readonly fields: ReadonlyArray<FieldName> | undefined
}

const maxLimit = 500
const defaultLimit = 100

const limitIn: Read<number> = (text) => {
  const limit = /^\d{1,4}$/.test(text) ? Number(text) : 0
  return limit >= 1 && limit <= maxLimit ? limit : undefined
}

/** What a parameter must be, for the error and for the documents; and how its text is read. */
type Parameter<A> = { readonly text: string; readonly read: Read<A> }

/** The parameters of a filter, by the names of its members. */
export type FilterParameters<Filter> = {
  readonly [Name in keyof Required<Filter>]: Parameter<NonNullable<Filter[Name]>>
}

const after: Parameter<number> = { text: 'next of a former page', read: positionOf }
const limit: Parameter<number> = { text: `a number from 1 to ${maxLimit}`, read: limitIn }
const fields: Parameter<ReadonlyArray<FieldName>> = {
  text: 'names of members such as client_name,state, separated by commas, and none of a credential',
  read: fieldsOf,
}

/** What each parameter of a list of clients must be. */
export const parameterTexts: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries<Pick<Parameter<unknown>, 'text'>>({ ...filters, fields, limit, after }).map(([name, { text }]) => [
    name,
    text,
  ]),
)

// Descriptions are ASCII, and short.
const shown = (name: string): string => name.slice(0, 80).replace(/[^\x21-\x7e]|["\\]/g, '?')

/** The refusal of a query with a parameter that is not among the known ones. */
export const unknownParameter = (query: Parameters, known: ReadonlyArray<string>): InvalidRequest | undefined => {
  const name = Object.keys(query).find((each) => !known.includes(each))
  if (name === undefined) return undefined
  const others =
    known.length === 0 ? 'there is none here, and GET /manage/v1/clients has filters' : `known are ${known.join(', ')}`
  return invalidRequest(`The query parameter ${shown(name)} is unknown: ${others}`)
}

type Faults = ReadonlyArray<string>

const refused = (faults: Faults): InvalidRequest => invalidRequest(faults.join('; '))

/** Undefined where the parameter is not there. */
const readParameter = <A>(
  query: Parameters,
  name: string,
  { text: expected, read }: Parameter<A>,
): E.Either<Faults, A | undefined> => {
  const [text, ...more] = (Object.hasOwn(query, name) ? query[name] : undefined) ?? []
  if (text === undefined) return E.right(undefined)
  const value = more.length === 0 ? read(text) : undefined
  return value === undefined
    ? E.left([`The query parameter ${name} must be there once at most, and be ${expected}`])
    : E.right(value)
}

const hasParametersOf =
  <Filter extends object>(parameters: FilterParameters<Filter>) =>
  (members: object): members is Partial<Filter> =>
    Object.keys(members).every((name) => Object.hasOwn(parameters, name))

/** The members of a filter among the parameters; others are not looked at. All faults are reported at once. */
const readFilter = <Filter extends object>(
  parameters: FilterParameters<Filter>,
  query: Parameters,
): E.Either<Faults, Partial<Filter>> => {
  const { left: faults, right: read } = separate(
    Object.entries<Parameter<unknown>>(parameters).map(([name, parameter]) =>
      E.map((value) => [name, value] as const)(readParameter(query, name, parameter)),
    ),
  )
  // Each member was read by the parameter of its name.
  const members = Object.fromEntries(read.filter(([, value]) => value !== undefined))
  return faults.length === 0 && hasParametersOf(parameters)(members) ? E.right(members) : E.left(faults.flat())
}

/** A page of a list that a filter narrows. */
type ListQuery<Filter> = { readonly filter: Partial<Filter>; readonly after: number; readonly limit: number }

const readList = <Filter extends object>(
  parameters: FilterParameters<Filter>,
  query: Parameters,
): E.Either<Faults, ListQuery<Filter>> => {
  const filter = readFilter(parameters, query)
  const position = readParameter(query, 'after', after)
  const most = readParameter(query, 'limit', limit)
  return E.isRight(filter) && E.isRight(position) && E.isRight(most)
    ? E.right({ filter: filter.right, after: position.right ?? 0, limit: most.right ?? defaultLimit })
    : E.left([filter, position, most].flatMap((each) => (E.isLeft(each) ? each.left : [])))
}

/** Total for any query. */
export const decodeListQuery = <Filter extends object>(
  parameters: FilterParameters<Filter>,
  query: Parameters,
): E.Either<InvalidRequest, ListQuery<Filter>> => {
  const unknown = unknownParameter(query, [...Object.keys(parameters), 'limit', 'after'])
  return unknown === undefined ? E.mapLeft(refused)(readList(parameters, query)) : E.left(unknown)
}

/** A list that has no further page. Total for any query. */
export const decodeShortList = <Filter extends object>(
  parameters: FilterParameters<Filter>,
  query: Parameters,
): E.Either<InvalidRequest, Omit<ListQuery<Filter>, 'after'>> => {
  const unknown = unknownParameter(query, [...Object.keys(parameters), 'limit'])
  return unknown === undefined ? decodeListQuery(parameters, query) : E.left(unknown)
}

export const queryParameters: ReadonlyArray<string> = [...filterNames, 'fields', 'limit', 'after']

/** Total for any query. */
export const decodeClientQuery = (query: Parameters): E.Either<InvalidRequest, ClientQuery> => {
  const unknown = unknownParameter(query, queryParameters)
  if (unknown !== undefined) return E.left(unknown)
  const list = readList<ClientFilter>(filters, query)
  const names = readParameter(query, 'fields', fields)
  return E.isRight(list) && E.isRight(names)
    ? E.right({ ...list.right, fields: names.right })
    : E.left(refused([list, names].flatMap((each) => (E.isLeft(each) ? each.left : []))))
}

// The body of an operation on all things that a filter selects.

export type BulkChange = 'suspension' | 'resumption' | 'removal' | 'approval' | 'refusal'

/** What is changed, of which things, and by which filters they are selected. */
export type Selecting<Filter> = {
  readonly change: string
  readonly things: string
  readonly parameters: FilterParameters<Filter>
}

/** What a change needs to know beside the filter. */
export type Telling<Told> = {
  readonly tells: {
    readonly members: ReadonlyArray<string>
    readonly read: (body: object) => E.Either<InvalidRequest, Told>
  }
}

export const tellsNothing: Telling<undefined>['tells'] = { members: [], read: () => E.right(undefined) }

/** What is left of a change of so many confirmed things: those after one position, up to another. */
export type Rest = { readonly count: number; readonly after: number; readonly until: number }

/** Counts, or begins, or goes on after the things of the batches before. */
export type BulkRequest<Filter, Told> = { readonly filter: Partial<Filter> } & (
  | { readonly kind: 'count' }
  | { readonly kind: 'begin'; readonly told: Told; readonly count: number }
  | ({ readonly kind: 'go_on'; readonly told: Told } & Rest)
)

const badReason = invalidRequest(
  'reason must be a line of 1 to 500 characters, which the developer of the client reads: say what is missing',
)

/** The reason in the body of a refusal, of one client or of many. Total for any body. */
export const readRefusalReason = (body: unknown): E.Either<InvalidRequest, RefusalReason> => {
  const reason = isPlainObject(body) ? ownMember(body, 'reason') : undefined
  return RefusalReason.is(reason) ? E.right(reason) : E.left(badReason)
}

export const tellsReason: Telling<RefusalReason>['tells'] = { members: ['reason'], read: readRefusalReason }

const members = ['filter', 'dry_run', 'count', 'next']
const pattern = /^b2-([0-9a-z]{1,11})-([0-9a-z]{1,11})-([0-9a-z]{1,11})-(.+)$/

// No token has a space (RFC 6750 §2.1), so that the digest of none is a seal.
const sealOf = <Filter extends object>(
  hash: HashText,
  { change, parameters }: Selecting<Filter>,
  filter: Partial<Filter>,
  { count, after, until }: Rest,
): TokenHash => {
  const values: Readonly<Record<string, unknown>> = { ...filter }
  const selected = Object.keys(parameters).map((name) => values[name] ?? null)
  return hash(`rest of a bulk ${JSON.stringify([change, selected, count, after, until])}`)
}

/** `next` of an answer, which counts for this change, filter and confirmed number alone. */
export const restText =
  <Filter extends object>(hash: HashText, selecting: Selecting<Filter>) =>
  (filter: Partial<Filter>, rest: Rest): string => {
    const { count, after, until } = rest
    const seal = sealOf(hash, selecting, filter, rest)
    return `b2-${[count, after, until].map((each) => each.toString(36)).join('-')}-${seal}`
  }

const restOf = <Filter extends object>(
  hash: HashText,
  selecting: Selecting<Filter>,
  filter: Partial<Filter>,
  text: string,
): Rest | undefined => {
  const [, confirmed = '', from = '', to = '', seal = ''] = pattern.exec(text) ?? []
  const rest = { count: parseInt(confirmed, 36), after: parseInt(from, 36), until: parseInt(to, 36) }
  if (!Object.values(rest).every(Number.isSafeInteger)) return undefined
  // The digests of both are compared, so that the time says nothing of the seal.
  return hash(`presented ${seal}`) === hash(`presented ${sealOf(hash, selecting, filter, rest)}`) ? rest : undefined
}

// The members of a filter are texts, as in a query; numbers and true and false stand for their texts.
const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined

const parametersOf = (filter: object): Parameters =>
  Object.fromEntries(Object.entries(filter).map(([name, value]) => [name, [textOf(value) ?? '']]))

const filterOfBody = <Filter extends object>(
  parameters: FilterParameters<Filter>,
  filter: unknown,
): E.Either<InvalidRequest, Partial<Filter>> => {
  const names = Object.keys(parameters)
  if (!isPlainObject(filter) || Object.keys(filter).length === 0)
    return E.left(invalidRequest(`filter must be an object with at least one of ${names.join(', ')}`))
  const given = parametersOf(filter)
  const unknown = unknownParameter(given, names)
  return unknown === undefined ? E.mapLeft(refused)(readFilter(parameters, given)) : E.left(unknown)
}

const oneOfThree = (things: string): InvalidRequest =>
  invalidRequest(
    `The body must have, beside filter, one of: dry_run true; count, the number of ${things} that dry_run answered; next of the answer before`,
  )

const otherNext = invalidRequest(
  'next must be that of the answer before, sent to the same path with the same filter: begin anew with dry_run',
)

/** Total for any body. */
export const readBulkRequest =
  <Filter extends object, Told>(hash: HashText, selecting: Selecting<Filter> & Telling<Told>) =>
  (body: unknown): E.Either<InvalidRequest, BulkRequest<Filter, Told>> => {
    const known = [...members, ...selecting.tells.members]
    if (!isPlainObject(body) || Object.keys(body).some((name) => !known.includes(name)))
      return E.left(invalidRequest(`The body must be an object with members among ${known.join(', ')}`))
    const filter = filterOfBody(selecting.parameters, ownMember(body, 'filter'))
    if (E.isLeft(filter)) return filter
    const dryRun = ownMember(body, 'dry_run')
    const count = ownMember(body, 'count')
    const next = ownMember(body, 'next')
    const wrong = E.left(oneOfThree(selecting.things))
    if ([dryRun, count, next].filter((each) => each !== undefined).length !== 1) return wrong
    if (dryRun === true) return E.right({ kind: 'count', filter: filter.right })
    const told = selecting.tells.read(body)
    if (E.isLeft(told)) return told
    if (isCount(count)) return E.right({ kind: 'begin', told: told.right, count, filter: filter.right })
    if (typeof next !== 'string') return wrong
    const rest = restOf(hash, selecting, filter.right, next)
    return rest === undefined
      ? E.left(otherNext)
      : E.right({ kind: 'go_on', told: told.right, ...rest, filter: filter.right })
  }
