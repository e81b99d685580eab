// The query of GET /manage/v1/clients, and the filter of an operation on several clients.
import * as E from 'fp-ts/lib/Either.js'
import { getSemigroup, traverse } from 'fp-ts/lib/ReadonlyArray.js'
import { pipe } from 'fp-ts/lib/function.js'
import { RegisteredBy } from '../authorization/credential.js'
import { timeOfText } from '../codec/time-of-text.js'
import { type InvalidRequest, invalidRequest } from '../errors.js'
import {
  type TokenFingerprint,
  clientOrigins,
  isStatementIssuer,
  isTokenFingerprint,
} from '../registration/provenance.js'
import { type ClientFilter, type RegisteredState, filterNames } from './client-filter.js'
import { type FieldName, fieldsOf } from './described-client.js'
import { positionOf } from './list-position.js'
import { maxSearch, minSearch } from './search-texts.js'

export type Parameters = Readonly<Record<string, ReadonlyArray<string> | undefined>>

/** A page of the list: the clients after the position, in the order of registration. */
export type ClientQuery = {
  readonly filter: ClientFilter
  readonly after: number
  readonly limit: number
  /** Undefined for all. */
  readonly fields: ReadonlyArray<FieldName> | undefined
}

export const maxLimit = 500
export const defaultLimit = 100

/** Undefined for a value that the parameter cannot have. */
type Read<A> = (text: string) => A | undefined

const oneOf =
  <Value extends string>(values: ReadonlyArray<Value>): Read<Value> =>
  (text) =>
    values.find((each) => each === text)

const states: ReadonlyArray<RegisteredState> = ['unused', 'active', 'idle', 'parked', 'suspended']

const search: Read<string> = (text) => {
  const { length } = Array.from(text.normalize('NFKC'))
  return text.length <= maxSearch && length >= minSearch ? text : undefined
}

// The id of a token begins with its fingerprint.
const token: Read<TokenFingerprint> = (text) => {
  const fingerprint = /^[A-Za-z0-9_-]{12,128}$/.test(text) ? text.slice(0, 12) : undefined
  return isTokenFingerprint(fingerprint) ? fingerprint : undefined
}

const limitIn: Read<number> = (text) => {
  const limit = /^\d{1,4}$/.test(text) ? Number(text) : 0
  return limit >= 1 && limit <= maxLimit ? limit : undefined
}

const atMost =
  (length: number): Read<string> =>
  (text) =>
    text !== '' && text.length <= length ? text : undefined

type Readers = { readonly [Name in keyof Required<ClientFilter>]: Read<Required<ClientFilter>[Name]> }

const filterReaders: Readers = {
  q: search,
  registered_by: (text) => (RegisteredBy.is(text) ? text : undefined),
  token,
  statement_issuer: (text) => (isStatementIssuer(text) ? text : undefined),
  origin: oneOf(clientOrigins),
  state: oneOf(states),
  software_id: atMost(2048),
  since: timeOfText,
  never_used: (text) => (text === 'true' ? true : text === 'false' ? false : undefined),
  idle_since: timeOfText,
}

const aTime = 'a time of RFC 3339, a date, or seconds since 1970-01-01'

/** What each parameter must be: for the error, and for the documents. */
export const parameterTexts: Readonly<Record<string, string>> = {
  q: `${minSearch} to ${maxSearch} characters`,
  registered_by: '`nobody`, `token`, `operator_token` or `master`',
  token: 'the id of an initial access token, or its first 12 characters',
  statement_issuer: 'the issuer of software statements',
  origin: `one of ${clientOrigins.join(', ')}`,
  state: `one of ${states.join(', ')}`,
  software_id: 'a software_id',
  since: aTime,
  never_used: 'true or false',
  idle_since: aTime,
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
    readParameter<unknown>(query, name, filterReaders[name]),
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
export const decodeFilter = (query: Parameters): E.Either<InvalidRequest, ClientFilter> =>
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
