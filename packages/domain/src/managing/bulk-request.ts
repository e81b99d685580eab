// The body of an operation on all clients that a filter selects.
import * as E from 'fp-ts/lib/Either.js'
import { isPlainObject, ownMember } from '../codec/json-object.js'
import { type InvalidRequest, invalidRequest } from '../errors.js'
import { type ClientFilter, filterNames } from './client-filter.js'
import { type Parameters, decodeFilter, unknownParameter } from './decode-query.js'

/** Counts, or begins, or goes on after the clients of the batches before. */
export type BulkRequest = { readonly filter: ClientFilter } & (
  | { readonly kind: 'count' }
  | { readonly kind: 'begin'; readonly count: number }
  | { readonly kind: 'go_on'; readonly after: number; readonly until: number }
)

const members = ['filter', 'dry_run', 'count', 'next']
const pattern = /^b1-([0-9a-z]{1,11})-([0-9a-z]{1,11})$/

/** What is left to do: the clients after one position, up to another. */
export const restText = (after: number, until: number): string => `b1-${after.toString(36)}-${until.toString(36)}`

const restOf = (text: unknown): { readonly after: number; readonly until: number } | undefined => {
  const [, from, to] = (typeof text === 'string' ? pattern.exec(text) : null) ?? []
  if (from === undefined || to === undefined) return undefined
  const after = parseInt(from, 36)
  const until = parseInt(to, 36)
  return Number.isSafeInteger(after) && Number.isSafeInteger(until) ? { after, until } : undefined
}

// The members of a filter are texts, as in a query; numbers and true and false stand for their texts.
const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined

const parametersOf = (filter: object): Parameters =>
  Object.fromEntries(Object.entries(filter).map(([name, value]) => [name, [textOf(value) ?? '']]))

const readFilter = (filter: unknown): E.Either<InvalidRequest, ClientFilter> => {
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

/** Total for any body. */
export const readBulkRequest = (body: unknown): E.Either<InvalidRequest, BulkRequest> => {
  if (!isPlainObject(body) || Object.keys(body).some((name) => !members.includes(name)))
    return E.left(invalidRequest(`The body must be an object with members among ${members.join(', ')}`))
  const filter = readFilter(ownMember(body, 'filter'))
  if (E.isLeft(filter)) return filter
  const dryRun = ownMember(body, 'dry_run')
  const count = ownMember(body, 'count')
  const next = ownMember(body, 'next')
  if ([dryRun, count, next].filter((each) => each !== undefined).length !== 1) return E.left(oneOfThree)
  if (dryRun === true) return E.right({ kind: 'count', filter: filter.right })
  if (isCount(count)) return E.right({ kind: 'begin', count, filter: filter.right })
  const rest = restOf(next)
  return rest === undefined ? E.left(oneOfThree) : E.right({ kind: 'go_on', ...rest, filter: filter.right })
}
